"""Charts of the page "Your problem": measurements, slices, drift, and what a log says."""
