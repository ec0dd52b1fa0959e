"""Races on the model clock, and what their records must be."""

import json
from collections.abc import Iterable

from bolt_core.common.types import ClockConfig, IterationRecord, RunConfig, RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.runs.loop import iterate, prepare
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store.library import Library
from bolt_core.store.record_format import to_json
from tools.chaos.report import Check

BENCHMARK = "eggholder"
Lines = tuple[str, ...]
_undisturbed: dict[str, Lines] = {}


def lane(algorithm: str, seed: int, horizon: float) -> RunConfig:
    """Return a run of which every pass is determined by its config."""
    clock = ClockConfig("model")
    return RunConfig(algorithm, BENCHMARK, seed=seed, horizon=horizon, clock=clock)


def lines(records: Iterable[IterationRecord]) -> Lines:
    """Return passes as JSON, to be compared bit for bit."""
    return tuple(json.dumps(to_json(record), sort_keys=True) for record in records)


def undisturbed(config: RunConfig) -> Lines:
    """Return the passes of a run that nothing interrupts; computed once per config."""
    if config.key not in _undisturbed:
        _undisturbed[config.key] = lines(iterate(prepare(config)))
    return _undisturbed[config.key]


def resume_to_the_end(conductor: Conductor, race_id: str, timeout: float = 120.0) -> RaceSnapshot:
    """Continue a stored race and return it when it has ended."""
    conductor.resume_stored(race_id)
    return conductor.wait(race_id, lambda race: race.status.ended, timeout)


def check_finished(check: Check, library: Library, race_id: str, label: str) -> None:
    """Check that the records of a race are complete and those of undisturbed runs."""
    race = library.open(race_id)
    if race is None:
        check.expect(False, f"{label}: race {race_id} cannot be opened")
        return
    for run in race.runs:
        name = f"{label}: {run.config.algorithm} of {race_id}"
        check.expect(run.status == RunStatus.FINISHED, f"{name} is {run.status} ({run.error})")
        check.expect(lines(run.records) == undisturbed(run.config), f"{name} has other passes")


def passes(race: RaceSnapshot) -> dict[str, int]:
    """Return the number of passes that a viewer is shown, by run."""
    return {run.run_id: len(run) for run in race.runs}
