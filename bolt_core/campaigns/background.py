"""Run campaigns from a server: one at a time, in a subprocess that ends with the server.

It also ends if the server is killed (parent_watch). The subprocess is `bolt campaign run NAME`. It
is stopped by SIGINT, like Ctrl-C, so that finished runs are kept, and killed with its workers if it
does not end. Its output goes to a log file in the campaign's folder.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns import parent_watch
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.campaigns.expected_time import default_workers
from bolt_core.common import processes
from bolt_core.common.errors import BoltError, NotYoursError
from bolt_core.common.permissions import Permissions
from bolt_core.runs import duration_estimate, limits

LOG_FILE = "run.log"
MIN_RUNS_FOR_ESTIMATE = 3  # the first run includes the start of its worker
STOP_SECONDS = 8.0  # before the process is killed


@dataclass(frozen=True, slots=True)
class Job:
    """The campaign that runs, or the last one that did."""

    name: str
    owner: str | None
    process: subprocess.Popen[bytes] = field(repr=False)
    started_at: float  # monotonic seconds
    finished_before: frozenset[str]  # keys of runs

    @property
    def running(self) -> bool:
        """Whether the process has not ended."""
        return self.process.poll() is None


@dataclass(frozen=True, slots=True)
class Progress:
    """The counts of finished and failed runs, and the seconds left if these can be estimated."""

    runs: int
    finished: int
    failed: int
    seconds_left: float | None = None


class Background:
    """Starts and stops campaigns; a server has one."""

    def __init__(self, permissions: Permissions | None = None) -> None:
        self._permissions = permissions or Permissions(shared=True)
        self._lock = threading.Lock()
        self._job: Job | None = None

    @property
    def job(self) -> Job | None:
        """The campaign that runs, or the last one that did."""
        return self._job

    def start(
        self, name: str, owner: str | None, workers: int | None = None, *, confirmed: bool = False
    ) -> Job:
        """Start or continue the campaign or preset of that name.

        Raises a `LimitError` if it would compute for longer than a visitor's may; the operator's
        is a `ConfirmationError`, which is not raised if the request is `confirmed`.
        """
        self._permissions.check_token(owner)
        with self._lock:
            if (job := self._job) is not None and job.running:
                raise BoltError(f"{job.name} is running; stop it first, or wait until it ends")
            campaign = campaigns.load(name, presets=True)
            if campaign.running:
                raise BoltError(f"{name} is being run by another process; choose it to follow it")
            finished = {key for key, s in campaign.states().items() if s == State.FINISHED}
            exceeded = limits.exceeded_cpu(campaign.pending())
            self._permissions.check_limits(owner, exceeded, confirmed=confirmed)
            count = default_workers(campaign.pending()) if workers is None else workers
            if self._job is not None:
                _close_pipe(self._job.process)
            process = _start_process(campaign.folder, name, count)
            self._job = Job(name, owner, process, time.monotonic(), frozenset(finished))
            return self._job

    def stop(self, by: str | None) -> None:
        """Interrupt the campaign without waiting for its end."""
        job = self._job
        if job is None or not job.running:
            return
        if not self.may_stop(by):
            raise NotYoursError(
                f"{job.name} was started by another user; its owner or the operator can stop it"
            )
        threading.Thread(target=end, args=(job.process,), daemon=True).start()

    def may_stop(self, token: str | None) -> bool:
        """Whether this token is that of the campaign's owner or of the operator."""
        job = self._job
        return job is not None and (job.owner == token or self._permissions.is_operator(token))

    def shutdown(self) -> None:
        """End the campaign with the server."""
        if self._job is not None:
            end(self._job.process)


def progress(
    campaign: Campaign, states: Mapping[str, State], job: Job | None, now: float | None = None
) -> Progress:
    """Return the progress of a campaign.

    The time left follows from how long the job took for runs with known estimates.
    """
    finished = {key for key, state in states.items() if state == State.FINISHED}
    counts = len(states), len(finished), list(states.values()).count(State.FAILED)
    if job is None or not job.running or job.name != campaign.plan.name:
        return Progress(*counts)
    if len(by_job := finished - job.finished_before) < MIN_RUNS_FOR_ESTIMATE:
        return Progress(*counts)
    elapsed = (time.monotonic() if now is None else now) - job.started_at
    ahead = _estimated_seconds(campaign, states.keys() - finished)
    return Progress(*counts, elapsed * ahead / _estimated_seconds(campaign, by_job))


def end(process: subprocess.Popen[bytes]) -> None:
    """Interrupt a process; kill it and its workers if it does not end in time."""
    if process.poll() is not None:
        _close_pipe(process)
        return
    processes.interrupt(process)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        processes.kill_group(process)
        process.wait()
    _close_pipe(process)


def _close_pipe(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def last_log_line(campaign: Campaign) -> str:
    """Return the last output of the process, which explains an unexpected end."""
    try:
        log = (campaign.folder / LOG_FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return log.strip().splitlines()[-1].strip() if log.strip() else ""


def _start_process(folder: Path, name: str, workers: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "bolt_core.cli", "campaign", "run", name]
    root = str(Path(__file__).parents[2])  # of this package, from whatever folder it is started
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    with (folder / LOG_FILE).open("wb") as log:
        return subprocess.Popen(
            [*command, "--workers", str(workers)],
            env=os.environ | {"PYTHONPATH": path} | parent_watch.environment(),
            stdin=subprocess.PIPE,  # never written to: it ends when this process does
            stdout=log,
            stderr=subprocess.STDOUT,
            **processes.in_own_group(),  # Ctrl-C in the terminal reaches the server only
        )


def _estimated_seconds(campaign: Campaign, keys: Collection[str]) -> float:
    return sum(duration_estimate.cpu_seconds(campaign.configs[key]) for key in keys)
