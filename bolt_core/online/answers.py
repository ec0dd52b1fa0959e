"""Which asks and keys of the caller have a result, so that a repeated tell is stored once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from bolt_core.common.errors import ConflictError
from bolt_core.online.pending import check_id

MAX_ANSWERS = 4096  # the newest are remembered
FIRST_VALUE = "first"  # note of a corrected observation: y as it was told first, None if it failed


class Answer(NamedTuple):
    """The result of an ask or a key."""

    values: tuple[float, ...]
    row: int  # of the log
    ask: int | None


class Answers:
    """The values told for asks and keys; y is to be maximised, NaN if it failed.

    An observation that was corrected has two values: that, and the one that was told first.
    """

    def __init__(self) -> None:
        self._answers: dict[int | str, Answer] = {}
        self._rows = 0  # observations so far

    def add(self, notes: Mapping[str, Any], y: float) -> None:
        """Add an observation by the notes of its record."""
        values: tuple[float, ...] = (y,)
        if FIRST_VALUE in notes:
            first = notes[FIRST_VALUE]
            values = (y, math.nan if first is None else first)
        for name in ("ask", "key"):
            if name in notes:
                self._answers[notes[name]] = Answer(values, self._rows, notes.get("ask"))
        self._rows += 1
        while len(self._answers) > MAX_ANSWERS:
            del self._answers[next(iter(self._answers))]

    def restore(self, rows: Iterable[tuple[Mapping[str, Any], float]]) -> None:
        """Continue from the notes and values of all observations."""
        self._answers, self._rows = {}, 0
        for notes, y in rows:
            self.add(notes, math.nan if "failed" in notes else y)

    def get(self, name: int | str) -> Answer | None:
        """Return the result of an ask or key; None if it has none."""
        return self._answers.get(name)

    def has(self, answers: int | str | None, y: float, sign: float) -> bool:
        """Whether this was told before; a ConflictError if it was told with another value."""
        check_id(answers)
        if answers is None or answers not in self._answers:
            return False
        values, row, _ = self._answers[answers]
        if any(known == y or not (math.isfinite(known) or math.isfinite(y)) for known in values):
            return True
        what = f"ask {answers}" if isinstance(answers, int) else f"id {answers!r}"
        raise ConflictError(
            f"{what} was told {_shown(sign * values[0])} before, now {_shown(sign * y)}; "
            f"if the new value is right, correct row {row} of the log (`correct`), and give a "
            "further measurement an ask or key of its own"
        )


def _shown(y: float) -> str:
    return f"{y:g}" if math.isfinite(y) else "as failed"
