"""Going on with a race that was stopped, or whose server died, from its files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import RunStatus
from bolt_core.live.live_run import Past
from bolt_core.live.race import Race
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.library import Library
from bolt_core.store.records import last_state

BRIEF = 5.0  # seconds: who was killed before its first state begins anew
UNFINISHED = (RunStatus.STOPPED, RunStatus.INTERRUPTED)


def take_up(race_id: str, directory: Path) -> Race:
    """The race, ready to go on: files locked and cut to their last state, ended runs as they are.

    On the model clock it goes on as if nothing had happened. On the cpu clock too, but for the
    passes after the last state (less than a second of them, if it was killed), which are made anew.
    """
    runs = Library(directory).runs(race_id)
    _check(race_id, runs)
    pasts: dict[Path, Past] = {}
    try:
        for path, run in runs.items():
            goes_on = run.status in UNFINISHED
            pasts[path] = Past.reopened(path) if goes_on else Past(run)
    except RecordError:
        for past in pasts.values():
            if past.writer is not None:
                past.writer.abandon()
        raise
    configs = [past.snapshot.config for past in pasts.values()]
    return Race(configs, directory, list(pasts.values()))


def _check(race_id: str, runs: Mapping[Path, RunSnapshot]) -> None:
    """Before a file is touched: there is something to go on with, and to go on from."""
    if not runs:
        raise ConfigError(f"race {race_id} is not on this machine; start it again")
    unfinished = {path: run for path, run in runs.items() if run.status in UNFINISHED}
    if not unfinished:
        raise ConfigError(f"race {race_id} has nothing left to run; start another like it")
    if any(run.config.options.get("path") for run in runs.values()):  # perhaps an imported record
        raise ConfigError(f"race {race_id} ran on a file of somebody's own; start it again")
    if any(len(run) and not _begun_anew(path, run) for path, run in unfinished.items()):
        raise ConfigError(f"race {race_id} left nothing to go on from; start another like it")


def _begun_anew(path: Path, run: RunSnapshot) -> bool:
    """It has a state to go on from, or lived so briefly that nothing is lost by beginning anew."""
    if last_state(path) is not None:
        return True
    try:
        began = datetime.fromisoformat(str((run.header or {}).get("started"))).timestamp()
    except ValueError:  # a record of somebody else's
        return False
    return path.stat().st_mtime - began < BRIEF
