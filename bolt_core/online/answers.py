"""Which asks and keys of the caller have a result, so that a repeated tell is stored once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from bolt_core.common.errors import ConflictError
from bolt_core.online.pending import check_id

MAX_ANSWERS = 4096  # the newest are remembered
FIRST_VALUE = "first"  # note of a corrected observation: y as it was told first, None if it failed


class Answers:
    """The values told for asks and keys; y is to be maximised, NaN if it failed.

    An observation that was corrected has two values: that, and the one that was told first.
    """

    def __init__(self) -> None:
        self._values: dict[int | str, tuple[float, ...]] = {}

    def add(self, notes: Mapping[str, Any], y: float) -> None:
        """Add an observation by the notes of its record."""
        values: tuple[float, ...] = (y,)
        if FIRST_VALUE in notes:
            first = notes[FIRST_VALUE]
            values = (y, math.nan if first is None else first)
        for name in ("ask", "key"):
            if name in notes:
                self._values[notes[name]] = values
        while len(self._values) > MAX_ANSWERS:
            del self._values[next(iter(self._values))]

    def restore(self, rows: Iterable[tuple[Mapping[str, Any], float]]) -> None:
        """Continue from the notes and values of all observations."""
        self._values = {}
        for notes, y in rows:
            self.add(notes, math.nan if "failed" in notes else y)

    def has(self, answers: int | str | None, y: float, sign: float) -> bool:
        """Whether this was told before; a ConflictError if it was told with another value."""
        check_id(answers)
        if answers is None or answers not in self._values:
            return False
        values = self._values[answers]
        if any(known == y or not (math.isfinite(known) or math.isfinite(y)) for known in values):
            return True
        what = f"ask {answers}" if isinstance(answers, int) else f"id {answers!r}"
        raise ConflictError(
            f"{what} was told {_shown(sign * values[0])} before, now {_shown(sign * y)}; "
            "take it back with undo(), or tell the new value without an id"
        )


def _shown(y: float) -> str:
    return f"{y:g}" if math.isfinite(y) else "as failed"
