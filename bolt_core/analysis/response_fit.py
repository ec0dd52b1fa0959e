r"""What a record says of R(n), ||u_n||^2 and n*: rebuilt from its own coefficients and l_T.

Nothing is fitted here. A pass of BOLT leaves R's coefficients and floor in its notes and l_T in
theta; with the surrogate's k_T, named in the header, they give the curve whose argmax is n*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.text import seconds
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.theory.dataset_size import Decay, recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import DEGREE, ResponseTime, different_sizes, medians

CURVE = 90  # points
WORK = 150_000  # ages at most: a few milliseconds
SMALLEST = 40  # the n axis reaches at least so far
AGO = 60.0  # seconds: how old the ghost of a curve is
AXIS_HEADROOM = 1.15  # above the highest dot
BEYOND = 1.5  # and so much further than the sizes that matter


@dataclass(frozen=True, slots=True)
class ResponseSamples:
    """The full passes of a run: sizes and seconds, oldest first."""

    n: Array
    seconds: Array

    @property
    def different(self) -> int:
        """Sizes that count as different."""
        return different_sizes(self.n)

    @property
    def top(self) -> float:
        """Seconds up to which dots are worth drawing: one wait must not flatten all the others."""
        if not len(self.seconds):
            return 1.0
        return min(float(self.seconds.max()), 3.0 * float(np.quantile(self.seconds, 0.95)))

    def beyond(self, high: float | None = None) -> str:
        """How many passes lie above the chart, in words; `high`: where it ends, seconds."""
        many = int(np.sum(self.seconds > (AXIS_HEADROOM * self.top if high is None else high)))
        if not many:
            return ""
        slowest, lie = seconds(float(self.seconds.max())), "lies" if many == 1 else "lie"
        return f" {many:,} of {len(self.seconds):,} passes {lie} above the chart, up to {slowest}."

    @property
    def missing(self) -> str | None:
        """What a cubic still needs, in words; None if it is determined."""
        if (different := self.different) > DEGREE:
            return None
        return f"R(n) needs {DEGREE + 1} different sizes ({different} so far)."


@dataclass(frozen=True, slots=True)
class ResponseFit:
    """The newest R(n) of a record, and what follows from it."""

    response: ResponseTime
    kernel: str  # k_T
    lengthscale: float  # l_T, seconds
    n_star: int | None  # as recorded
    samples: ResponseSamples  # what R was fitted to

    @property
    def seen(self) -> int:
        """The largest size measured."""
        return int(self.samples.n.max())

    @property
    def argmax(self) -> int | None:
        """n* computed again; None: no limit yet."""
        return recommended_size(self._decay(), self.response, seen=self.seen)

    @property
    def r_squared(self) -> float | None:
        """Share of the variance of the medians R was fitted to that it explains; None if none."""
        sizes, middle = medians(self.samples.n, self.samples.seconds)
        spread = float(np.var(middle))
        if not spread:
            return None
        return 1.0 - float(np.mean((middle - self.response(sizes)) ** 2)) / spread

    @property
    def reach(self) -> int:
        """How far the n axis goes."""
        return max(SMALLEST, math.ceil(BEYOND * self.seen), math.ceil(BEYOND * (self.n_star or 0)))

    @property
    def high(self) -> float:
        """How far the axis of R goes, seconds: one wait must not flatten all the others."""
        return AXIS_HEADROOM * max(self.samples.top, float(self.response(self.seen)))

    def curve(self, *marks: int | None, reach: int | None = None) -> tuple[Array, Array]:
        """(n, ||u_n||^2) at whole n up to `reach`, those given among them."""
        reach = reach or self.reach
        points = max(min(CURVE, WORK // reach), 2)
        grid = np.linspace(1, reach, points).round()
        sizes = np.unique([*grid, *(n for n in marks if n)])
        steps = np.arange(1.0, reach + 1)
        ages = np.multiply.outer(self.response(sizes), steps)
        terms = self._decay()(ages) ** 2
        terms[steps[None, :] > sizes[:, None]] = 0.0
        return sizes, terms.sum(axis=1)

    def _decay(self) -> Decay:
        return temporal_correlation(self.kernel, self.lengthscale)


def response_samples(run: RunSnapshot, upto: int | None = None) -> ResponseSamples:
    """The samples of R(n) in the first `upto` passes, at the speed the device had then."""
    then = run if upto is None else run.upto(upto)
    took = then.seconds_now()
    full = (then.columns["warmup"] == 0) & np.isfinite(took)
    return ResponseSamples(then.columns["n"][full], took[full])


@memoize_last
def newest_fit(run: RunSnapshot) -> ResponseFit | None:
    """R(n) of the last pass; None while there is none, or in an algorithm that has none."""
    return fit_of(run, len(run) - 1)


@memoize_last
def earlier_fit(run: RunSnapshot) -> tuple[ResponseFit, float] | None:
    """R(n) as it was AGO seconds ago (half the run, if it is younger), and how long that is."""
    if not len(run):
        return None
    t = run.columns["t"]
    row = int(np.searchsorted(t, max(t[-1] - AGO, t[-1] / 2), side="right")) - 1
    found = fit_of(run, row)
    return None if found is None or row == len(run) - 1 else (found, float(t[-1] - t[row]))


def fit_of(run: RunSnapshot, row: int) -> ResponseFit | None:
    """R(n) of one pass."""
    if row < 0 or "response" not in (notes := run.columns.notes[row]):
        return None
    samples = response_samples(run, row)  # the pass that fitted is not among them
    l_T, n_star = run.columns["lengthscale_time"][row], run.columns["n_star"][row]
    kernel = (run.header or {}).get("temporal_kernel")
    if kernel is None or not np.isfinite(l_T) or not len(samples.n):
        return None
    return ResponseFit(
        ResponseTime(tuple(notes["response"]), notes["response_floor"]),
        kernel,
        float(l_T),
        None if np.isnan(n_star) else int(n_star),
        samples,
    )
