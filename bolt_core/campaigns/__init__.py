"""Campaigns of many runs: plans, worker pools, results, progress."""
