"""What this device can do: figures measured here and now, as ratios within one run."""
