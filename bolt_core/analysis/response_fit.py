r"""R(n), ||u_n||^2 and n* of a recorded pass, rebuilt from the coefficients and l_T it recorded.

Nothing is fitted here. A pass of BOLT records R's coefficients and floor in its notes and l_T in
theta; with the surrogate's k_T, named in the header, they give the curve whose argmax is n*.
"""

import math
from dataclasses import dataclass

import numpy as np

from bolt_core.analysis.measured_passes import measured_passes
from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.text import seconds
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.theory.dataset_size import Decay, recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import DEGREE, ResponseTime, different_sizes, medians

CURVE_POINTS = 90
MAX_AGES_PER_CURVE = 150_000  # evaluated in a few milliseconds
MIN_N_AXIS = 40  # observations: the n axis is at least this long
EARLIER_FIT_SECONDS = 60.0  # age of the earlier curve that a chart shows faintly
AXIS_HEADROOM = 1.15  # times the highest dot
N_AXIS_HEADROOM = 1.5  # times the largest size measured or recommended


@dataclass(frozen=True, slots=True)
class ResponseSamples:
    """Dataset sizes and response times in seconds of the full passes of a run, oldest first."""

    n: Array
    seconds: Array

    @property
    def different(self) -> int:
        """The number of sizes that count as different."""
        return different_sizes(self.n)

    @property
    def top(self) -> float:
        """The highest response time to draw, in seconds: one wait must not flatten the rest."""
        if not len(self.seconds):
            return 1.0
        return min(float(self.seconds.max()), 3.0 * float(np.quantile(self.seconds, 0.95)))

    def beyond(self, high: float | None = None) -> str:
        """Return a sentence on the passes above the chart, which ends at `high` seconds."""
        above = int(np.sum(self.seconds > (AXIS_HEADROOM * self.top if high is None else high)))
        if not above:
            return ""
        slowest, are = seconds(float(self.seconds.max())), "is" if above == 1 else "are"
        return f" {above:,} of {len(self.seconds):,} passes {are} above the chart, up to {slowest}."

    @property
    def missing(self) -> str | None:
        """A sentence on what a cubic fit still needs; None if it is determined."""
        if (different := self.different) > DEGREE:
            return None
        return f"R(n) needs {DEGREE + 1} different sizes ({different} so far)."


@dataclass(frozen=True, slots=True)
class ResponseFit:
    """R(n) as one recorded pass fitted it, and the quantities that follow from it."""

    response: ResponseTime
    kernel: str  # k_T
    lengthscale: float  # l_T, seconds
    n_star: int | None  # as recorded
    samples: ResponseSamples  # what R was fitted to

    @property
    def seen(self) -> int:
        """The largest dataset size measured."""
        return int(self.samples.n.max())

    @property
    def argmax(self) -> int | None:
        """n* computed again from the rebuilt curve; None: no limit."""
        return recommended_size(self._decay(), self.response, seen=self.seen)

    @property
    def r_squared(self) -> float | None:
        """The share of the variance of the fitted medians that R explains; None: no variance."""
        sizes, middle = medians(self.samples.n, self.samples.seconds)
        spread = float(np.var(middle))
        if not spread:
            return None
        return 1.0 - float(np.mean((middle - self.response(sizes)) ** 2)) / spread

    @property
    def reach(self) -> int:
        """The end of the n axis, in observations."""
        return max(MIN_N_AXIS, math.ceil(N_AXIS_HEADROOM * max(self.seen, self.n_star or 0)))

    @property
    def high(self) -> float:
        """The end of the axis of R, in seconds: one wait must not flatten the rest."""
        return AXIS_HEADROOM * max(self.samples.top, float(self.response(self.seen)))

    def curve(self, *marks: int | None, reach: int | None = None) -> tuple[Array, Array]:
        """Return (n, ||u_n||^2) at whole n up to `reach`, with the given n among them."""
        reach = reach or self.reach
        points = max(min(CURVE_POINTS, MAX_AGES_PER_CURVE // reach), 2)
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
    """Return the samples of R(n) in the first `upto` passes, at the device's speed by then."""
    earlier = run if upto is None else run.upto(upto)
    response = earlier.seconds_now()
    full = measured_passes(earlier) & np.isfinite(response)
    return ResponseSamples(earlier.columns["n"][full], response[full])


@memoize_last
def newest_fit(run: RunSnapshot) -> ResponseFit | None:
    """Return R(n) of the last pass; None before the first fit, or for an algorithm without one."""
    return fit_of(run, len(run) - 1)


@memoize_last
def earlier_fit(run: RunSnapshot) -> tuple[ResponseFit, float] | None:
    """Return R(n) as fitted EARLIER_FIT_SECONDS ago, and how many seconds ago that is.

    Of a younger run it is the fit at half its time. None: there was no fit, or no other pass.
    """
    if not len(run):
        return None
    t = run.columns["t"]
    row = int(np.searchsorted(t, max(t[-1] - EARLIER_FIT_SECONDS, t[-1] / 2), side="right")) - 1
    fit = fit_of(run, row)
    return None if fit is None or row == len(run) - 1 else (fit, float(t[-1] - t[row]))


def fit_of(run: RunSnapshot, row: int) -> ResponseFit | None:
    """Return R(n) as the pass in this row fitted it; None if it did not."""
    if row < 0 or "response" not in (notes := run.columns.notes[row]):
        return None
    samples = response_samples(run, row)  # without the pass that fitted them
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
