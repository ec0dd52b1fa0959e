"""Records of `opt.save` among the runs: their units, their sign and their clock in words.

A record holds x in the unit cube and y to be maximised; its header has the bounds in the units of
the user, or the knobs with their names, and whether the user minimises.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bolt_core.common import devices
from bolt_core.common.errors import BoltError
from bolt_core.common.knob_tables import knob_from_json
from bolt_core.common.knobs import Knob, Value
from bolt_core.common.types import Array, IterationRecord, RunConfig
from bolt_core.runs.snapshot import RunSnapshot

OWN_CLOCK = "Times of your measurements"  # given by the user, or real time if none were given
X_DIGITS = 3  # decimals of x for a range of 1; fewer for a larger range
MAX_DECIMALS = 9


def is_own_problem(run: RunSnapshot) -> bool:
    """Return whether `opt.save` wrote it: the user's own problem, on the user's own times."""
    return is_own_record(run.config, run.header)


def is_own_record(config: RunConfig, header: Mapping[str, Any] | None) -> bool:
    """Return whether a record with this header is one of `opt.save`."""
    return "bounds" in (header or {}) and config.clock.kind == "wall"


def clock_label(config: RunConfig, header: Mapping[str, Any] | None) -> str:
    """Return the clock of a run in a few words."""
    own = is_own_record(config, header)
    return OWN_CLOCK if own else devices.clock_label(config.clock)


def clock_in_words(config: RunConfig, header: Mapping[str, Any] | None) -> str:
    """Return a description of the clock of a run, which says what its seconds measure."""
    own = is_own_record(config, header)
    return OWN_CLOCK.lower() if own else devices.clock_in_words(config.clock)


def bounds(run: RunSnapshot) -> list[tuple[float, float]] | None:
    """Return (low, high) of each coordinate in the user's units; None for a benchmark."""
    pairs = (run.header or {}).get("bounds")
    try:
        checked = [(float(low), float(high)) for low, high in pairs or ()]
    except (TypeError, ValueError):
        return None
    valid = len(checked) == run.columns["x"].shape[1] and all(map(_is_range, checked))
    return checked if valid else None


def knobs(run: RunSnapshot) -> dict[str, Knob] | None:
    """Return the knobs of the problem by name; None if it has plain bounds, or is a benchmark."""
    tables = (run.header or {}).get("knobs")
    try:
        named = {t["name"]: {k: v for k, v in t.items() if k != "name"} for t in tables or ()}
        checked = {name: knob_from_json(name, table) for name, table in named.items()}
    except (BoltError, AttributeError, LookupError, TypeError):
        return None
    return checked if len(checked) == run.columns["x"].shape[1] else None


def own_values(run: RunSnapshot, x: ArrayLike) -> list[list[Value]]:
    """Return one list per coordinate: the values of points (m, d) in the user's units."""
    points, pairs = np.asarray(x, dtype=float), bounds(run)
    if (named := knobs(run)) is not None:
        columns = zip(named.values(), points.T.tolist(), strict=True)
        return [[knob.from_unit(u) for u in column] for knob, column in columns]
    if pairs is not None:
        low, high = np.array(pairs).T
        points = np.asarray(low + (high - low) * points)
    values: list[list[Value]] = points.T.tolist()
    return values


def own_sign(run: RunSnapshot) -> float:
    """Return -1 if the user minimises, so that the record holds -y; otherwise 1."""
    return -1.0 if (run.header or {}).get("minimize") else 1.0


def own_y(run: RunSnapshot) -> Array:
    """Return the measured values as the user gave them; NaN for a measurement that failed."""
    failed = np.array(["failed" in notes for notes in run.columns.notes[: len(run)]], bool)
    return np.where(failed, math.nan, own_sign(run) * run.columns["y"])


def coordinates(run: RunSnapshot, x: Sequence[float], decimals: int) -> list[str]:
    """Return the coordinates of one point as texts, in the user's units.

    Those of a benchmark have this many decimals; the user's own have them according to the range.
    """
    pairs = bounds(run)
    if pairs is None:
        return [f"{value:.{decimals}f}" for value in x]
    values = [column[0] for column in own_values(run, [x])]
    named = knobs(run)
    units = [""] * len(values) if named is None else [knob.unit for knob in named.values()]
    spans = [high - low for low, high in pairs]
    return [_in_words(*cell) for cell in zip(values, spans, units, strict=True)]


def known_seconds(run: RunSnapshot, record: IterationRecord) -> float | None:
    """Return the response time of a pass; None if it is not known.

    A pass of the user's own problem lasts until the next `ask`, so that the last one has none yet.
    """
    return None if is_own_problem(run) and not record.seconds else record.seconds


def _in_words(value: Value, span: float, unit: str) -> str:
    text = _with_digits(value, span) if isinstance(value, float) else str(value)
    return f"{text} {unit}" if unit else text


def _with_digits(value: float, span: float) -> str:
    decimals = X_DIGITS - math.floor(math.log10(span))
    if decimals > MAX_DECIMALS or abs(value) >= 1e12:
        return f"{value:.6g}"
    return f"{value:.{max(decimals, 0)}f}"


def _is_range(pair: tuple[float, float]) -> bool:
    return all(map(math.isfinite, pair)) and pair[0] < pair[1]
