"""Logs of a process: reading CSV files, whether the process drifts, and how fast."""
