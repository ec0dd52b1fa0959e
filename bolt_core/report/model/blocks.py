"""What a report consists of, before it is Markdown, LaTeX or HTML.

A chart is a plain dict in plotly's schema, of the few kinds that `svg` can draw too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

ABOUT = "about"  # the first section


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell of a table: its text, how it is marked, and the paper's value in grey beside it."""

    text: str
    mark: str = ""  # best: bold; overlap: underlined; worse: italic
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


def alike(values: Sequence[float]) -> list[str]:
    """Numbers that stand together, all with the decimals of the largest."""
    places = len(number(max(values, key=abs)).partition(".")[2])
    return [f"{value:.{places}f}" for value in values]


def with_error(mean: float | None, error: float | None) -> str:
    """0.60 +- 0.04, 262 +- 1.5, as the paper prints them: the error has the mean's decimals, or one
    where that has none.
    """
    text = number(mean, 2 if mean is not None and 0.1 <= abs(mean) < 1.0 else 3)
    if mean is None or error is None:
        return text
    places = len(text.partition(".")[2])
    return f"{text} ± {error:.{places or (1 if error < 100 else 0)}f}"


def printed_mean(mean: float) -> str:
    """Return a mean as the tables print it before its error: what reads the same is a tie."""
    return with_error(mean, None)


def printed_overall(mean: float) -> str:
    """Return a normalised regret with two decimals, as the paper's Overall row."""
    return f"{mean:.2f}"


def command(campaign: str, section: Section) -> str:
    """What makes a section again; the first stands for the whole report."""
    whole = f"bolt campaign report {campaign}"
    return whole if section.id == ABOUT else f"{whole} --only {section.id}"
