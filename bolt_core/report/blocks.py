"""What a report consists of, before it is Markdown, LaTeX or HTML.

A chart is a plain dict in plotly's schema, of the few kinds that `svg` can draw too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell of a table: its text, how it is marked, and the paper's value in grey beside it."""

    text: str
    mark: str = ""  # best: bold; overlap: underlined
    paper: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column names; the first entry of a row names it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """One picture. `name` is its file's name."""

    name: str
    title: str
    figure: dict[str, Any]  # {"data": [...], "layout": {...}}
    alt: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it; `id` is what `--only` asks for."""

    id: str
    title: str
    words: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = field(default=())  # below, small


def number(value: float | None, digits: int = 3) -> str:
    """To so many significant digits, without an exponent where a person needs none."""
    if value is None or not math.isfinite(value):
        return "-"
    text = f"{value:.{digits}g}"
    if "e+" in text:
        return f"{value:.0f}"
    places = text.partition(".")[2]
    want = digits - 1 - (math.floor(math.log10(abs(value))) if value else 0)
    return f"{value:.{want}f}" if 0 < want < 6 and len(places) < want else text


def with_error(mean: float | None, error: float | None) -> str:
    """2.51 +- 0.02, 262 +- 1.5: the error has the mean's decimals, one where that has none."""
    if mean is None or error is None:
        return number(mean)
    places = len(number(mean).partition(".")[2])
    return f"{number(mean)} ± {error:.{places or (1 if error < 100 else 0)}f}"
