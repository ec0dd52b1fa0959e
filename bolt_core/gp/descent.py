r"""Minimise a smooth function of a few variables over a box: BFGS from a known curvature.

The quadratic model of f at x, with the gradient g and an estimate H of the Hessian,

    f(x + s) = f + g's + s'Hs / 2,

is minimised over the box; variables whose step reaches a bound are held there. The step is tried,
and shortened by quadratic interpolation while it does not lower f enough. H learns from every step
taken (BFGS, damped so that it stays positive definite). A descent that starts with the H of an
earlier, similar one makes few steps, and none where the model promises less than the tolerance.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.linalg import lapack

from bolt_core.common.types import Array

ValueAndGradient: TypeAlias = Callable[[Array], tuple[float, Array]]
LONGEST_STEP = 1.0  # in any variable
MIN_GAIN_SHARE = 1e-4  # of what the gradient promises; below it a trial is refused
TRIALS = 8  # along one step
CURVATURES = (1e-5, 1e5)  # in every direction, so that the model always has one minimum
DAMPING = 0.2  # smallest curvature along a step, as a share of the model's


class Descent(NamedTuple):
    """Where a descent ends, the value there, and the curvature that it has learned."""

    x: Array
    value: float
    curvature: Array


def descend(  # noqa: PLR0913 - a box is two corners
    f: ValueAndGradient,
    start: Array,
    low: Array,
    high: Array,
    *,
    curvature: Array,
    iterations: int,
    tolerance: float,
    stop: Callable[[Array, float], bool] | None = None,
) -> Descent:
    """Return a local minimum of f over low <= x <= high.

    `curvature` is the first H, symmetric and positive definite. The descent ends when the model
    promises, or a whole step gains, less than `tolerance`, or where `stop(x, value)` is true.
    """
    x, H = start, curvature
    value, gradient = f(x)
    for _ in range(iterations):
        if stop is not None and stop(x, value):
            break
        step, promised = model_step(H, gradient, low - x, high - x)
        if not promised >= tolerance:
            break
        slope = float(gradient @ step)
        t = 1.0
        for _ in range(TRIALS):
            trial = np.minimum(np.maximum(x + t * step, low), high)
            trial_value, trial_gradient = f(trial)
            gain = value - trial_value
            if gain >= -MIN_GAIN_SHARE * t * slope:
                break
            t *= _shortened(t * slope, gain)
        else:
            break
        H = updated(H, trial - x, trial_gradient - gradient)
        x, value, gradient = trial, trial_value, trial_gradient
        if gain < tolerance and t == 1.0:  # a shortened step says little about what is left
            break
    return Descent(x, value, H)


def model_step(H: Array, gradient: Array, lowest: Array, highest: Array) -> tuple[Array, float]:
    """Return a step that lowers the model within lowest <= s <= highest, and by how much.

    It is the minimum of the model if no bound is reached; bounds that are reached are not left.
    """
    held = ((lowest >= 0.0) & (gradient > 0.0)) | ((highest <= 0.0) & (gradient < 0.0))
    step = np.where(held, 0.0, -gradient)
    any_held = bool(held.any())
    while not (any_held and held.all()):
        if any_held:  # as if H were I in the variables that are held
            known = np.where(held, step, 0.0)
            free = ~held
            matrix = H * np.multiply.outer(free, free)
            matrix.flat[:: len(held) + 1] += held
            step = _solved(matrix, np.where(held, step, -(gradient + H @ known)))
        else:
            step = _solved(H, -gradient)
        beyond = ~held & ((step < lowest) | (step > highest))
        if not beyond.any():
            break
        step = np.minimum(np.maximum(step, lowest), highest)
        held |= beyond
        any_held = True
    longest = float(np.abs(step).max())
    if longest > LONGEST_STEP:
        step *= LONGEST_STEP / longest
    promised = -float(gradient @ step + 0.5 * (step @ H @ step))
    if promised > 0.0:
        return step, promised
    step = np.minimum(np.maximum(gradient / -np.linalg.norm(H), lowest), highest)
    return step, -float(gradient @ step + 0.5 * (step @ H @ step))


def _solved(H: Array, right: Array) -> Array:
    """Return H^-1 right for a small positive definite H."""
    _, solution, info = lapack.dposv(H, right)
    if info != 0:  # by rounding
        return np.asarray(np.linalg.solve(H, right))
    return np.asarray(solution)


def updated(H: Array, step: Array, rise: Array) -> Array:
    """Return H after a step along which the gradient rose by `rise`: damped BFGS."""
    turned = H @ step
    expected, curved = float(step @ turned), float(step @ rise)
    if not (expected > 0.0 and np.isfinite(curved)):
        return H
    if curved < DAMPING * expected:
        share = (1.0 - DAMPING) * expected / (expected - curved)
        rise = share * rise + (1.0 - share) * turned
        curved = DAMPING * expected
    outer = np.multiply.outer
    after = H - outer(turned, turned / expected) + outer(rise, rise / curved)
    least, most = CURVATURES
    if np.trace(after) <= most:  # not below the largest eigenvalue
        shifted = after.copy()
        shifted.flat[:: len(step) + 1] -= least
        if lapack.dpotrf(shifted)[1] == 0:
            return np.asarray(after)
    values, vectors = np.linalg.eigh(after)
    return np.asarray((vectors * np.clip(values, least, most)) @ vectors.T)


def _shortened(promised_slope: float, gain: float) -> float:
    """Return the factor of a refused step: the minimum of the parabola, from 0.1 to 0.5."""
    share = 0.5 * promised_slope / (promised_slope + gain)
    return min(max(share, 0.1), 0.5) if np.isfinite(share) else 0.1
