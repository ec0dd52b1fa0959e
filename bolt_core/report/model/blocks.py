"""The parts of a report, independent of Markdown, LaTeX and HTML."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

ABOUT = "about"  # id of the section on what ran
UNSAFE_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]+|\.\.+")
UNKNOWN = "-"  # text of a value that does not exist
STOPPED = "‡"  # marks what is computed from averages of runs that stopped asking


@dataclass(frozen=True, slots=True)
class Entry:
    """A table cell: its text, how it is marked, and what is shown beside it."""

    text: str
    mark: str = ""  # best: bold; overlap: underlined; worse: italic
    interval: str = ""  # follows the text; the browser shows it below
    paper: str = ""  # the paper's value, in grey
    difference: str = ""  # from the paper's value, or that there is none; in the browser only
    link: str = ""  # BENCHMARK/ALGORITHM of the runs behind the value, in the browser only


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column names; the first entry of a row is its name.

    The keys are those of the algorithms in columns or rows; the browser shows their colours.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    column_keys: tuple[str, ...] = ()
    row_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A picture: a chart dict of `campaign_charts`, the name of its file and a title."""

    name: str
    title: str
    figure: dict[str, Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain_name(self.name))

    @property
    def alt(self) -> str:
        """The text for readers who cannot see the picture."""
        return str(self.figure["layout"]["meta"]["alt"])


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with paragraphs, tables, charts and notes; `--only` takes its `id`."""

    id: str
    title: str
    words: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()  # below, in small print
    findings: tuple[str, ...] = ()  # what the section shows, before how to read it

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", plain_name(self.id))

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """All text before the tables."""
        return (*self.findings, *self.words)


def plain_name(text: str) -> str:
    """Return a name that is safe as a file name and as an id; keys of a file may be anything."""
    return UNSAFE_IN_NAMES.sub("-", text)


def number(value: float | None, digits: int = 3) -> str:
    """Return a value with so many significant digits and no exponent: 0.0123, 2.50, 6721."""
    if value is None or not math.isfinite(value):
        return UNKNOWN
    decimals = digits - 1 - (math.floor(math.log10(abs(value))) if value else 0)
    return f"{value:.{max(decimals, 0)}f}"


def whole(value: float | None) -> str:
    """Return a value rounded to an integer."""
    return UNKNOWN if value is None or not math.isfinite(value) else f"{value:.0f}"


def same_decimals(values: Sequence[float]) -> list[str]:
    """Return numbers that belong together, all with the decimals of the largest."""
    decimals = _decimals(number(max(values, key=abs)))
    return [f"{round(value, decimals) + 0.0:.{decimals}f}" for value in values]  # never "-0.00"


def with_error(mean: float | None, error: float | None) -> str:
    """Return a mean with its standard error as the paper prints it: 0.60 ± 0.04, 262 ± 1.5.

    The error has the decimals of the mean, or one where the mean has none.
    """
    text = number(mean, 2 if mean is not None and 0.1 <= abs(mean) < 1.0 else 3)
    if mean is None or error is None:
        return text
    return f"{text} ± {error:.{_decimals(text) or (1 if error < 100 else 0)}f}"


def printed_mean(mean: float) -> str:
    """Return a mean as the tables print it before its error: what reads the same is a tie."""
    return with_error(mean, None)


def printed_overall(mean: float) -> str:
    """Return a normalised regret with two decimals, as the paper's Overall row."""
    return f"{mean:.2f}"


def command(campaign: str, section: Section) -> str:
    """Return the command that makes a section again; that on what ran makes the whole report."""
    report = f"bolt campaign report {campaign}"
    return report if section.id == ABOUT else f"{report} --only {section.id}"


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])
