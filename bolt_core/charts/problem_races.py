"""Problems as races of one run, so that they have live charts like any race.

The race id of a problem is its id after `RACE_PREFIX`. What was told may be corrected or taken
back, so that the number of passes does not identify the data: `revision` of the race does, and the
run id changes with every edit, by which scores of earlier data are dropped.
"""

import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np

from bolt_core.charts.problem_row import RACE_PREFIX, problem_row
from bolt_core.common.errors import BoltError
from bolt_core.common.types import Array, RunStatus
from bolt_core.problems.problem_view import ProblemView
from bolt_core.problems.problems import Problems
from bolt_core.runs.race_snapshot import RaceSnapshot

MAX_REMEMBERED = 200  # problems


class Edition(NamedTuple):
    """How often the past of a problem was edited, and the race of its last known version."""

    number: int
    y: Array
    race: RaceSnapshot


class ProblemRaces:
    """The problems of a server as races. Every method may be called from any thread."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._lock = threading.Lock()
        self._editions: dict[str, Edition] = {}

    def find(self, race_id: str) -> RaceSnapshot | None:
        """Return the problem of this race id as a race; None if there is none."""
        view = self._view(race_id)
        return None if view is None else self._race(race_id, view)

    def row(self, race_id: str) -> dict[str, Any] | None:
        """Return the row of a problem for its page; None for a race that is no problem."""
        view = self._view(race_id)
        if view is None:
            return None
        return problem_row(view, self._problems.is_running(view.id), datetime.now(UTC))

    def _view(self, race_id: str) -> ProblemView | None:
        if not race_id.startswith(RACE_PREFIX):
            return None
        try:
            return self._problems.view(race_id.removeprefix(RACE_PREFIX))
        except BoltError:
            return None

    def _race(self, race_id: str, view: ProblemView) -> RaceSnapshot:
        """Return the race of a view, the same object for the same version."""
        with self._lock:
            last = self._editions.get(race_id)
            if last is not None and last.race.revision == view.version:
                return last.race
            y = view.run.columns["y"]
            number = 0 if last is None else last.number + (not _continues(last.y, y))
            origin = None if view.origin is None else view.origin.isoformat()
            header = {**(view.run.header or {}), "origin": origin}
            run = replace(view.run, run_id=f"{race_id}.{number}", header=header)
            race = RaceSnapshot(race_id, RunStatus.RUNNING, (run,), run.end, revision=view.version)
            if len(self._editions) >= MAX_REMEMBERED:
                self._editions.pop(next(iter(self._editions)))
            self._editions[race_id] = Edition(number, y, race)
            return race


def _continues(before: Array, after: Array) -> bool:
    """Whether values were only appended."""
    return len(after) >= len(before) and np.array_equal(before, after[: len(before)], True)
