"""The folder of all problems: one folder each, new ones, deleted ones, and a list without opening.

<id>/problem.json, <id>/journal.jsonl     a problem
.new-<id>/                                one that is being created
trash/<id>/                               one that was deleted less than a day ago
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bolt_core.common.errors import BoltError, RecordError, UnknownProblemError
from bolt_core.online import journal
from bolt_core.problems import problem_file
from bolt_core.problems.open_problem import JOURNAL
from bolt_core.problems.problem_file import ProblemFile
from bolt_core.store import records
from bolt_core.store.ids import checked_id, is_valid_id
from bolt_core.store.trash import TRASH_FOLDER, empty_trash

NEW = ".new-"
ABANDONED_SECONDS = 3600.0  # after which a folder of a problem that is being created is removed


class Summary(NamedTuple):
    """What the list shows of a problem."""

    name: str
    knobs: tuple[str, ...]
    outcome: str
    measurements: int
    changed: datetime  # UTC


class ProblemFolder:
    """The problems on disk. Every method may be called from any thread."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._summaries: dict[str, tuple[tuple[int, int], Summary]] = {}

    def ids(self) -> list[str]:
        """Return the ids of all problems, the newest first."""
        with suppress(OSError):
            names = [path.name for path in self.directory.iterdir() if self._is_problem(path)]
            return sorted(names, reverse=True)
        return []

    def path(self, id: str) -> Path:
        """Return the folder of a problem; an UnknownProblemError if there is none of that id."""
        if is_valid_id(id) and self._is_problem(path := self.directory / id):
            return path
        raise UnknownProblemError(f"there is no problem {str(id)[:64]!r} on this server")

    @staticmethod
    def _is_problem(path: Path) -> bool:
        return path.name != TRASH_FOLDER and (path / problem_file.NAME).is_file()

    @contextmanager
    def creating(self, id: str) -> Iterator[Path]:
        """Yield a folder for a new problem, which appears as a whole if the block succeeds."""
        temporary = self.directory / f"{NEW}{checked_id(id)}"
        try:
            temporary.mkdir(parents=True)
            yield temporary
            temporary.replace(self.directory / id)
        except BaseException as problem:
            shutil.rmtree(temporary, ignore_errors=True)
            if isinstance(problem, OSError) and not isinstance(problem, BoltError):
                raise RecordError(f"cannot store the problem: {problem.strerror}") from None
            raise

    def summary(self, id: str) -> Summary:
        """Return what the list shows of a problem, from the beginning and end of its journal."""
        path = self.path(id) / JOURNAL
        try:
            stat = path.stat()
            stamp = stat.st_size, stat.st_mtime_ns
            cached = self._summaries.get(id)
            if cached is None or cached[0] != stamp:
                cached = self._summaries[id] = (stamp, _summary(path, stat.st_mtime))
        except OSError as problem:
            raise RecordError(f"its journal: {problem.strerror}") from None
        except (LookupError, TypeError, ValueError) as problem:
            reason = str(getattr(problem, "reason", problem)).replace(str(path), "its journal")
            raise RecordError(reason) from None
        return cached[1]

    def delete(self, id: str) -> None:
        """Move a problem into the trash, where it stays for a day."""
        source, target = self.path(id), self._in_trash(id)
        try:
            target.parent.mkdir(exist_ok=True)
            os.utime(source)  # the day begins now
            source.replace(target)
        except OSError as problem:
            raise RecordError(f"cannot delete problem {id}: {problem.strerror}") from None
        self._summaries.pop(id, None)

    def restore(self, id: str) -> None:
        """Move a problem back from the trash."""
        self.deleted(id)
        try:
            self._in_trash(id).rename(self.directory / id)
        except OSError as problem:
            raise RecordError(f"cannot restore problem {id}: {problem.strerror}") from None

    def deleted(self, id: str) -> ProblemFile:
        """Return the file of a deleted problem; an UnknownProblemError if there is none."""
        if not is_valid_id(id) or not self._is_problem(self._in_trash(id)):
            raise UnknownProblemError(f"there is no problem {str(id)[:64]!r} in the trash")
        return problem_file.read(self._in_trash(id))

    def deleted_ids(self) -> list[str]:
        """Return the ids of the problems in the trash."""
        with suppress(OSError):
            folders = (self.directory / TRASH_FOLDER).iterdir()
            return sorted((p.name for p in folders if self._is_problem(p)), reverse=True)
        return []

    def tidy(self, now: float) -> None:
        """Remove what was deleted a day ago, and what a killed server left half-created.

        `now` is in seconds since the epoch.
        """
        empty_trash(self.directory, now)
        for path in self.directory.glob(f"{NEW}*"):
            with suppress(OSError):
                if now - path.stat().st_mtime > ABANDONED_SECONDS:
                    shutil.rmtree(path, ignore_errors=True)

    def _in_trash(self, id: str) -> Path:
        return self.directory / TRASH_FOLDER / checked_id(id)


def _summary(path: Path, changed: float) -> Summary:
    header, state = records.read_header(path), journal.last_state(path)
    knobs = tuple(str(knob["name"]) for knob in header["knobs"])
    problem = header["problem"]
    outcome = str(problem.get("maximize") or problem.get("minimize"))
    count = _rows(path) if state is None else int(state["i"])
    time = datetime.fromtimestamp(changed, UTC)
    return Summary(str(header["label"]), knobs, outcome, count, time)


def _rows(path: Path) -> int:
    """Return the observations of a journal without a complete state; those can be read back."""
    with path.open("rb") as lines:
        return sum(line.startswith(journal.ITERATION.lstrip()) for line in lines)
