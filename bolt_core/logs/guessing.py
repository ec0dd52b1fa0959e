"""Guess which column is the time, which are knobs, and which is the outcome, and say why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.common.errors import ConfigError, DataError
from bolt_core.common.text import counted, listed
from bolt_core.logs.columns import Column, chosen_column
from bolt_core.logs.headings import words
from bolt_core.logs.log import Roles
from bolt_core.logs.time_cells import EPOCHS, is_row_number

MAX_KNOBS = 20
TIME_WORDS = words(
    "time timestamp datetime date t when clock elapsed seconds zeit datum heure epoch utc"
)
DATE_WORDS = words("date datetime datum timestamp day")
ROW_WORDS = words("row index number no nr id sample n i run")
LARGER_IS_BETTER = words(
    "yield output outcome result score quality y objective efficiency throughput response purity "
    "reward performance profit intensity accuracy gain rendement ausbeute"
)
SMALLER_IS_BETTER = words(
    "cost costs loss losses error errors latency delay consumption waste defects emission "
    "emissions regret scrap rejects kosten"
)
UNUSED_WORDS = words("comment comments note notes operator remark remarks file")


@dataclass(frozen=True, slots=True)
class Overrides:
    """Roles that the user gives; None: to be guessed."""

    time: str | None = None
    knobs: tuple[str, ...] | None = None
    outcome: str | None = None
    period: float | None = None  # seconds
    maximize: bool | None = None


def guess_roles(
    columns: Sequence[Column], given: Overrides | None = None
) -> tuple[Roles, list[str]]:
    """Return the roles, and a sentence for each that says why."""
    given = given or Overrides()
    reasons: list[str] = []
    time = _time(columns, given, reasons)
    free = [c for c in columns if c is not time]
    chosen_knobs = _given_knobs(columns, given)
    if given.outcome is None:
        outcome = _outcome([c for c in free if c not in chosen_knobs], reasons)
    else:
        outcome = chosen_column(columns, given.outcome)
        reasons.append(f"Outcome: {outcome.heading!r}, as given.")
    maximize = _direction(outcome, given, reasons)
    knobs = chosen_knobs or _knobs([c for c in free if c is not outcome], reasons)
    if given.knobs is not None:
        kind = "Knob" if len(knobs) == 1 else "Knobs"
        reasons.append(f"{kind}: {listed([c.heading for c in knobs])}, as given.")
    _check_disjoint(time, knobs, outcome)
    headings = tuple(c.heading for c in knobs)
    when = None if time is None else time.heading
    return Roles(when, headings, outcome.heading, given.period, maximize), reasons


def _time(columns: Sequence[Column], given: Overrides, reasons: list[str]) -> Column | None:
    if given.time is not None:
        column = chosen_column(columns, given.time)
        reasons.append(f"Time: {column.heading!r}, as given.")
        return column
    if given.period is not None:
        numbered = [c for c in columns if _is_row_number(c)]
        what = f"{numbered[0].heading!r} counts rows" if numbered else "rows in their order"
        reasons.append(f"Time: {what}, {given.period:g} s apart, as given.")
        return numbered[0] if numbered else None
    dated = [c for c in columns if c.dates is not None]
    if dated:
        column = max(dated, key=lambda c: bool(c.words & TIME_WORDS))
        kind = column.dates.kind if column.dates else ""
        reasons.append(f"Time: {column.heading!r}, because it holds {kind}.")
        return column
    numeric = [c for c in columns if c.numbers is not None and not c.constant]
    for column in numeric:
        if column.words & TIME_WORDS and not _is_outcome_named(column):
            reasons.append(f"Time: {column.heading!r}, by its name.")
            return column
    for column in numeric:
        if _is_epoch(column):
            reasons.append(f"Time: {column.heading!r}, because its values are times since 1970.")
            return column
    raise ConfigError(
        "no column is a time; name it (--time), or give the seconds between rows (--period). "
        f"The columns are {listed([repr(c.heading) for c in columns])}"
    )


def _is_epoch(column: Column) -> bool:
    values = np.zeros(1) if column.numbers is None else column.numbers.values
    known = values[np.isfinite(values)]
    return any(low <= known.min() and known.max() < high for low, high, *_ in EPOCHS)


def _is_row_number(column: Column) -> bool:
    return column.numbers is not None and is_row_number(column.numbers)


def _is_outcome_named(column: Column) -> bool:
    stems = column.words | {word.rstrip("0123456789") for word in column.words}  # y1, y2
    return bool(stems & (LARGER_IS_BETTER | SMALLER_IS_BETTER))


def _outcome(free: Sequence[Column], reasons: list[str]) -> Column:
    """Return the column, not the time nor a given knob, that is the outcome by name or place."""
    numeric = [c for c in free if c.numbers is not None and not _is_row_number(c)]
    varied = [c for c in numeric if not c.constant and not c.mostly_missing]
    if not varied:
        names = listed([repr(c.heading) for c in free]) if free else "none"
        raise ConfigError(
            f"no column of numbers is left for the outcome; of {names}, name one (--outcome)"
        )
    named = [c for c in varied if _is_outcome_named(c)]
    column = named[-1] if named else varied[-1]
    if not named:
        _refuse_unusable_outcome(free)
        reasons.append(
            f"Outcome: {column.heading!r}, because it is the last column of numbers that change."
        )
        return column
    others = [repr(c.heading) for c in named[:-1]]
    also = ""
    if others:
        rest = "an outcome, too, and is" if len(others) == 1 else "outcomes, too, and are"
        also = f"; {listed(others)} may be {rest} left out"
    reasons.append(f"Outcome: {column.heading!r}, by its name{also}.")
    return column


def _refuse_unusable_outcome(free: Sequence[Column]) -> None:
    """Raise a DataError if an outcome by its name cannot be used: no knob may take its place."""
    for column in free:
        if not _is_outcome_named(column) or not column.present:
            continue
        if column.numbers is None:
            if column.mostly_missing:
                continue  # remarks on single rows, such as errors
            problem = "holds texts"
        else:
            problem = "never changes" if column.constant else "is mostly empty"
        raise DataError(
            f"{column.heading!r} is the outcome by its name, and it {problem}, so nothing can be "
            "said; name another outcome (--outcome)"
        )


def _direction(outcome: Column, given: Overrides, reasons: list[str]) -> bool:
    if given.maximize is not None:
        reasons.append(f"{'Larger' if given.maximize else 'Smaller'} is better, as given.")
        return given.maximize
    maximize = not outcome.words & SMALLER_IS_BETTER
    why = "by its name" if _is_outcome_named(outcome) else "as long as nothing else is said"
    reasons.append(f"{'Larger' if maximize else 'Smaller'} is better, {why}.")
    return maximize


def _given_knobs(columns: Sequence[Column], given: Overrides) -> list[Column]:
    if given.knobs is None:
        return []
    if not given.knobs:
        raise ConfigError("name at least one knob (--knobs)")
    return [chosen_column(columns, word) for word in given.knobs]


def _knobs(free: Sequence[Column], reasons: list[str]) -> list[Column]:
    """Return the columns that can be knobs; what is left out is said."""
    knobs, left_out = [], []
    for column in free:
        reason = _why_no_knob(column)
        if reason is None:
            knobs.append(column)
        else:
            left_out.append(f"{column.heading!r} ({reason})")
    if not knobs:
        rest = f": {listed(left_out)}" if left_out else ""
        raise ConfigError(f"no column can be a knob{rest}; name some (--knobs)")
    if len(knobs) > MAX_KNOBS:
        raise ConfigError(
            f"{counted(len(knobs), 'column')} may be knobs; name at most {MAX_KNOBS} of them "
            "(--knobs)"
        )
    names = listed([c.heading for c in knobs])
    reasons.append(
        f"Knob: {names}, because it varies and has no other role."
        if len(knobs) == 1
        else f"Knobs: {names}, because they vary and have no other role."
    )
    if left_out:
        reasons.append(f"Left out: {listed(left_out)}.")
    return knobs


def _why_no_knob(column: Column) -> str | None:
    if column.dates is not None:
        return "another time"
    if column.mostly_missing:
        return "mostly empty"
    if column.constant:
        return "constant"
    if column.numbers is not None:
        if _is_outcome_named(column):
            return "another outcome"
        return "a row number" if _is_row_number(column) and column.words & ROW_WORDS else None
    if column.words & UNUSED_WORDS:
        return "remarks"
    return None if column.can_be_choice else f"{len(column.texts):,} different texts"


def _check_disjoint(time: Column | None, knobs: Sequence[Column], outcome: Column) -> None:
    headings = [c.heading for c in (*knobs, outcome, *([time] if time else []))]
    for heading in headings:
        if headings.count(heading) > 1:
            raise ConfigError(f"{heading!r} has two roles; a column is time, knob or outcome")
