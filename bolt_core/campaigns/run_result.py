"""The outcome of one run as results files and packs hold it: numbers and two short curves.

A row is its JSON. Rows come from files of other machines, so every value that anything reads is
checked for type, range and length before a `RunResult` is made of it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis import curves
from bolt_core.analysis.downsample import rounded, thin
from bolt_core.analysis.regret import Averages
from bolt_core.analysis.run_outcome import RunOutcome, ends_early
from bolt_core.common.types import Array, RunConfig
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.record_checks import SECONDS, config_error, first_error
from bolt_core.store.value_checks import (
    MAX_INTEGER,
    NUMBERS,
    Check,
    all_real,
    optional,
    text,
    whole,
)
from bolt_core.store.value_checks import real as number

POINTS = 200  # of a curve
MAX_COMMIT_LENGTH = 64  # characters
AVERAGES = tuple(field.name for field in fields(Averages))

Curve = tuple[list[float], list[float]]  # seconds, values


@dataclass(frozen=True, slots=True)
class RunResult:
    """The outcome of one run, with two curves."""

    config: RunConfig
    averages: Mapping[str, float | None]  # the four of regret.Averages
    response: float | None  # mean R(n) over full passes, seconds
    size: float | None  # median |D| over full passes
    n_star: float | None  # median over full passes; no limit counts as the highest
    iterations: int
    source: str  # of the benchmark's values: closed form, recording, simulation
    regret_curve: Curve  # running average without warm-up
    size_curve: Curve
    held_regret: float | None = None  # None: not recorded, or there is none
    last_query: float | None = None  # seconds; None: not recorded
    horizon: float | None = None  # of the run, seconds; None: not recorded
    commit: str | None = None  # of the code that made it; None: not recorded
    corner_share: float | None = None  # of queries without the warm-up; None: not recorded
    no_structure_share: float | None = None  # of full passes; None: not recorded, or no surrogate

    @property
    def stopped_asking(self) -> bool:
        """Whether the run made no query in the last tenth of its horizon.

        Where the file does not have the last query's time, the end of its pass stands for it.
        """
        ends = self.size_curve[0]
        last = ends[-1] if self.last_query is None and ends else self.last_query
        horizon = self.horizon
        if horizon is None and self.last_query is None:  # of an earlier version
            horizon = self.config.horizon or _own_horizon(self.config.benchmark)
        return last is not None and horizon is not None and ends_early(last, horizon)

    @property
    def removed_some(self) -> bool:
        """Whether the last dataset is smaller than the number of queries."""
        sizes = self.size_curve[1]
        return bool(sizes) and sizes[-1] < self.iterations


def summarise(snapshot: RunSnapshot, held: float | None = None) -> RunResult:
    """Return the outcome of one run with its two curves; `held` is its held regret, if known."""
    outcome, header = RunOutcome(snapshot), snapshot.header or {}
    asked = snapshot.columns["t"]
    return RunResult(
        config=snapshot.config,
        averages={k: _short(v) for k, v in asdict(outcome.averages).items()},
        response=_short(outcome.response_time),
        size=outcome.median_size,
        n_star=outcome.median_n_star,
        iterations=outcome.queries,
        source=str(header.get("source", "")),
        regret_curve=_curve(*curves.regret_curve(snapshot)),
        size_curve=_curve(*curves.size_curve(snapshot)),
        held_regret=_short(held),
        last_query=float(asked.max()) if len(asked) else None,
        horizon=header.get("horizon"),
        commit=header.get("commit"),
        corner_share=_short(outcome.corner_share),
        no_structure_share=_short(outcome.no_structure_share),
    )


def to_row(run: RunResult) -> dict[str, Any]:
    """Return a result as JSON values, with the key of its config."""
    return {**asdict(run), "config": run.config.to_json(), "key": run.config.key}


def from_row(row: Mapping[str, Any]) -> RunResult:
    """Return the result that `to_row` gave; a ValueError says what is wrong with a row."""
    if reason := row_error(row):
        raise ValueError(reason)
    values = {name: value for name, value in row.items() if name != "key"}
    values["config"] = RunConfig.from_json(row["config"])
    values |= {name: tuple(row[name]) for name in CURVES}
    return RunResult(**values)


def row_error(row: Mapping[str, Any]) -> str | None:
    """Return what is wrong with a row."""
    if missing := sorted(REQUIRED - set(row)):
        return f"{missing[0]} is missing"
    if unknown := sorted(set(row) - set(ROW)):
        return f"it has an unknown field {unknown[0][:40]!r}; a newer BOLT may have written it"
    if reason := first_error(row, ROW) or config_error(row["config"]):
        return reason
    if RunConfig.from_json(row["config"]).key != row["key"]:
        return "its key is not that of its config"
    return None


def is_hex(value: object, longest: int) -> bool:
    """Whether a value is a text of at most so many hexadecimal digits."""
    return isinstance(value, str) and 0 < len(value) <= longest and set(value) <= _HEX_DIGITS


def _is_curve(value: object) -> bool:
    if type(value) is not list or len(value) != 2 or {type(part) for part in value} != {list}:
        return False
    times, values = value
    return (
        len(times) == len(values) <= POINTS
        and all_real(times)
        and all_real(values)
        and times == sorted(times)
        and min(times, default=0.0) >= 0.0
    )


def _is_averages(value: object) -> bool:
    if not isinstance(value, dict) or set(value) != set(AVERAGES):
        return False
    return all_real([average for average in value.values() if average is not None])


_HEX_DIGITS = frozenset("0123456789abcdef")
CURVES = ("regret_curve", "size_curve")
ROW: Mapping[str, Check] = {
    "key": ("12 hexadecimal digits", lambda v: is_hex(v, 12)),
    "config": ("an object", lambda v: type(v) is dict),
    "averages": (f"an object of {', '.join(AVERAGES)}: {NUMBERS}, or null", _is_averages),
    "response": optional(number(0.0)),
    "size": optional(number(0.0)),
    "n_star": optional(number(0.0)),
    "iterations": whole(0, MAX_INTEGER),
    "source": text(),
    **dict.fromkeys(
        CURVES, (f"at most {POINTS} times from 0 on, in order, and as many {NUMBERS}", _is_curve)
    ),
    "held_regret": optional(number()),
    "last_query": optional(SECONDS),
    "horizon": optional(SECONDS),
    "commit": optional(
        (f"at most {MAX_COMMIT_LENGTH} hexadecimal digits", lambda v: is_hex(v, MAX_COMMIT_LENGTH))
    ),
    **dict.fromkeys(("corner_share", "no_structure_share"), optional(number(0.0, 1.0))),
}
REQUIRED = {
    "key", "config", "averages", "response", "size", "n_star", "iterations", "source", *CURVES,
}  # fmt: skip


def _own_horizon(benchmark: str) -> float | None:
    spec = benchmarks.catalog().get(benchmark)
    return spec.row.horizon if spec else None


def _curve(x: Array, y: Array) -> Curve:
    kept_x, kept_y = thin(x, y, POINTS)
    known = np.isfinite(kept_y)
    times, values = rounded(kept_x[known], 6), rounded(kept_y[known], 6)
    return [float(t) for t in times if t is not None], [float(v) for v in values if v is not None]


def _short(value: float | None) -> float | None:
    """Return a value with ten significant digits, which JSON preserves."""
    return None if value is None else float(f"{value:.10g}")
