"""Progress bars of a campaign: one for all runs, and one per cell, or per benchmark if many.

Each bar shows the time left, estimated from the order of the runs and the durations of ended ones.
Without a terminal, as in a log file, one line per run is printed instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from bolt_core.campaigns.pools import Outcome
from bolt_core.cli._parts import notes
from bolt_core.common.text import duration
from bolt_core.common.types import RunConfig
from bolt_core.runs.duration_estimate import RemainingTime

MAX_CELL_BARS = 12  # that fit on a screen


class Bars:
    """Shows what is left; `ended` is called for each run that ends."""

    def __init__(self, runs: int, waiting: Sequence[RunConfig], workers: int) -> None:
        self._runs = runs
        self._waiting = {config.key: config for config in waiting}
        self._left = RemainingTime(workers)
        cells = {(c.algorithm, c.benchmark) for c in waiting}
        self._by_cell = len(cells) <= MAX_CELL_BARS
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[eta]}"),
            console=notes,
            refresh_per_second=1,  # leaves the processor to the runs
            disable=not notes.is_terminal,
        )
        self._all = self._progress.add_task(
            "all runs", total=runs, completed=runs - len(waiting), eta=""
        )
        totals = Counter(self._name(c.algorithm, c.benchmark) for c in waiting)
        self._tasks: dict[str, TaskID] = {
            name: self._progress.add_task(name, total=total, eta="")
            for name, total in totals.items()
        }

    def __enter__(self) -> Bars:
        self._progress.start()
        self._show()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def ended(self, outcome: Outcome) -> None:
        """Count a run that finished or failed."""
        config = self._waiting.pop(outcome.config.key)
        self._left.note(config, outcome.seconds)
        self._progress.advance(self._all)
        self._progress.advance(self._tasks[self._name(config.algorithm, config.benchmark)])
        left = self._show()
        if not notes.is_terminal:
            result = "failed" if outcome.error else f"finished in {duration(outcome.seconds)}"
            notes.print(
                f"{self._runs - len(self._waiting)}/{self._runs} {config.algorithm} on "
                f"{config.benchmark}, seed {config.seed}: {result}; {duration(left)} left",
                soft_wrap=True,
            )

    def _show(self) -> float:
        """Update the time left of every bar; return that of all runs, in seconds."""
        until = self._left.until(self._waiting.values())
        ends: dict[str, float] = {}
        for (algorithm, benchmark), seconds in until.items():
            name = self._name(algorithm, benchmark)
            ends[name] = max(ends.get(name, 0.0), seconds)
        for name, task in self._tasks.items():
            self._progress.update(task, eta=self._in_words(ends.get(name)))
        left = max(ends.values(), default=None)
        self._progress.update(self._all, eta=self._in_words(left))
        return left or 0.0

    def _in_words(self, left: float | None) -> str:
        """Return the seconds left in words; before a run has ended nothing is measured."""
        if left is None:
            return "done"
        return f"{duration(left)} left" if self._left.measured else "estimating"

    def _name(self, algorithm: str, benchmark: str) -> str:
        return f"{algorithm} on {benchmark}" if self._by_cell else benchmark
