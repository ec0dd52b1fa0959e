"""Measurements that anyone can repeat: ratios within one run, in CPU time of one thread."""
