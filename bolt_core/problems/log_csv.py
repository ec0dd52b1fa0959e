"""The log of a problem as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC
from typing import Any

from bolt_core.common.knobs import Choice
from bolt_core.problems.problem_view import ProblemView

FORMULA = re.compile(r"(^|[;,\t])\s*[=+\-@]|^[\t\r]")  # in a text that a spreadsheet may compute

PART = re.compile(r"([;,\t])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")  # before such a part


def log_csv(view: ProblemView) -> bytes:
    """Return the log as CSV, times in UTC; numbers survive reading it back bit for bit.

    A text that a spreadsheet would take for a formula, such as =1+1, gets an apostrophe before it.
    """
    frame = view.log.copy()
    frame["time"] = [time.astimezone(UTC).isoformat() for time in frame["time"]]
    for name, knob in view.spec.knobs.items():
        if isinstance(knob, Choice):
            frame[name] = frame[name].map(_harmless)
    harmless = frame.rename(columns=_harmless)
    text: str = harmless.to_csv(index=False, lineterminator="\n")
    return text.encode()


def _harmless(cell: Any) -> Any:  # noqa: ANN401 - a cell of any kind
    """Return a cell; a text with a part that begins like a formula is marked as a text.

    Spaces before it and fullwidth signs do not hide it. Where a spreadsheet takes a semicolon for
    the end of a cell, the part after it begins a cell, and so gets a mark as well.
    """
    if not isinstance(cell, str) or FORMULA.search(unicodedata.normalize("NFKC", cell)) is None:
        return cell
    return "'" + PART.sub(r"\1'", cell)
