"""Measurements people can repeat: ratios within one run, CPU time of the thread, warm."""
