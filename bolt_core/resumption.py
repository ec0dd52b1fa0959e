"""Going on with a race that was stopped, or whose server died, from its files."""

from __future__ import annotations

from pathlib import Path

from bolt_core.errors import ConfigError, RecordError
from bolt_core.library import Library
from bolt_core.live_run import Past
from bolt_core.race import Race
from bolt_core.types import RunStatus

UNFINISHED = (RunStatus.STOPPED, RunStatus.INTERRUPTED)


def take_up(race_id: str, directory: Path) -> Race:
    """The race, ready to go on: files locked and cut to their last state, ended runs as they are.

    On the model clock it goes on as if nothing had happened. On the cpu clock too, but for the
    passes after the last state (less than a second of them, if it was killed), which are made anew.
    """
    runs = Library(directory).runs(race_id)
    if not runs:
        raise ConfigError(f"race {race_id} is not on this machine; start it again")
    if not any(run.status in UNFINISHED for run in runs.values()):
        raise ConfigError(f"race {race_id} has nothing left to run; start another like it")
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
