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
LOOKED_AT, AT_ONCE = 10, 4  # rows per one that is wanted: looked at, and compared at once
MIN_FALL = 1e-150  # along a step, of the gradient: its square is a number above 0
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
            if not np.logical_or.reduce(climb.live):
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
    X = X[order]
    chosen: list[int] = []  # rows of X
    for first in range(0, len(X), AT_ONCE * count):  # most often the first part has enough
        part = X[first : first + AT_ONCE * count]
        near = np.packbits(_near(part, part, apart), axis=1, bitorder="little")
        free = (1 << len(part)) - 1  # a bit per row of the part
        if chosen:
            blocked = np.packbits(_near(X[chosen], part, apart).any(axis=0), bitorder="little")
            free &= ~int.from_bytes(blocked.tobytes(), "little")
        while free and len(chosen) < count:
            best = free & -free
            row = best.bit_length() - 1
            chosen.append(first + row)
            free &= ~(int.from_bytes(near[row].tobytes(), "little") | best)
        if len(chosen) == count:
            break
    rows: list[int] = order[chosen].tolist()
    return rows


def _near(X: Array, other: Array, apart: float | Array) -> NDArray[np.bool_]:
    """Return which of m points are within `apart` of which of n others, (m, n)."""
    return np.asarray(cdist(X, other, "chebyshev") <= apart)


class _Climb:
    """The starts that go on: where they are, the values there, and what each has learned."""

    def __init__(
        self, f: ValueAndGradient, starts: Array, step: float | Array, tolerance: float
    ) -> None:
        self._f, self._tolerance = f, tolerance
        self.x = starts.copy()
        self.value, self._gradient = f(starts)
        self.live = np.ones(len(starts), dtype=bool)
        g = np.where(self._held(), 0.0, self._gradient)
        shape: float | Array = step  # of the first H, times its first step
        metric = np.eye(starts.shape[1])
        self._scaled = isinstance(step, np.ndarray)
        if isinstance(step, np.ndarray):
            g, metric, shape = g * step, np.diag(step**2), 1.0
        length = np.sqrt(np.vecdot(g, g))
        self._H = metric * (shape / np.maximum(length, TINY))[:, None, None]
        self._first = self.live.copy()  # H is still a multiple of the metric
        self._any_first = True
        self._t = np.ones(len(starts))

    def keep(self, rows: list[int]) -> None:
        """Go on with these starts only."""
        self.x, self.value, self._gradient = self.x[rows], self.value[rows], self._gradient[rows]
        self._H, self._first, self._t = self._H[rows], self._first[rows], self._t[rows]
        self.live = self.live[rows]
        self._any_first = bool(self._first.any())

    def round(self) -> None:
        """Make one trial per start."""
        held = self._held()
        g = np.where(held, 0.0, self._gradient)
        trial = self._trial(g, held)
        step = trial - self.x
        promised = np.vecdot(step, g)
        value, gradient = self._f(trial)
        gain = value - self.value
        hope = np.maximum(promised, 0.0)
        taken = gain > MIN_GAIN_SHARE * hope
        taken &= self.live
        fall = self._gradient - gradient
        fall[held] = 0.0
        self._learn(step, fall, taken)
        self.live &= np.maximum(promised, gain) >= self._tolerance
        if np.logical_and.reduce(taken):
            self._t.fill(1.0)
            self.x, self.value, self._gradient = trial, value, gradient
            return
        # quadratic interpolation; a share above 0.5 is cut anyway, and could overflow
        share = np.maximum(np.maximum(promised - gain, hope), TINY)
        np.divide(0.5 * hope, share, out=share)
        self._t *= np.minimum(np.maximum(share, 0.1), 0.5)
        self._t[taken] = 1.0
        self.live &= self._t > SHORTEST_STEP
        np.copyto(self.x, trial, where=taken[:, None])
        np.copyto(self._gradient, gradient, where=taken[:, None])
        np.copyto(self.value, value, where=taken)

    def _trial(self, g: Array, held: NDArray[np.bool_]) -> Array:
        """Return where the steps t H g lead, shortened and cut to the cube."""
        p = np.vecdot(self._H, g[:, None, :])  # H is symmetric
        p[held] = 0.0
        longest = np.maximum.reduce(np.abs(p), axis=1)
        longest /= LONGEST_STEP
        np.maximum(longest, 1.0, out=longest)
        p *= np.divide(self._t, longest, out=longest)[:, None]
        p += self.x
        np.maximum(p, 0.0, out=p)
        return np.asarray(np.minimum(p, 1.0, out=p))

    def _held(self) -> NDArray[np.bool_]:
        """Return which coordinates cannot follow the gradient: it is 0 or points out of the box."""
        followed = self.x + self._gradient
        np.maximum(followed, 0.0, out=followed)
        np.minimum(followed, 1.0, out=followed)
        return np.asarray(followed == self.x)

    def _learn(self, step: Array, fall: Array, taken: NDArray[np.bool_]) -> None:
        """Update H with the steps taken and the fall of the gradient along them.

        BFGS: H + s v' + v s' with v = (1 + rho y'Hy) rho / 2 s - rho Hy, rho = 1 / s'y.
        """
        H = self._H
        sy, yy = np.vecdot(step, fall), np.vecdot(fall, fall)
        least = np.vecdot(step, step)
        least *= yy
        np.sqrt(least, out=least)
        least *= MIN_CURVATURE
        least += MIN_FALL  # flat: no update
        concave = sy > least
        concave &= taken
        if self._any_first or not np.logical_and.reduce(concave):
            self._rescale(sy, yy, fall, taken, concave)
        rho = np.divide(1.0, sy, out=np.zeros_like(sy), where=concave)
        turned = np.vecdot(H, fall[:, None, :])
        along = np.vecdot(fall, turned)
        along *= rho
        along += 1.0
        along *= rho
        along *= 0.5
        turned *= rho[:, None]
        v = along[:, None] * step
        v -= turned
        update = step[:, :, None] * v[:, None, :]
        H += update
        H += update.transpose(0, 2, 1)

    def _rescale(
        self,
        sy: Array,
        yy: Array,
        fall: Array,
        taken: NDArray[np.bool_],
        concave: NDArray[np.bool_],
    ) -> None:
        """Give H the size that its first step shows; let it grow where f is not concave."""
        first = concave & self._first
        scale = np.where(taken & ~concave, GROWTH, 1.0)
        curved = yy * self._H[:, 0, 0]
        if self._scaled:
            curved = np.vecdot(fall, np.vecdot(self._H, fall[:, None, :]))
        np.divide(sy, curved, out=scale, where=first)
        self._H *= scale[:, None, None]
        self._first &= ~concave
        self._any_first = bool(self._first.any())
