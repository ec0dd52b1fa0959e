"""Many runs: plans, worker pools, results, progress."""
