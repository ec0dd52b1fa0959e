"""A campaign run by a server: one at a time, in a process of its own that ends with the server.

The process is `bolt campaign run NAME`; it is told to stop as by Ctrl-C, so that runs that are done
are kept, and ended with its workers if it does not. What it says goes into the campaign's folder.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.common.errors import BoltError
from bolt_core.runs import duration_estimate

LOG = "run.log"
ENOUGH = 3  # runs: the first waits for its worker to get ready
PATIENCE = 8.0  # seconds to stop in good order


@dataclass(frozen=True, slots=True)
class Job:
    """A campaign under way, or the last one that was."""

    name: str
    owner: str | None
    process: subprocess.Popen[bytes] = field(repr=False)
    began: float  # monotonic seconds
    before: frozenset[str]  # runs that were finished already

    @property
    def running(self) -> bool:
        return self.process.poll() is None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a campaign has come; `left` in seconds, None: too early to tell."""

    runs: int
    finished: int
    failed: int
    seconds_left: float | None = None


class Background:
    """The one place a server runs campaigns from."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._job: Job | None = None

    @property
    def job(self) -> Job | None:
        return self._job

    def start(self, name: str, owner: str | None, workers: int | None = None) -> Job:
        """Begin, or go on with, a campaign or a preset of that name."""
        with self._lock:
            if self._job is not None and self._job.running:
                raise BoltError(f"{self._job.name} is running; stop it first, or wait for its end")
            found = campaigns.load(name, presets=True)
            if found.running:
                raise BoltError(f"{name} is being run by another process; choose it to follow it")
            done = {key for key, s in found.states().items() if s == State.FINISHED}
            count = _workers(found) if workers is None else workers
            process = _begin(found.folder, name, count)
            self._job = Job(name, owner, process, time.monotonic(), frozenset(done))
            return self._job

    def stop(self, by: str | None) -> None:
        """As by Ctrl-C, and without waiting for its end; only for who started it."""
        job = self._job
        if job is None or not job.running:
            return
        if job.owner != by:
            raise BoltError(f"{job.name} was started by somebody else, who may stop it")
        threading.Thread(target=end, args=(job.process,), daemon=True).start()

    def shutdown(self) -> None:
        """The server goes down."""
        if self._job is not None:
            end(self._job.process)


def progress(
    found: Campaign, states: Mapping[str, State], job: Job | None, now: float | None = None
) -> Progress:
    """From the states alone; the time left from what the runs so far were foretold to take."""
    kinds = list(states.values())
    told = Progress(len(kinds), kinds.count(State.FINISHED), kinds.count(State.FAILED))
    if job is None or not job.running or job.name != found.plan.name:
        return told
    fresh = [k for k, s in states.items() if s == State.FINISHED and k not in job.before]
    rest = [k for k, s in states.items() if s != State.FINISHED]
    spent = (time.monotonic() if now is None else now) - job.began
    done, ahead = _foretold(found, fresh), _foretold(found, rest)
    left = spent * ahead / done if len(fresh) >= ENOUGH else None
    return Progress(told.runs, told.finished, told.failed, left)


def end(process: subprocess.Popen[bytes]) -> None:
    """In good order, or else with all its workers."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):  # the group is named after its first process
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def last_log_line(found: Campaign) -> str:
    """What the process said last, for one that ended too soon."""
    try:
        lines = (found.folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _begin(folder: Path, name: str, workers: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "bolt_core.cli", "campaign", "run", name]
    here = str(Path(__file__).parents[2])  # this very package, wherever it was started
    others = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([here, others] if others else [here])
    with (folder / LOG).open("wb") as log:
        return subprocess.Popen(  # a session of its own: Ctrl-C in the terminal is for the server
            [*command, "--workers", str(workers)],
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _workers(found: Campaign) -> int:
    """All cores but the server's; one for runs on the wall clock, which others would slow."""
    alone = any(c.clock.kind == "wall" for c in found.pending())
    return 1 if alone else max((os.cpu_count() or 2) - 1, 1)


def _foretold(found: Campaign, keys: Sequence[str]) -> float:
    return sum(duration_estimate.cpu_seconds(found.configs[key]) for key in keys)
