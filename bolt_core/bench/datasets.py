"""Datasets that resemble those of a run: half exploration, half points near a moving optimum."""

import math

import numpy as np

from bolt_core import benchmarks
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.protocol import Data, Model

SPACING_SECONDS = 1.0  # between two observations of a GP sample


def from_gp(
    rng: np.random.Generator, model: Model, n: int, l_S: float | tuple[float, ...] | None = None
) -> Data:
    """Return n observations of one draw from the model's prior with random hyperparameters."""
    t = SPACING_SECONDS * np.arange(1.0, n + 1)
    X = query_points(rng, n, model.dimension)
    theta = Hyperparameters(
        1.0,
        _lengthscales(rng, model) if l_S is None else l_S,
        _log_uniform(rng, 0.1, 2.0) * float(t[-1]) if model.sees_time else None,
        _log_uniform(rng, 1e-3, 1e-1),
    )
    Z = np.column_stack([X, t])
    K = model.covariance(theta).between(Z, Z) + (theta.noise_variance + 1e-10) * np.eye(n)
    y = np.linalg.cholesky(K) @ rng.standard_normal(n)
    return Data.of(X, t, y)


def from_benchmark(rng: np.random.Generator, key: str, n: int) -> tuple[Model, Data]:
    """Return n noisy observations of a benchmark, spread over its horizon."""
    problem = (benchmark := benchmarks.load(key)).problem
    t = np.linspace(0.0, 0.95 * benchmark.horizon, n)
    X = query_points(rng, n, problem.dimension)
    noise = math.sqrt(benchmark.noise_variance) * rng.standard_normal(n)
    model = Model(problem.dimension, problem.spatial_kernel, problem.temporal_kernel)
    return model, Data.of(X, t, benchmark.value(X, t) + noise)


def query_points(rng: np.random.Generator, n: int, d: int) -> Array:
    """Return n points, half of them uniform and half near a drifting centre."""
    X = rng.random((n, d))
    path = np.linspace(0.0, 1.0, n)[:, None] * (rng.random(d) - 0.5) + rng.random(d)
    near = np.clip(path + 0.1 * rng.standard_normal((n, d)), 0.0, 1.0)
    return np.where(rng.random((n, 1)) < 0.5, near, X)


def _lengthscales(rng: np.random.Generator, model: Model) -> float | tuple[float, ...]:
    if model.ard:
        return tuple(_log_uniform(rng, 0.2, 1.0) for _ in range(model.dimension))
    return _log_uniform(rng, 0.2, 1.0)


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return math.exp(rng.uniform(math.log(low), math.log(high)))
