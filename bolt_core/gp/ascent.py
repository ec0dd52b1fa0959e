r"""Maximise a smooth function over the unit cube from many starts at once: batched BFGS.

Every start has its own inverse Hessian H, step length and stopping test. All of them share the
calls of the function, because a call for 16 points costs little more than a call for one. A round
makes one trial per start,

    x' = clip(x + t H g),

where coordinates at a bound with an outward gradient are held. If f(x') is larger, x' is taken and
H is updated (BFGS; where f is not concave along the step, H grows instead); otherwise t shrinks by
quadratic interpolation. Between two stages only the best starts go on, no two of them near each
other: many starts make a few rounds, a few starts make many.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from bolt_core.common.types import Array

ValueAndGradient: TypeAlias = Callable[[Array], tuple[Array, Array]]  # (s, f) -> (s,), (s, f)
MIN_GAIN_SHARE = 1e-4  # of the gain that the gradient promises; below it a trial is refused
GROWTH = 3.0  # of H after a step along which f is not concave
LONGEST_STEP = 0.3  # in any coordinate
SHORTEST_STEP = 1e-3  # t below which a start stops
MIN_CURVATURE = 1e-10  # cosine of a step and the fall of the gradient
LOOKED_AT = 10
TINY = 1e-300  # keeps quotients finite


class Stage(NamedTuple):
    """How many starts go on, and for how many rounds at most."""

    starts: int
    rounds: int


def ascend(
    f: ValueAndGradient,
    starts: Array,
    stages: Sequence[Stage],
    *,
    first_step: float | Array,
    apart: float | Array,
    tolerance: float,
) -> tuple[Array, float]:
    """Return the best point (free,) reached from `starts` (s, free) and its value.

    `first_step` is the length of the first steps. Of two starts that are within `apart` of each
    other in every coordinate, only the better one enters the next stage. Both may be arrays
    (free,), lengths per coordinate. A start stops when a step promises and gains less than
    `tolerance`. A coordinate in which f has no gradient is held.
    """
    climb = _Climb(f, starts, first_step, tolerance)
    for count, rounds in stages:
        if len(climb.x) > count:
            climb.keep(best_apart(climb.x, climb.value, count, apart))
        for _ in range(rounds):
            if not climb.live.any():
                break
            climb.round()
    best = int(np.argmax(climb.value))
    return climb.x[best], float(climb.value[best])


def best_apart(X: Array, values: Array, count: int, apart: float | Array) -> list[int]:
    """Return up to `count` rows by falling value, no two within `apart` in every coordinate.

    They are taken from the best LOOKED_AT times `count` rows.
    """
    order = np.argsort(-values, kind="stable")[: LOOKED_AT * count]
    if isinstance(apart, np.ndarray):
        X, apart = X / apart, 1.0
    near = cdist(X[order], X[order], "chebyshev") <= apart
    blocked = np.zeros(len(order), dtype=bool)
    rows: list[int] = []
    for i, row in enumerate(order.tolist()):
        if blocked[i]:
            continue
        rows.append(row)
        if len(rows) == count:
            break
        blocked |= near[i]
    return rows


class _Climb:
    """The starts that go on: where they are, the values there, and what each has learned."""

    def __init__(
        self, f: ValueAndGradient, starts: Array, step: float | Array, tolerance: float
    ) -> None:
        self._f, self._tolerance = f, tolerance
        self.x = starts.copy()
        self.value, self._gradient = f(starts)
        self.live = np.ones(len(starts), dtype=bool)
        g = self._gradient * self._free()
        shape: float | Array = step  # of the first H, times its first step
        metric = np.eye(starts.shape[1])
        self._scaled = isinstance(step, np.ndarray)
        if isinstance(step, np.ndarray):
            g, metric, shape = g * step, np.diag(step**2), 1.0
        length = np.sqrt(np.vecdot(g, g))
        self._H = metric * (shape / np.maximum(length, TINY))[:, None, None]
        self._first = self.live.copy()  # H is still a multiple of the metric
        self._t = np.ones(len(starts))

    def keep(self, rows: list[int]) -> None:
        """Go on with these starts only."""
        self.x, self.value, self._gradient = self.x[rows], self.value[rows], self._gradient[rows]
        self._H, self._first, self._t = self._H[rows], self._first[rows], self._t[rows]
        self.live = self.live[rows]

    def round(self) -> None:
        """Make one trial per start."""
        free = self._free()
        g = self._gradient * free
        p = np.vecdot(self._H, g[:, None, :])  # H is symmetric
        p *= free
        longest = np.abs(p).max(axis=1)
        p *= (self._t * LONGEST_STEP / np.maximum(longest, LONGEST_STEP))[:, None]
        trial = np.minimum(np.maximum(self.x + p, 0.0), 1.0)
        step = trial - self.x
        promised = np.vecdot(step, g)
        value, gradient = self._f(trial)
        gain = value - self.value
        taken = (gain > MIN_GAIN_SHARE * np.maximum(promised, 0.0)) & self.live
        self._learn(step, (self._gradient - gradient) * free, taken)
        if taken.all():
            self._t.fill(1.0)
        else:
            # quadratic interpolation; a share above 0.5 is cut anyway, and could overflow
            hope = np.maximum(promised, 0.0)
            share = 0.5 * hope / np.maximum(np.maximum(promised - gain, hope), TINY)
            self._t = np.where(taken, 1.0, self._t * np.clip(share, 0.1, 0.5))
            self.live &= self._t > SHORTEST_STEP
        small = promised < self._tolerance
        self.live &= ~(small & (gain < self._tolerance))
        np.copyto(self.x, trial, where=taken[:, None])
        np.copyto(self._gradient, gradient, where=taken[:, None])
        np.copyto(self.value, value, where=taken)

    def _free(self) -> NDArray[np.bool_]:
        """Return which coordinates are not at a bound that the gradient points out of."""
        x, g = self.x, self._gradient
        return np.asarray(((x > 0.0) | (g > 0.0)) & ((x < 1.0) | (g < 0.0)))

    def _learn(self, step: Array, fall: Array, taken: NDArray[np.bool_]) -> None:
        """Update H with the steps taken and the fall of the gradient along them.

        BFGS: H + s v' + v s' with v = (1 + rho y'Hy) rho / 2 s - rho Hy, rho = 1 / s'y.
        """
        H = self._H
        sy, yy, ss = np.vecdot(step, fall), np.vecdot(fall, fall), np.vecdot(step, step)
        concave = taken & (sy > MIN_CURVATURE * np.sqrt(ss * yy)) & (yy > TINY)  # flat: no update
        first = concave & self._first
        if first.any() or not concave.all():
            scale = np.where(taken & ~concave, GROWTH, 1.0)
            curved = yy * H[:, 0, 0]
            if self._scaled:
                curved = np.vecdot(fall, np.vecdot(H, fall[:, None, :]))
            np.divide(sy, curved, out=scale, where=first)
            H *= scale[:, None, None]
            self._first &= ~concave
        rho = np.divide(1.0, sy, out=np.zeros_like(sy), where=concave)
        turned = np.vecdot(H, fall[:, None, :])
        v = (0.5 * (1.0 + rho * np.vecdot(fall, turned)) * rho)[:, None] * step
        v -= rho[:, None] * turned
        update = step[:, :, None] * v[:, None, :]
        H += update
        H += update.transpose(0, 2, 1)
