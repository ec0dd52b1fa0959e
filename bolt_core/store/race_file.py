"""The file of a race itself: which runs were announced, and who may change them.

    <race id>.race.json   {"kind": "race", "version": 1, "race_id": ..., "announced": ...,
                           "owner": {"salt": ..., "hash": ...},
                           "runs": [{"run_id": ..., "lane": 0, "place": 0, "config": {...}}, ...]}

It is written when a race is announced, before any run is prepared, and never changed. A run that
left no record is therefore known after a crash, and so is a race that was still queued. The file
is never exported. The token of the owner is not in it, only a salted hash. The process that runs
the race locks the file.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from bolt_core.common import files
from bolt_core.common.errors import BoltError, RecordError
from bolt_core.common.types import RunConfig
from bolt_core.store.ids import checked_id

SUFFIX = ".race.json"
VERSION = 1
LOCK_SECONDS = 0.5  # for which a race that is just ending may still hold its file
LOCK_POLL_SECONDS = 0.02
FORMAT_ERRORS = (BoltError, KeyError, TypeError, ValueError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run of a race as it was announced."""

    run_id: str
    lane: int
    place: int  # among the runs of the race
    config: RunConfig


@dataclass(frozen=True, slots=True)
class RaceFile:
    """An announced race."""

    race_id: str
    runs: tuple[PlannedRun, ...]
    announced: datetime  # UTC
    salt: str = ""
    owner: str | None = None  # hash of the owner's token; None: every user may change the race

    @staticmethod
    def announce(race_id: str, runs: tuple[PlannedRun, ...], token: str | None) -> RaceFile:
        """Return the file of a race that is announced now by the holder of `token`."""
        salt = secrets.token_hex(16)
        owner = None if token is None else owner_hash(token, salt)
        return RaceFile(race_id, runs, datetime.now(UTC), salt, owner)

    def owned_by(self, token: str | None) -> bool:
        """Whether the holder of this token may change the race."""
        if self.owner is None:
            return True
        return token is not None and hmac.compare_digest(self.owner, owner_hash(token, self.salt))


def owner_hash(token: str, salt: str) -> str:
    """Return the salted hash of an owner's token; tokens are random, so one round is enough."""
    return hashlib.sha256(f"{salt}:{token}".encode()).hexdigest()


def path_of(directory: Path, race_id: str) -> Path:
    """Return the path of the file of a race; it need not exist."""
    return directory / f"{checked_id(race_id, 'race_id')}{SUFFIX}"


def write(directory: Path, race: RaceFile) -> None:
    """Write the file of a race; an OSError if that is not possible."""
    content = {
        "kind": "race",
        "version": VERSION,
        "race_id": race.race_id,
        "announced": race.announced.isoformat(timespec="seconds"),
        "owner": None if race.owner is None else {"salt": race.salt, "hash": race.owner},
        "runs": [asdict(run) | {"config": run.config.to_json()} for run in race.runs],
    }
    text = json.dumps(content, allow_nan=False) + "\n"
    files.write_atomically(path_of(directory, race.race_id), text.encode())


def read(path: Path) -> RaceFile:
    """Read the file of a race; members that this version does not know are ignored."""
    try:
        content = json.loads(path.read_bytes())
        if content["kind"] != "race" or content["version"] > VERSION:
            raise RecordError(
                f"it is a {content['kind']} of version {content['version']}; this version of BOLT "
                f"reads races up to version {VERSION}"
            )
        race_id = checked_id(content["race_id"], "race_id")
        if path.name != f"{race_id}{SUFFIX}":
            raise RecordError(f"it is of race {race_id}")
        owner = content["owner"] or {"salt": "", "hash": None}
        return RaceFile(
            race_id,
            tuple(map(_planned_run, content["runs"])),
            datetime.fromisoformat(content["announced"]).astimezone(UTC),
            str(owner["salt"]),
            None if owner["hash"] is None else str(owner["hash"]),
        )
    except OSError as problem:
        raise RecordError(f"cannot read {path.name}: {problem.strerror}") from None
    except FORMAT_ERRORS as problem:
        raise RecordError(f"cannot read {path.name}: {problem}") from None


def belongs_to(directory: Path, race_id: str, token: str | None) -> bool:
    """Whether a race was announced in this folder by the holder of `token`."""
    try:
        race = read(path_of(directory, race_id))
    except RecordError:
        return False
    return race.owner is not None and race.owned_by(token)


def locked(directory: Path, race_id: str) -> IO[bytes] | None:
    """Lock the file of a race until the returned file is closed; None if there is no such file."""
    path = path_of(directory, race_id)
    deadline = time.monotonic() + LOCK_SECONDS
    try:
        file: IO[bytes] = path.open("rb")
    except OSError:
        return None
    while True:
        try:
            files.lock_record(file, path)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                file.close()
                raise RecordError(
                    f"race {race_id} is running, perhaps on another server; stop it there first"
                ) from None
            time.sleep(LOCK_POLL_SECONDS)
        else:
            return file


def _planned_run(content: Mapping[str, Any]) -> PlannedRun:
    return PlannedRun(
        run_id=checked_id(content["run_id"], "run_id"),
        lane=int(content["lane"]),
        place=int(content["place"]),
        config=RunConfig.from_json(content["config"]),
    )
