"""Runs sorted into lanes, and what the seeds of a lane say together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.types import Array, RunConfig, RunStatus
from bolt_core.runs.lane_names import label as label
from bolt_core.runs.lane_names import lane_names
from bolt_core.runs.snapshot import RunSnapshot

GRID = 240  # points at most of a mean over seeds: two pixels each
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


@memoize_last
def lanes(snapshots: Sequence[RunSnapshot]) -> list[Lane]:
    """In the order they were chosen."""
    runs: dict[_Kind, list[RunSnapshot]] = {}
    for run in snapshots:
        runs.setdefault(_kind(run.config), []).append(run)
    found: list[Lane] = []
    for own, name in zip(runs.values(), _names(tuple(runs)), strict=True):
        key = own[0].config.algorithm
        found.append(Lane(key, name, tuple(own), sum(lane.key == key for lane in found)))
    return found


def sizes(run: RunSnapshot) -> Array:
    """|D| after each pass: what the next one began with, so that no removal need be counted."""
    began: Array = run.columns["n"]
    if not len(run):
        return began
    last = began[-1] + 1.0 - len(run.columns.removed[len(run) - 1])
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
    grid = _grid(float(first), float(max(first, last)), points)
    table = np.array([_on(grid, x, y, stepped) for x, y in counted])
    many = len(counted) >= ENOUGH
    error = table.std(axis=0, ddof=1) / len(counted) ** 0.5 if many else None
    return Together(members, grid, table.mean(axis=0), error)


def _grid(first: float, last: float, points: int) -> Array:
    """Multiples of a power of two between two ends, and the ends.

    As the runs grow the points stay, until the step doubles: a viewer has most of them already.
    """
    if last <= first:
        return np.array([first])
    step = 2.0 ** np.ceil(np.log2((last - first) / (points - 2)))
    inner = step * np.arange(np.floor(first / step) + 1, np.ceil(last / step))
    return np.concatenate([[first], inner, [last]])


def _on(grid: Array, x: Array, y: Array, stepped: bool) -> Array:
    if not stepped:
        return np.interp(grid, x, y)
    held: Array = y[np.searchsorted(x, grid, side="right").clip(1, len(y)) - 1]
    return held


@dataclass(frozen=True, slots=True)
class _Kind:
    """Equal for the seeds of a lane, as its key is, but without a hash of text for each run."""

    told: Hashable
    config: RunConfig = field(compare=False)


def _kind(c: RunConfig) -> _Kind:
    params, options = tuple(sorted(c.params.items())), tuple(sorted(c.options.items()))
    same = (c.algorithm, c.benchmark, c.warmup, c.horizon, c.clock, c.engine, params, options)
    return _Kind((label(c.algorithm), same), c)


@lru_cache(maxsize=64)
def _names(kinds: tuple[_Kind, ...]) -> tuple[str, ...]:
    """They stay while a race goes on, and cost more than its curves."""
    return tuple(lane_names(kind.config for kind in kinds).values())
