"""The file `problem.json` of a problem: who may change it, and since when it exists.

    {"kind": "problem", "version": 1, "id": ..., "created": ...,
     "owner": {"salt": ..., "hash": ...}, "token": {"salt": ..., "hash": ...},
     "plant": {"seed": 0, "began": ...}, "notes": [...]}

Neither the cookie of the owner nor the bearer token is in it, only salted hashes. Everything else
about the problem is in its journal.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bolt_core.common import files
from bolt_core.common.errors import RecordError
from bolt_core.store.ids import checked_id
from bolt_core.store.race_file import FORMAT_ERRORS, owner_hash

NAME = "problem.json"
VERSION = 1
TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class SaltedHash:
    """A token that can be recognised, but not read."""

    salt: str
    hash: str

    @staticmethod
    def of(token: str) -> SaltedHash:
        """Return the salted hash of a token."""
        salt = secrets.token_hex(16)
        return SaltedHash(salt, owner_hash(token, salt))

    def matches(self, token: str | None) -> bool:
        """Whether it is of this token; takes the same time for every token."""
        return hmac.compare_digest(self.hash, owner_hash(token or "", self.salt))


@dataclass(frozen=True, slots=True)
class SimulatedPlant:
    """The simulated plant that measures a problem."""

    seed: int
    began: datetime  # UTC: second 0 of the plant


@dataclass(frozen=True, slots=True)
class ProblemFile:
    """What is stored of a problem besides its journal."""

    id: str
    created: datetime  # UTC
    owner: SaltedHash | None  # None: no visitor of the pages, only the bearer and the operator
    token: SaltedHash
    plant: SimulatedPlant | None = None
    notes: tuple[str, ...] = ()

    def owned_by(self, cookie: str | None) -> bool:
        """Whether the visitor with this cookie created it."""
        return cookie is not None and self.owner is not None and self.owner.matches(cookie)


def new_token() -> str:
    """Return a random bearer token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def write(folder: Path, problem: ProblemFile) -> None:
    """Write the file of a problem; an OSError if that is not possible."""
    plant = problem.plant
    content = {
        "kind": "problem",
        "version": VERSION,
        "id": problem.id,
        "created": problem.created.isoformat(),
        "owner": None if problem.owner is None else _hash_json(problem.owner),
        "token": _hash_json(problem.token),
        "plant": None if plant is None else {"seed": plant.seed, "began": plant.began.isoformat()},
        "notes": list(problem.notes),
    }
    text = json.dumps(content, allow_nan=False) + "\n"
    files.write_atomically(folder / NAME, text.encode())


def read(folder: Path) -> ProblemFile:
    """Read the file of a problem; members that this version does not know are ignored.

    Its id is the name of its folder, so that a copy of a folder is a problem of its own.
    """
    try:
        content = json.loads((folder / NAME).read_bytes())
        if content["kind"] != "problem" or content["version"] > VERSION:
            raise RecordError(f"it is a {content['kind']} of version {content['version']}")
        plant = content.get("plant")
        return ProblemFile(
            checked_id(folder.name),
            _time(content["created"]),
            None if content["owner"] is None else _hash(content["owner"]),
            _hash(content["token"]),
            None if plant is None else SimulatedPlant(int(plant["seed"]), _time(plant["began"])),
            tuple(str(note) for note in content.get("notes", ())),
        )
    except OSError as problem:
        raise RecordError(f"{NAME}: {problem.strerror}") from None
    except FORMAT_ERRORS as problem:
        raise RecordError(f"{NAME}: {problem}") from None


def _hash_json(token: SaltedHash) -> dict[str, str]:
    return {"salt": token.salt, "hash": token.hash}


def _hash(content: Mapping[str, Any]) -> SaltedHash:
    return SaltedHash(str(content["salt"]), str(content["hash"]))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
