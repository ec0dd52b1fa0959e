"""Resume a race from its files, after it was stopped or its server died."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import RunStatus
from bolt_core.live.live_run import StoredRun
from bolt_core.live.race import Race
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.library import Library
from bolt_core.store.records import last_state

BRIEF_SECONDS = 5.0  # a run killed so early, before its first state, starts again
UNFINISHED = (RunStatus.STOPPED, RunStatus.INTERRUPTED)


def take_up(race_id: str, directory: Path) -> Race:
    """Return a stored race that is ready to continue; runs that have ended stay as they are.

    Files are locked and cut after their last state. On the model clock the race continues as if it
    had never been interrupted. So it does on the cpu clock, except that the passes after the last
    state (less than a second of work, if the server was killed) are repeated.
    """
    runs = Library(directory).runs(race_id)
    _check(race_id, runs)
    stored_runs: list[StoredRun] = []
    try:
        for path, run in runs.items():
            continues = run.status in UNFINISHED
            stored_runs.append(StoredRun.reopened(path) if continues else StoredRun(run))
    except RecordError:
        for stored in stored_runs:
            if stored.writer is not None:
                stored.writer.abandon()
        raise
    return Race([stored.snapshot.config for stored in stored_runs], directory, stored_runs)


def _check(race_id: str, runs: Mapping[Path, RunSnapshot]) -> None:
    """Raise a `ConfigError`, before any file is changed, if the race cannot continue."""
    if not runs:
        raise ConfigError(f"race {race_id} is not on this machine; start it again")
    unfinished = {path: run for path, run in runs.items() if run.status in UNFINISHED}
    if not unfinished:
        raise ConfigError(f"race {race_id} has no unfinished run; start a copy of it")
    if any(run.config.options.get("path") for run in runs.values()):  # perhaps an imported record
        raise ConfigError(f"race {race_id} ran on a user's own data file; start it again")
    if any(len(run) and not _can_continue(path, run) for path, run in unfinished.items()):
        raise ConfigError(f"race {race_id} has no saved state to continue from; start a copy of it")


def _can_continue(path: Path, run: RunSnapshot) -> bool:
    """Whether a run has a saved state, or ran so briefly that it may start again."""
    if last_state(path) is not None:
        return True
    try:
        started = datetime.fromisoformat(str((run.header or {}).get("started"))).timestamp()
    except ValueError:  # not written by this program
        return False
    return path.stat().st_mtime - started < BRIEF_SECONDS
