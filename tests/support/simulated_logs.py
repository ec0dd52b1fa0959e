"""Simulated logs: samples of the process that the analysis assumes, as rows or as a file."""

import numpy as np

from bolt_core.common.knobs import Real
from bolt_core.common.types import Hyperparameters
from bolt_core.logs.log import Log, Roles
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.theory.kernels import Covariance, correlation

SPAN = 3600.0


def log_of(X, t, y):
    names = tuple(f"x{k}" for k in range(X.shape[1]))
    spec = ProblemSpec({name: Real(0.0, 1.0) for name in names})
    return Log("simulated", "0" * 64, t, None, spec, X, y, Roles("t", names, "y"))


def surface(rng, X, t, l_T, l_S=0.4):
    theta = Hyperparameters(1.0, l_S, l_T, 0.0)
    k = Covariance(correlation("matern52"), correlation("matern32" if l_T else "none"), theta)
    Z = np.column_stack([X, t])
    K = k.between(Z, Z) + 1e-8 * np.eye(len(t))
    return np.linalg.cholesky(K) @ rng.standard_normal(len(t))


def simulated_log(seed, n=120, d=2, l_T=600.0, noise=0.05, X=None):
    """A log with random settings; l_T = None does not drift."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, SPAN, n)
    X = rng.random((n, d)) if X is None else X
    y = surface(rng, X, t, l_T) + np.sqrt(noise) * rng.standard_normal(n)
    return log_of(X, t, y)
