r"""Posterior means and standard deviations on grids, in the units of y.

lambda k_S k_T is separable, so the mean at m points x and several times t needs no kernel of pairs:

    mu(x, t) = mean + lambda sum_i a_i k_S(x, x_i) k_T(t, t_i),

which is a product of an (m, n) and an (n, times) matrix.
"""

import numpy as np

from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.runs.lane_names import label
from bolt_core.runs.own_problem import coordinates, own_sign
from bolt_core.runs.snapshot import RunSnapshot


def belief_over_time(surrogate: ExactSurrogate, x: Array, times: Array) -> Array:
    """Return the mean for one input: (len(x), len(times))."""
    return mean_over_time(surrogate, x[:, None], times)


def belief_now(
    surrogate: ExactSurrogate, side: Array, now: float, *, sd: bool
) -> tuple[Array, Array]:
    """Return mean and standard deviation on the square side x side; rows are the second input.

    Without `sd` the second array is empty and the first is cheap to compute.
    """
    first, second = np.meshgrid(side, side)
    points = np.column_stack([first.ravel(), second.ravel()])
    if not sd:
        return mean_over_time(surrogate, points, np.array([now])).reshape(first.shape), np.empty(
            (0, 0)
        )
    mean, deviation = surrogate.posterior(points, now)
    return mean.reshape(first.shape), deviation.reshape(first.shape)


def best_observed(surrogate: ExactSurrogate, now: float) -> tuple[Array, float, float]:
    """Return the observed x with the largest mean now, that mean and its standard deviation.

    Observations outside the present range of a knob are left out, unless there are no others.
    """
    X = surrogate.data.Z[:, :-1]
    inside = np.all((X >= 0.0) & (X <= 1.0), axis=1)
    X = X[inside] if inside.any() else X
    x = X[int(np.argmax(mean_over_time(surrogate, X, np.array([now]))[:, 0]))]
    mean, sd = surrogate.posterior(x[None], now)
    return x, float(mean[0]), float(sd[0])


def best_sentence(run: RunSnapshot, surrogate: ExactSurrogate, now: float) -> str:
    """Return the best observed x, with its posterior now, as a sentence."""
    x, mean, sd = best_observed(surrogate, now)
    where = ", ".join(coordinates(run, x.tolist(), 2))
    spread = f"{significant(own_sign(run) * mean)} \N{PLUS-MINUS SIGN} {significant(sd)}"
    return f"{label(run.config.algorithm)}: the best observed x now is ({where}), with {spread}."


def mean_over_time(surrogate: ExactSurrogate, points: Array, times: Array) -> Array:
    """Return the mean at each point and each time: (len(points), len(times))."""
    state, Z = surrogate.state.compact(), surrogate.data.Z
    k = state.k
    space = k.spatial(k.space_radii(points, Z[:, :-1]))
    time = np.ones((len(times), len(Z)))
    if k.sees_time:
        time = k.temporal(k.time_radii(times, Z[:, -1]))
    standardised = state.mean + k.theta.signal_variance * (space * state.a) @ time.T
    inference = surrogate.inference
    return np.asarray(inference.y_mean + inference.y_sd * standardised)
