"""One pass, one run, one race as data: clocks, Algorithm 1, snapshots."""
