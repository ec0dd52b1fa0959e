r"""What a verdict means for an optimizer on this machine: n*, and how often to measure.

R(n) = r_0 + T(n): a pass takes as long as one measurement, r_0, and the optimizer's own computing,
T(n), measured on this machine. Unless it is given, r_0 is the usual time between two rows. n* is
that of Recommendation 1, with the k_T and l_T of the log and at both ends of the interval of l_T.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bolt_core.common.errors import ConfigError
from bolt_core.common.text import counted, in_natural_unit
from bolt_core.logs.log import Log
from bolt_core.logs.verdict import Drift, Reason, Verdict
from bolt_core.online.views import FRESH
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import age_at, temporal_correlation
from bolt_core.theory.response_time import ResponseTime

LARGEST_SIZE = 10_000  # n* is searched up to twice this size
STALE = 0.05  # correlation with now, below which a row says next to nothing
LAB_LIMITS = {"lt": 1e4, "r0": 10.0}  # seconds: the largest values of the sliders
LAB_UNITS = ((1.0, "a second"), (60.0, "a minute"), (3600.0, "an hour"), (86_400.0, "a day"))


@dataclass(frozen=True, slots=True)
class Advice:
    """Numbers with sentences; without drift, or if it is unknown, the numbers are None."""

    n_star: int | None  # None: no limit, or not known
    n_star_low: int | None  # at the shortest l_T of the interval
    n_star_high: int | None  # at the longest
    measure_every: float | None  # seconds, at most
    stale_after: float | None  # seconds
    spacing: float  # of the log, seconds
    lab: Mapping[str, str]  # the query of a link to the n* lab; empty without l_T
    lab_second: float  # seconds that a second of the lab stands for
    texts: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the advice, JSON-ready."""
        return {**asdict(self), "lab": dict(self.lab), "texts": list(self.texts)}


def advise(
    log: Log, verdict: Verdict, thinking: Sequence[float], *, cost: float | None = None
) -> Advice:
    """Return the advice; `thinking` are c_0 .. c_3 of T(n), `cost` the seconds of a measurement."""
    if cost is not None and not 0 < cost < float("inf"):
        raise ConfigError(f"the cost must be a positive number of seconds, got {cost:g}")
    r_0 = log.spacing if cost is None else cost
    l_T = verdict.lengthscale
    if verdict.drift is not Drift.YES or l_T is None:
        nothing = None, None, None, None, None
        return Advice(*nothing, log.spacing, {}, 1.0, (_without_drift(verdict, log),))
    response = ResponseTime((r_0 + thinking[0], *thinking[1:]))
    kernel = verdict.temporal_kernel
    ends = verdict.interval
    n_star = _size(kernel, l_T, response)
    n_low, n_high = (
        None if end is None else _size(kernel, end, response)
        for end in ((ends.low, ends.high) if ends else (None, None))
    )
    fresh, stale = (l_T * age_at(kernel, level) for level in (FRESH, STALE))
    lab, lab_second, unit = _lab(kernel, l_T, response)
    texts = [
        _size_text(n_star, [n_low, n_high], response),
        _pace_text(log.spacing, fresh, stale),
        f"Rows older than {in_natural_unit(stale)} have a correlation below {STALE:g} with now and "
        "say next to nothing about it.",
    ]
    if lab_second != 1.0:
        texts.append(f"In the link to the n* lab, a second stands for {unit}.")
    return Advice(n_star, n_low, n_high, fresh, stale, log.spacing, lab, lab_second, tuple(texts))


def _size(kernel: str, l_T: float, response: ResponseTime) -> int | None:
    return recommended_size(temporal_correlation(kernel, l_T), response, seen=LARGEST_SIZE)


def _size_text(n_star: int | None, ends: Sequence[int | None], response: ResponseTime) -> str:
    first = in_natural_unit(float(response(1.0)))
    if n_star is None:
        return (
            f"n*: no limit on this machine. A pass takes {first}, nearly all of it the measurement;"
            f" up to {2 * LARGEST_SIZE:,} observations, more data do not make it much slower."
        )
    known = [size for size in ends if size is not None]
    between = f" ({min(known):,} to {max(known):,} within the interval of l_T)" if known else ""
    computing = in_natural_unit(float(response(n_star) - response(1.0)))
    return (
        f"n* = {n_star:,}{between}: so many observations are worth keeping on this machine, where "
        f"a pass takes {first} with one of them and {computing} more with {n_star:,}."
    )


def _pace_text(spacing: float, fresh: float, stale: float) -> str:
    words = (
        f"Measure at least every {in_natural_unit(fresh)}: then the correlation with the newest "
        f"row stays above {FRESH:g}. The rows of the log are {in_natural_unit(spacing)} apart"
    )
    if spacing <= fresh:
        return f"{words}, which is often enough."
    if spacing < stale:
        return f"{words}, {spacing / fresh:.1f} times as long: an optimizer would lag behind."
    return f"{words}: a row says next to nothing about the time of the next one."


def _without_drift(verdict: Verdict, log: Log) -> str:
    match verdict.reason:
        case Reason.STEADY:
            return (
                "Nothing needs to be forgotten: all rows are worth keeping, as far as computing "
                "allows, and the pace does not matter."
            )
        case Reason.FEW_ROWS:
            return "Go on logging, with settings that vary and come back."
        case Reason.CONFOUNDED:
            return "Come back to earlier settings from time to time; then drift can be seen."
        case Reason.LEVEL:
            return (
                "Repeat two or three settings in turn: if their difference stays while both move, "
                "the best setting stays too."
            )
        case Reason.NO_STRUCTURE:
            return "Vary the knobs over a wider range, or measure with less noise."
        case _:
            rows = counted(2 * len(log), "row")
            return f"Go on logging, with settings that vary and come back; {rows} may be enough."


def _lab(kernel: str, l_T: float, response: ResponseTime) -> tuple[dict[str, str], float, str]:
    """Return the query of the n* lab: n* depends on ratios of times only, so the unit is free."""
    r_0, lin, quad, cub = response.coefficients
    largest = max(l_T / LAB_LIMITS["lt"], r_0 / LAB_LIMITS["r0"])
    unit, name = next((pair for pair in LAB_UNITS if pair[0] >= largest), LAB_UNITS[-1])
    values = {"lt": l_T, "r0": r_0, "lin": 1e3 * lin, "quad": 1e6 * quad, "cub": 1e9 * cub}
    query = {key: f"{value / unit:.4g}" for key, value in values.items()}
    return {"k": kernel, **query}, unit, name
