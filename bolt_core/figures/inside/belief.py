r"""Posterior means and deviations on grids, in raw units of y.

lambda k_S k_T is separable, so the mean over places x and times t needs no kernel of pairs:

    mu(x, t) = m + lambda sum_i a_i k_S(x, x_i) k_T(t, t_i),

a (places, n) times (n, times) product.
"""

from __future__ import annotations

import numpy as np

from bolt_core.common.types import Array
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.theory.kernels import distances


def belief_over_time(found: ExactSurrogate, places: Array, times: Array) -> Array:
    """The mean at places (one coordinate each) and times: (len(places), len(times))."""
    return _mean(found, places[:, None], times)


def belief_now(found: ExactSurrogate, side: Array, now: float, *, sd: bool) -> tuple[Array, Array]:
    """Mean and standard deviation on the square side x side; rows are the second coordinate.

    Without `sd` the second is empty, and the first is cheap.
    """
    first, second = np.meshgrid(side, side)
    places = np.column_stack([first.ravel(), second.ravel()])
    if not sd:
        return _mean(found, places, np.array([now])).reshape(first.shape), np.empty((0, 0))
    mean, deviation = found.posterior(places, now)
    return mean.reshape(first.shape), deviation.reshape(first.shape)


def best_place(found: ExactSurrogate, now: float) -> tuple[Array, float, float]:
    """The observed x with the largest mean now; that mean and its standard deviation."""
    X = found.data.Z[:, :-1]
    x = X[int(np.argmax(_mean(found, X, np.array([now]))[:, 0]))]
    mean, sd = found.posterior(x[None], now)
    return x, float(mean[0]), float(sd[0])


def _mean(found: ExactSurrogate, places: Array, times: Array) -> Array:
    k, Z = found.state.k, found.data.Z
    theta = k.theta
    space = k.spatial(distances(places, Z[:, :-1]) / theta.lengthscale_space)
    time = np.ones((len(times), len(Z)))
    if k.sees_time:
        time = k.temporal(np.abs(times[:, None] - Z[:, -1]) / k.time_scale)
    standardised = found.state.mean + theta.signal_variance * (space * found.state.a) @ time.T
    learned = found.inference
    return np.asarray(learned.y_mean + learned.y_sd * standardised)
