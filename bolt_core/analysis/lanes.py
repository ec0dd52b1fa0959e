"""Runs grouped into lanes, and the curves of a lane's seeds with their mean.

A lane holds the runs of a race that differ in their seed alone. Where races are compared, each has
lanes of its own: two runs with the same seed are no two seeds.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from bolt_core.analysis.curves import MEAN_CURVE_POINTS, Curve, mean_curve
from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.types import Array, RunConfig, RunStatus
from bolt_core.runs.lane_names import label, lane_names
from bolt_core.runs.snapshot import RunSnapshot

CurveOfRun = Callable[[RunSnapshot], Curve]


@dataclass(frozen=True, slots=True)
class Lane:
    """Runs that differ in their seed alone."""

    key: str  # of the algorithm: decides its colour
    label: str  # unique within the race
    runs: tuple[RunSnapshot, ...]
    nth: int = 0  # among its algorithm's lanes: the second one has another dash

    @property
    def counted_runs(self) -> tuple[RunSnapshot, ...]:
        """The runs that count in a mean: a failed one does not while another is sound."""
        sound = tuple(run for run in self.runs if run.status != RunStatus.FAILED)
        return sound or self.runs

    @property
    def failed(self) -> bool:
        """Whether every run of the lane failed."""
        return all(run.status == RunStatus.FAILED for run in self.runs)


@dataclass(frozen=True, slots=True)
class LaneCurves:
    """The curves of a lane's seeds, their mean, and its standard error if there is one."""

    members: tuple[Curve, ...]
    x: Array
    mean: Array
    error: Array | None


@memoize_last
def lanes(snapshots: Sequence[RunSnapshot]) -> list[Lane]:
    """Return the lanes of a race, in the order in which they were chosen."""
    runs_by_kind: dict[LaneKind, list[RunSnapshot]] = {}
    for run in snapshots:
        runs_by_kind.setdefault(lane_kind(run.config, run.race), []).append(run)
    grouped: list[Lane] = []
    for runs, name in zip(runs_by_kind.values(), kind_names(tuple(runs_by_kind)), strict=True):
        key = runs[0].config.algorithm
        nth = sum(lane.key == key for lane in grouped)
        grouped.append(Lane(key, name, tuple(runs), nth))
    return grouped


def lane_curves(
    lane: Lane, curve: CurveOfRun, *, stepped: bool = False, points: int = MEAN_CURVE_POINTS
) -> LaneCurves:
    """Return the curve of each run and their mean; failed runs count only if all failed."""
    drawn = [(run, xy) for run in lane.runs if len((xy := curve(run))[0])]
    members = tuple(xy for _, xy in drawn)
    sound = [xy for run, xy in drawn if run.status != RunStatus.FAILED]
    mean = mean_curve(sound or members, stepped=stepped, points=points)
    return LaneCurves(members, mean.x, mean.mean, mean.error)


@dataclass(frozen=True, slots=True)
class LaneKind:
    """A lane as a dict key: equal for its seeds, and quicker than `lane_key`, a hash of text."""

    settings: Hashable
    config: RunConfig = field(compare=False)
    race: str = ""  # the name of its race among races that are compared


def lane_kind(c: RunConfig, race: str = "") -> LaneKind:
    """Return the lane to which a run of this config belongs, in a race of this name."""
    params, options = tuple(sorted(c.params.items())), tuple(sorted(c.options.items()))
    same = (c.algorithm, c.benchmark, c.warmup, c.horizon, c.clock, c.engine, params, options)
    return LaneKind((label(c.algorithm), same), c, race)


@lru_cache(maxsize=64)
def kind_names(kinds: tuple[LaneKind, ...]) -> tuple[str, ...]:
    """Return the names of a race's lanes.

    They stay while the race runs. Telling two lanes of one algorithm apart costs more than a
    race's curves, so it is done only where there are two. Lanes of one algorithm in two races
    are named by their race.
    """
    labels = tuple(label(kind.config.algorithm) for kind in kinds)
    if len(set(labels)) == len(labels):
        return labels
    by_race: dict[str, list[LaneKind]] = {}
    for kind in kinds:
        by_race.setdefault(kind.race, []).append(kind)
    names: dict[LaneKind, str] = {}
    for members in by_race.values():
        names |= zip(members, lane_names(kind.config for kind in members).values(), strict=True)
    shared = {algorithm for algorithm in labels if labels.count(algorithm) > 1}
    return tuple(
        f"{names[kind]}, {kind.race}" if kind.race and algorithm in shared else names[kind]
        for kind, algorithm in zip(kinds, labels, strict=True)
    )
