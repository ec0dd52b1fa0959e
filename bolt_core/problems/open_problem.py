"""One problem of a server: its optimizer, opened when it is first needed, behind a lock.

An error of the caller leaves the optimizer as it was. After any other error, such as a full disk,
the optimizer is dropped with what it could not write, and read again from its journal by the next
call: so memory never has what the journal has not, and a call that failed has stored nothing.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from bolt_core.common.errors import (
    BusyError,
    ConfigError,
    DamagedProblemError,
    FileInUseError,
    LimitError,
    RecordError,
    UnknownNameError,
    UnknownProblemError,
)
from bolt_core.online import wall_clock
from bolt_core.online.optimizer import OnlineOptimizer
from bolt_core.online.saved_record import DamagedFileError
from bolt_core.problems import problem_file
from bolt_core.problems.limits import (
    MAX_COMPUTING,
    MAX_THINK_SECONDS,
    MAX_WAIT_SECONDS,
    MAX_WAITING_CALLS,
)
from bolt_core.problems.problem_view import PendingSetting, ProblemView
from bolt_core.problems.view_building import built_view

JOURNAL = "journal.jsonl"
MAX_ASK_KEYS = 256  # remembered per problem
VIEW_WAIT_SECONDS = 0.2  # for a call that computes, before the view before it is returned

COMPUTING = threading.BoundedSemaphore(MAX_COMPUTING)
T = TypeVar("T")


class AskKeys:
    """The newest asks by the keys that callers gave them."""

    def __init__(self) -> None:
        self._asks: OrderedDict[str, PendingSetting] = OrderedDict()

    def __contains__(self, key: str) -> bool:
        return key in self._asks

    def __getitem__(self, key: str) -> PendingSetting:
        return self._asks[key]

    def add(self, key: str, ask: PendingSetting) -> None:
        """Remember an ask."""
        self._asks[key] = ask
        if len(self._asks) > MAX_ASK_KEYS:
            self._asks.popitem(last=False)


class OpenProblem:
    """A problem in its folder. Every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.id = folder, folder.name
        self.used = time.monotonic()
        self.version = 0  # grows with every change
        self._revision = 0  # grows when earlier passes change, so that charts are drawn anew
        self._lock = threading.RLock()
        self._waiting = 0
        self._count = threading.Lock()  # guards _waiting
        self._opt: OnlineOptimizer | None = None
        self._view: ProblemView | None = None
        self._changed = datetime.fromtimestamp(0, UTC)
        self._deleted = False
        self.ask_keys = AskKeys()

    @property
    def journal(self) -> Path:
        """The file with everything that was asked for and told."""
        return self.folder / JOURNAL

    @property
    def is_open(self) -> bool:
        """Whether its optimizer is in memory."""
        return self._opt is not None

    def change(self, step: Callable[[OnlineOptimizer], T], *, revises: bool = False) -> T:
        """Return what `step` returns; it may change the optimizer.

        With `revises`, it changes passes that were made before.
        """
        with self._alone(), self._computing():
            opt = self._opened()
            try:
                outcome = step(opt)
            except (ConfigError, UnknownNameError, LimitError):
                raise  # an error of the caller, who has changed nothing
            except (RecordError, OSError) as problem:
                self._drop()
                raise self._named(problem) from None
            except BaseException:
                self._drop()
                raise
            self.version += 1
            self._revision += revises
            self._changed = wall_clock.utc_now()
            return outcome

    def read(self, look: Callable[[OnlineOptimizer], T]) -> T:
        """Return what `look` returns, which changes nothing."""
        with self._alone(), self._computing():
            return look(self._opened())

    def view(self) -> ProblemView:
        """Return the view of the present version; while a call computes, the last view."""
        view = self._view
        if view is not None and view.version == self.version:
            return view
        if view is not None:
            if not self._lock.acquire(timeout=VIEW_WAIT_SECONDS):
                return view
            self._lock.release()
        with self._alone():
            view = self._view
            if view is None or view.version != self.version:
                view = self._view = self._built()
            return view

    def close(self) -> None:
        """Sync and release the journal; the next call opens it again."""
        with self._lock:
            opt, self._opt = self._opt, None
            if opt is not None:
                with suppress(OSError):  # the sync thread has written it before
                    opt.close()

    def close_if_idle(self) -> bool:
        """Close it unless a call uses it; return whether it is closed."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            self.close()
            return True
        finally:
            self._lock.release()

    @contextmanager
    def deleting(self) -> Iterator[None]:
        """Close the problem, and let no call open it again if the block succeeds."""
        with self._alone():
            with suppress(RecordError):  # a damaged problem can be deleted
                self._opened()  # another process that uses it is reported
            self.close()
            yield
            self._deleted = True

    def _built(self) -> ProblemView:
        opt = self._opened()
        now = wall_clock.present(opt, wall_clock.utc_now())
        suffix = f".{self._revision}" if self._revision else ""
        return built_view(
            opt,
            problem_file.read(self.folder),
            now,
            version=self.version,
            run_id=f"{self.id}{suffix}",
            changed=self._changed,
        )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for the calls before this one; a BusyError if there are many, or it takes long."""
        with self._count:
            if self._waiting >= MAX_WAITING_CALLS:
                raise BusyError(f"{MAX_WAITING_CALLS} calls of this problem wait already")
            self._waiting += 1
        try:
            acquired = self._lock.acquire(timeout=MAX_WAIT_SECONDS)
        finally:
            with self._count:
                self._waiting -= 1
        if not acquired:
            raise BusyError(f"a call of this problem takes longer than {MAX_WAIT_SECONDS:g} s")
        try:
            self.used = time.monotonic()
            yield
        finally:
            self.used = time.monotonic()
            self._lock.release()

    @contextmanager
    def _computing(self) -> Iterator[None]:
        """Wait until fewer than MAX_COMPUTING calls of all problems compute."""
        if not COMPUTING.acquire(timeout=MAX_WAIT_SECONDS):
            raise BusyError("this server is busy with other problems")
        try:
            yield
        finally:
            COMPUTING.release()

    def _opened(self) -> OnlineOptimizer:
        if self._opt is None:
            if self._deleted:
                raise UnknownProblemError(f"problem {self.id} was deleted")
            try:
                self._opt = OnlineOptimizer.open(self.journal)
                self._changed = datetime.fromtimestamp(self.journal.stat().st_mtime, UTC)
            except FileInUseError as problem:
                raise BusyError(
                    f"problem {self.id} is open in another server or program{problem.holder}; use "
                    "it there, or stop that first"
                ) from None
            except DamagedFileError as problem:
                raise self._damaged(problem.reason) from None
            except (RecordError, OSError) as problem:
                if not self.journal.exists():
                    raise self._damaged("its journal is missing") from None
                raise self._named(problem) from None
            self._opt.max_think_seconds = MAX_THINK_SECONDS
            self.version += 1
        return self._opt

    def _drop(self) -> None:
        """Forget the optimizer with what it could not write."""
        opt, self._opt = self._opt, None
        self.version += 1
        if opt is not None:
            opt.abandon()

    def _damaged(self, reason: str) -> DamagedProblemError:
        """Return the error of a journal that no repeated call can read."""
        reason = reason.replace(str(self.journal), "its journal")
        return DamagedProblemError(
            f"problem {self.id} cannot be read: {reason}; put a copy of its journal into its "
            "folder on the server, or delete it"
        )

    def _named(self, problem: RecordError | OSError) -> RecordError:
        """Return an error about a file without the names of folders on this server."""
        reason = getattr(problem, "strerror", None) or str(problem)
        reason = reason.replace(str(self.journal), f"problem {self.id}")
        return RecordError(reason.replace(f"{self.folder}/", ""))
