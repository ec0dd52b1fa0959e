"""The paper's mathematics: kernels, response time, n*, the regret bound, Wasserstein scores."""
