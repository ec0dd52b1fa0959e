"""How the response time of a run changes while it goes on."""

from dataclasses import dataclass

import numpy as np

from bolt_core.runs.snapshot import RunSnapshot

END_SHARE = 0.1  # of the time so far: the first and the last tenth are compared
MIN_PASSES_PER_END = 5
QUANTILE_SAMPLE = 500  # passes, about: enough for the 5 % and 95 % quantiles
MIN_WAITING_SHARE = 0.1  # of its time, from which on an algorithm counts as one that waits


@dataclass(frozen=True, slots=True)
class ResponseTimes:
    """Response times of one run in seconds, without the warm-up and without deliberate waits."""

    first: float  # median over the first tenth of the time
    last: float  # median over the last tenth
    low: float  # 90 % are between `low` and `high`
    high: float
    longest: float
    waits: bool  # see `waits`

    @property
    def growth(self) -> float:
        """Return how many times as long a response takes at the end as at the beginning."""
        return self.last / self.first


def response_times(run: RunSnapshot) -> ResponseTimes | None:
    """Return the response times of a run; None while it has too few passes."""
    warmup = int(np.sum(run.columns["warmup"]))
    t = run.columns["t"][warmup:]
    seconds = (run.columns["seconds"] - run.columns["waited"])[warmup:]
    if len(t) < 2 * MIN_PASSES_PER_END:
        return None
    length = END_SHARE * (t[-1] - t[0])
    first_end = max(MIN_PASSES_PER_END, int(np.searchsorted(t, t[0] + length)))
    last_begin = min(len(t) - MIN_PASSES_PER_END, int(np.searchsorted(t, t[-1] - length)))
    first, last = (float(np.median(part)) for part in (seconds[:first_end], seconds[last_begin:]))
    if min(first, last) <= 0.0:
        return None
    sample = seconds[:: 1 + len(seconds) // QUANTILE_SAMPLE]
    low, high = (float(quantile) for quantile in np.quantile(sample, [0.05, 0.95]))
    return ResponseTimes(first, last, low, high, float(seconds.max()), waits(run))


def waits(run: RunSnapshot) -> bool:
    """Return whether the algorithm chooses when to query, and waited for a tenth of the time."""
    waited = float(np.sum(run.columns["waited"]))
    return waited > MIN_WAITING_SHARE * max(run.end, run.moment or 0.0)
