"""Resume a race from its files, after it was stopped or its server died."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from bolt_core import algorithms, benchmarks
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.live.live_run import StoredRun
from bolt_core.live.race import Race
from bolt_core.runs import limits
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import race_file
from bolt_core.store.library import Library, StoredRace
from bolt_core.store.record_files import RecordFile
from bolt_core.store.records import last_state

BRIEF_SECONDS = 5.0  # a run killed so early, before its first state, starts again
UNFINISHED = (RunStatus.STOPPED, RunStatus.INTERRUPTED)


def take_up(
    race_id: str, directory: Path, check_limits: Callable[[Sequence[RunConfig]], None]
) -> Race:
    """Return a stored race that is ready to continue; runs that have ended stay as they are.

    `check_limits` raises an error if the runs that are to continue may not be started.

    A record of `bolt run` continues as a race of one run. A run that was announced and has no
    record runs from the start. Files are locked here; each is cut after its last state only when
    its run has been prepared and writes its next line. On the model clock the race continues as if
    it had never been interrupted. So it does on the cpu clock, except that the passes after the
    last state (less than a second of work, if the server was killed) are repeated.
    """
    library = Library(directory)
    race = library.find(race_id)
    runs = library.runs(race) if race else {}
    if race is None or not runs:
        raise ConfigError(f"race {race_id} is not on this machine; start it again")
    _check(race, runs)
    unfinished = [run.config for run in runs.values() if run.status in UNFINISHED]
    known = algorithms.catalog()  # a run of another algorithm fails alone, once it is prepared
    check_limits([config for config in unfinished if config.algorithm in known])
    lock_file = race_file.locked(directory, race_id)
    stored_runs: list[StoredRun | None] = []
    try:
        for file in race.runs:
            stored_runs.append(_stored_run(file, runs[file.path]))  # noqa: PERF401 - kept on error
        configs = [file.config for file in race.runs]
        headers = [_header(race_id, file, place) for place, file in enumerate(race.runs)]
        resumed = Race(configs, directory, stored_runs, headers=headers)
    except BaseException:
        for stored in stored_runs:
            if stored is not None and stored.writer is not None:
                stored.writer.abandon()
        if lock_file is not None:
            lock_file.close()
        raise
    resumed.hold(lock_file)
    return resumed


def _stored_run(file: RecordFile, run: RunSnapshot) -> StoredRun | None:
    if not file.exists:
        return None
    return StoredRun.reopened(file.path) if run.status in UNFINISHED else StoredRun(run)


def _header(race_id: str, file: RecordFile, place: int) -> Mapping[str, Any]:
    """Return the header of a run, with the fields of a race that `bolt run` does not write."""
    places = {"lane": file.header.get("lane", place), "place": file.header.get("place", place)}
    recorded = file.header if file.exists else {}
    return {**recorded, **places, "run_id": file.run_id, "race_id": race_id}


def _check(race: StoredRace, runs: Mapping[Path, RunSnapshot]) -> None:
    """Raise a `ConfigError`, before any file is touched, if the race cannot continue."""
    race_id = race.race_id
    configs = [run.config for run in runs.values()]
    unfinished = {path: run for path, run in runs.items() if run.status in UNFINISHED}
    if not unfinished:
        raise ConfigError(f"race {race_id} has no unfinished run; start a copy of it")
    limits.check_live(configs)
    if not _installed(configs[0]):
        raise ConfigError(
            f"race {race_id} ran on {configs[0].benchmark[:40]!r}, which is not a benchmark here"
        )
    if any(len(run) and not _can_continue(path, run) for path, run in unfinished.items()):
        raise ConfigError(f"race {race_id} has no saved state to continue from; start a copy of it")


def _installed(config: RunConfig) -> bool:
    return config.benchmark in benchmarks.catalog()


def _can_continue(path: Path, run: RunSnapshot) -> bool:
    """Whether a run has a saved state, or ran so briefly that it may start again."""
    if last_state(path) is not None:
        return True
    try:
        started = datetime.fromisoformat(str((run.header or {}).get("started"))).timestamp()
    except ValueError:  # not written by this program
        return False
    return path.stat().st_mtime - started < BRIEF_SECONDS
