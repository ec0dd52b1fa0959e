"""Look at the problems of a server; everyone may. Deleting, restoring and tokens are here too."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bolt_core.common.errors import BoltError, RecordError, UnknownProblemError
from bolt_core.common.permissions import Permissions
from bolt_core.common.types import RunStatus
from bolt_core.online import wall_clock
from bolt_core.online.results import Best
from bolt_core.problems import problem_file
from bolt_core.problems.access import Access
from bolt_core.problems.caller import Caller
from bolt_core.problems.folder import ProblemFolder, Summary
from bolt_core.problems.limits import IDLE_SECONDS, MAX_OPEN_PROBLEMS
from bolt_core.problems.log_csv import log_csv
from bolt_core.problems.open_problem import OpenProblem
from bolt_core.problems.problem_file import ProblemFile, SaltedHash, new_token
from bolt_core.problems.problem_view import ProblemRow, ProblemView
from bolt_core.runs.race_snapshot import RaceSnapshot

RACE_PREFIX = "problem-"  # of the id under which charts know a problem
NO_PROBLEM = SaltedHash.of("")  # what a token is compared with if there is no problem


class StoredProblems:
    """The problems in one folder. Every method may be called from any thread."""

    def __init__(
        self,
        directory: Path,
        permissions: Permissions,
        now: Callable[[], datetime] = wall_clock.utc_now,
    ) -> None:
        """`directory` holds one folder per problem; it is created when it is needed."""
        self._folder, self._access = ProblemFolder(directory), Access(permissions)
        self._now = now
        self._lock = threading.Lock()  # guards _opened
        self._opened: dict[str, OpenProblem] = {}
        self._folder.tidy(now().timestamp())

    def ids(self) -> list[str]:
        """Return the ids of all problems, the newest first."""
        return self._folder.ids()

    def rows(self, by: Caller) -> list[ProblemRow]:
        """Return the list of problems, the last changed first; it never waits for a problem."""
        rows = []
        for id in self.ids():
            try:
                rows.append(self._row(self._file(id), by))
            except (RecordError, UnknownProblemError) as problem:
                now = self._now()
                error = str(problem)
                rows.append(
                    ProblemRow(id, id, (), "", 0, now, now, False, False, False, error=error)
                )
        return sorted(rows, key=lambda row: row.changed, reverse=True)

    def view(self, id: str) -> ProblemView:
        """Return the problem as it is now; an UnknownProblemError if there is none of that id.

        It is built once per version. While another call computes, the last view is returned, so
        that viewers neither wait for tells nor hold them up.
        """
        return self._open(id).view()

    def best(self, id: str) -> Best:
        """Return the best setting now, with mean and standard deviation; as `Bolt.best`."""
        return self._open(id).read(lambda opt: opt.best(wall_clock.present(opt, self._now())))

    def snapshot(self, id: str) -> RaceSnapshot | None:
        """Return the problem as a race of one run, for charts; None if it cannot be shown."""
        try:
            view = self.view(id)
        except BoltError:
            return None
        run = view.run
        return RaceSnapshot(f"{RACE_PREFIX}{id}", RunStatus.RUNNING, (run,), run.end)

    def find_race(self, race_id: str) -> RaceSnapshot | None:
        """Return the problem that charts know under this id; None for any other race."""
        id = race_id.removeprefix(RACE_PREFIX)
        return self.snapshot(id) if race_id.startswith(RACE_PREFIX) else None

    def journal(self, id: str) -> bytes:
        """Return the journal, which `Bolt.load` and `import_file` read."""
        path = self._folder.path(id)
        try:
            return (path / self._open(id).journal.name).read_bytes()
        except OSError as problem:
            raise RecordError(f"the journal cannot be read: {problem.strerror}") from None

    def log_csv(self, id: str) -> bytes:
        """Return the log as CSV with times in UTC; texts cannot start a formula."""
        return log_csv(self.view(id))

    def problem_toml(self, id: str) -> str:
        """Return the problem file."""
        return self.view(id).spec.to_toml()

    def may_change(self, id: str, by: Caller) -> bool:
        """Whether this caller may change the problem."""
        return self._access.may_change(self._file(id), by)

    def check(self, id: str, by: Caller) -> None:
        """Raise an error unless there is such a problem and this caller may change it."""
        self._access.check(self._file(id), by)

    def opens(self, id: str, by: Caller) -> bool:
        """Whether there is such a problem and this caller may change it.

        It takes as long for a problem that does not exist as for one of another token.
        """
        try:
            problem = self._file(id)
        except BoltError:
            problem = ProblemFile("none", self._now(), None, NO_PROBLEM)
            self._access.may_change(problem, by)
            return False
        return self._access.may_change(problem, by)

    def renew_token(self, id: str, by: Caller) -> str:
        """Return a new token for HTTP; the old one opens nothing any more."""
        self.check(id, by)
        token = new_token()
        problem = replace(self._file(id), token=SaltedHash.of(token))
        try:
            problem_file.write(self._folder.path(id), problem)
        except OSError as reason:
            raise RecordError(f"the token cannot be stored: {reason.strerror}") from None
        return token

    def delete(self, id: str, by: Caller) -> None:
        """Move the problem into the trash, where it stays for a day."""
        self.check(id, by)
        with self._open(id).deleting():
            self._folder.delete(id)
        with self._lock:
            self._opened.pop(id, None)

    def restore(self, id: str, by: Caller) -> None:
        """Move a deleted problem back."""
        self._access.check(self._folder.deleted(id), by)
        self._folder.restore(id)

    def deleted(self, by: Caller) -> list[str]:
        """Return the ids of the problems in the trash that this caller may restore."""
        problems = [self._folder.deleted(id) for id in self._folder.deleted_ids()]
        return [problem.id for problem in problems if self._access.may_change(problem, by)]

    def is_running(self, id: str) -> bool:  # noqa: ARG002
        """Whether the simulated plant of this problem is running."""
        return False

    def shutdown(self) -> None:
        """Sync and release every journal."""
        with self._lock:
            opened = list(self._opened.values())
        for problem in opened:
            problem.close()

    def _file(self, id: str) -> ProblemFile:
        return problem_file.read(self._folder.path(id))

    def _row(self, problem: ProblemFile, by: Caller) -> ProblemRow:
        yours, running = self._access.may_change(problem, by), self.is_running(problem.id)
        summary, error = Summary(problem.id, (), "", 0, problem.created), None
        try:
            summary = self._folder.summary(problem.id)
        except RecordError as reason:
            error = str(reason)
        return ProblemRow(
            problem.id,
            summary.name,
            summary.knobs,
            summary.outcome,
            summary.measurements,
            problem.created.astimezone(UTC),
            summary.changed,
            yours,
            problem.plant is not None,
            running,
            error,
        )

    def _open(self, id: str) -> OpenProblem:
        """Return a problem of this folder; one that was not used for long is closed."""
        folder = self._folder.path(id)
        with self._lock:
            problem = self._opened.get(id)
            if problem is None:
                problem = self._opened[id] = OpenProblem(folder)
            problem.used = time.monotonic()
            idle = [other for other in self._idle() if other is not problem]
        for other in idle:
            other.close_if_idle()
        return problem

    def _idle(self) -> list[OpenProblem]:
        """Return the problems to be closed: unused for long, or beyond the number in memory."""
        now = time.monotonic()
        opened = [problem for problem in self._opened.values() if problem.is_open]
        opened.sort(key=lambda problem: problem.used, reverse=True)
        old = [p for p in opened[:MAX_OPEN_PROBLEMS] if now - p.used > IDLE_SECONDS]
        return [*old, *opened[MAX_OPEN_PROBLEMS:]]
