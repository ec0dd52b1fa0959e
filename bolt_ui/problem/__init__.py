"""The page "Your problem": doors, the running problem, and what a log says."""
