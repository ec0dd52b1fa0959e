"""Runs sorted into lanes, and what the seeds of a lane say together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.figures.palette import Ink, ink
from bolt_core.lanes import algorithm_label as label
from bolt_core.lanes import lane_names, lane_of
from bolt_core.snapshot import RunSnapshot
from bolt_core.types import Array, RunStatus

__all__ = ["Lane", "Together", "label", "lanes", "sizes", "together"]

GRID = 240  # points of a mean over seeds: two pixels each
ENOUGH = 3  # seeds that make a standard error worth drawing

Curve = Callable[[RunSnapshot], tuple[Array, Array]]


@dataclass(frozen=True, slots=True)
class Lane:
    """Runs that differ in their seed alone."""

    key: str  # of the algorithm: its colour
    label: str  # no other lane of the race has it
    runs: tuple[RunSnapshot, ...]
    nth: int = 0  # of its algorithm's lanes: the second one has another dash

    @property
    def ink(self) -> Ink:
        return ink(self.key, self.nth)

    @property
    def failed(self) -> bool:
        """Every one of its runs."""
        return all(run.status == RunStatus.FAILED for run in self.runs)


@dataclass(frozen=True, slots=True)
class Together:
    """The curves of a lane: each one's own, their mean, and its standard error if there is one."""

    members: tuple[tuple[Array, Array], ...]
    x: Array
    mean: Array
    error: Array | None


def lanes(snapshots: Sequence[RunSnapshot]) -> list[Lane]:
    """In the order they were chosen."""
    names = lane_names([run.config for run in snapshots])
    runs: dict[Hashable, list[RunSnapshot]] = {lane: [] for lane in names}
    for run in snapshots:
        runs[lane_of(run.config)].append(run)
    found: list[Lane] = []
    for lane, name in names.items():
        key = runs[lane][0].config.algorithm
        nth = sum(other.key == key for other in found)
        found.append(Lane(key, name, tuple(runs[lane]), nth))
    return found


def sizes(run: RunSnapshot) -> Array:
    """|D| after each pass: what the next one began with, so that no removal need be counted."""
    began: Array = run.columns["n"]
    if not len(run):
        return began
    last = began[-1] + 1.0 - len(run.columns.removals[len(run) - 1])
    return np.append(began[1:], last)


def together(lane: Lane, curve: Curve, *, stepped: bool = False, points: int = GRID) -> Together:
    """The lane's curves on a common grid, as far as all have come; a failed one does not count."""
    drawn = [(run, *curve(run)) for run in lane.runs]
    members = tuple((x, y) for _, x, y in drawn if len(x))
    sound = [(x, y) for run, x, y in drawn if len(x) and run.status != RunStatus.FAILED]
    counted = sound or list(members)
    if not counted:
        return Together((), np.empty(0), np.empty(0), None)
    if len(counted) == 1:
        return Together(members, *counted[0], None)
    first, last = max(x[0] for x, _ in counted), min(x[-1] for x, _ in counted)
    grid = np.linspace(first, max(first, last), points)
    table = np.array([_on(grid, x, y, stepped) for x, y in counted])
    many = len(counted) >= ENOUGH
    error = table.std(axis=0, ddof=1) / len(counted) ** 0.5 if many else None
    return Together(members, grid, table.mean(axis=0), error)


def _on(grid: Array, x: Array, y: Array, stepped: bool) -> Array:
    if not stepped:
        return np.interp(grid, x, y)
    held: Array = y[np.searchsorted(x, grid, side="right").clip(1, len(y)) - 1]
    return held
