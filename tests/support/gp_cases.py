"""Datasets for the tests of the engines."""

import numpy as np
from hypothesis import strategies as st

from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.kernels import SPATIAL, TEMPORAL

NOW = 100.0


def log_uniform(low, high):
    return st.floats(np.log(low), np.log(high)).map(lambda v: float(np.exp(v)))


thetas = st.builds(
    Hyperparameters,
    signal_variance=log_uniform(0.1, 10.0),
    lengthscale_space=log_uniform(0.05, 3.0),
    lengthscale_time=log_uniform(5.0, 1000.0),
    noise_variance=log_uniform(1e-4, 1.0),
)
kernel_pairs = st.tuples(st.sampled_from(SPATIAL), st.sampled_from(TEMPORAL))
seeds = st.integers(0, 10**6)


def dataset(n, d, seed=0, weighted=False):
    rng = np.random.default_rng(seed)
    X, t = rng.random((n, d)), np.sort(rng.random(n)) * NOW
    y = np.sin(5 * X.sum(axis=1) + t / 40) + 0.1 * rng.standard_normal(n)
    return Data.of(X, t, y, rng.random(n) + 0.5 if weighted else None)


def without_time(theta, temporal):
    if temporal != "none":
        return theta
    return Hyperparameters(
        theta.signal_variance, theta.lengthscale_space, None, theta.noise_variance
    )


def case(n, d, pair, theta, seed):
    """A model, data and what is known: noise weights, a mean, raw units unlike standard ones."""
    model = Model(d, *pair)
    known = Inference(without_time(theta, pair[1]), y_mean=3.0, y_sd=2.0, mean=0.4)
    return model, dataset(n, d, seed, weighted=True), known


THETA = Hyperparameters(1.3, 0.4, 30.0, 0.02)


def conditioned(n, d, pair=("matern52", "matern32"), theta=THETA, seed=0):
    """Return the exact surrogate of a made dataset whose noise is weighted."""
    known = Inference(without_time(theta, pair[1]), mean=0.2)
    return ExactEngine(Model(d, *pair)).condition(dataset(n, d, seed, weighted=True), known)
