"""Cells of a table as numbers: decimal points and commas, thousands, missing values."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.common.errors import DataError
from bolt_core.common.limits import MAX_VALUE
from bolt_core.common.types import Array
from bolt_core.logs.headings import words

MISSING = words(
    "na n/a #n/a nan null none nil - -- ? missing #value! #div/0! #ref! inf -inf +inf infinity "
    "-infinity"
)
SPACES = re.compile("[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}']")  # between thousands
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
COMMA = re.compile(r"[+-]?(\d+|\d{1,3}(\.\d{3})+)?,\d+([eE][+-]?\d+)?")  # 1.234,5
GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?")  # 1,234.5
NUMBER_SHARE = 0.5  # of the cells that are not missing: a column of numbers
DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?")


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a column: NaN where a cell is missing or no number."""

    values: Array
    missing: tuple[int, ...]  # rows
    wrong: tuple[int, ...]  # rows whose cell is a text


def is_missing(cell: str) -> bool:
    """Whether a cell stands for no value."""
    return not cell or cell.lower() in MISSING


def looks_like_value(cell: str) -> bool:
    """Whether a cell is a number or a date."""
    squeezed = SPACES.sub("", cell)
    numbers = (PLAIN, COMMA, GROUPED)
    return any(p.fullmatch(squeezed) for p in numbers) or DATE.fullmatch(cell) is not None


def numbers_of(
    cells: Sequence[str], lines: Sequence[int], *, quoted_commas: bool
) -> Numbers | None:
    """Return the numbers of a column, or None if most of its cells are texts.

    `quoted_commas`: columns are divided by commas, so that 1,234 in quotes has a thousands
    separator; otherwise 1,234 has a decimal comma. A DataError names two lines that disagree.
    """
    try:
        values = np.array(list(map(float, cells)))
        if np.isfinite(values).all() and not any("_" in cell for cell in cells):
            return _bounded(values, (), ())
    except ValueError:
        pass
    missing = [k for k, cell in enumerate(cells) if is_missing(cell)]
    absent = set(missing)
    present = [(k, SPACES.sub("", c)) for k, c in enumerate(cells) if k not in absent]
    plain = [k for k, c in present if PLAIN.fullmatch(c)]
    grouped = {k for k, c in present if GROUPED.fullmatch(c)}
    comma = {k for k, c in present if COMMA.fullmatch(c)}
    if not present or len({*plain, *comma, *grouped}) <= NUMBER_SHARE * len(present):
        return None
    decimal_comma = _has_decimal_comma(cells, comma - grouped, comma & grouped, quoted_commas)
    if decimal_comma and (pointed := [k for k in plain if "." in cells[k]]):
        a, b = lines[min(comma)], lines[pointed[0]]
        raise DataError(
            f"line {max(a, b)}: {cells[min(comma)]!r} (line {a}) has a decimal comma and "
            f"{cells[pointed[0]]!r} (line {b}) a decimal point; write all numbers alike"
        )
    values = np.full(len(cells), math.nan)
    readable = {*plain, *(comma if decimal_comma else grouped)}
    for k, text in present:
        if k in readable:
            values[k] = float(_with_point(text, decimal_comma=decimal_comma))
    wrong = [k for k, _ in present if k not in readable]
    return _bounded(values, missing, wrong)


def _has_decimal_comma(
    cells: Sequence[str], clear: set[int], unclear: set[int], quoted_commas: bool
) -> bool:
    """Return whether a comma is the decimal sign: 3,14 says so, 3,142 may mean both."""
    if clear:
        return True
    if any("." in cells[k] for k in unclear):
        return False
    return bool(unclear) and not quoted_commas


def _with_point(text: str, *, decimal_comma: bool) -> str:
    if decimal_comma:
        return text.replace(".", "").replace(",", ".") if "," in text else text
    return text.replace(",", "")


def _bounded(values: Array, missing: Sequence[int], wrong: Sequence[int]) -> Numbers:
    """Return the numbers; those too large to compute with are wrong."""
    with np.errstate(invalid="ignore"):
        large = np.flatnonzero(np.abs(values) > MAX_VALUE)
    if len(large):
        values = values.copy()
        values[large] = math.nan
    return Numbers(values, tuple(missing), tuple(sorted({*wrong, *large.tolist()})))
