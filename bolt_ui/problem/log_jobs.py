"""Analyses of logs in the background, shared by all pages; nothing here knows Streamlit.

A log is read and analysed by one thread, one log at a time. Files and results are kept in memory
for the last few logs only: a log that was dropped has to be brought again.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from bolt_core.charts.worker import LatestJobWorker
from bolt_core.common.errors import BoltError
from bolt_core.common.text import sentence
from bolt_core.logs.log import Log, Roles
from bolt_core.logs.verdict import Verdict

MAX_LOGS = 12  # kept
MAX_BYTES = 200_000_000  # of all files kept
log = logging.getLogger(__name__)


class Phase(StrEnum):
    """How far an analysis is."""

    QUEUED = "waiting"
    READING = "reading the file"
    ANALYSING = "comparing models with and without time"
    DONE = "done"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Whether nothing will change any more."""
        return self in (Phase.DONE, Phase.FAILED)


@dataclass(frozen=True, slots=True)
class LogJob:
    """One analysis as it is now; immutable."""

    key: str
    name: str  # of the file
    data: bytes
    roles: Roles | None = None  # those that the visitor chose; None: guessed
    phase: Phase = Phase.QUEUED
    log: Log | None = None
    verdict: Verdict | None = None
    error: str | None = None
    began: float = 0.0  # monotonic seconds

    @property
    def seconds(self) -> float:
        """Seconds since the file was brought."""
        return time.monotonic() - self.began


Read = Callable[[bytes, str, Roles | None], Log]


def _read(data: bytes, name: str, roles: Roles | None) -> Log:
    from bolt_core.logs.reading import read_log  # when it is needed: it loads pandas

    return read_log(data, name, roles)


def _analyse(log: Log) -> Verdict:
    from bolt_core.logs.analysis import analyse

    return analyse(log)


class LogJobs:
    """The analyses of a server. Every method may be called from any thread."""

    def __init__(self, read: Read = _read, analyse: Callable[[Log], Verdict] = _analyse) -> None:
        self._read, self._analyse = read, analyse
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, LogJob] = OrderedDict()
        self._worker: LatestJobWorker[str, str] = LatestJobWorker("bolt-logs", self._run)

    def start(self, data: bytes, name: str, roles: Roles | None = None) -> str:
        """Queue the analysis of a file; return its key, which cannot be guessed."""
        key = secrets.token_hex(8)
        with self._lock:
            self._jobs[key] = LogJob(key, name, data, roles, began=time.monotonic())
            self._drop_oldest()
        with self._worker.lock:
            self._worker.put(key, key)
        return key

    def get(self, key: str) -> LogJob | None:
        """Return an analysis as it is now; None if it is not known any more."""
        with self._lock:
            return self._jobs.get(key)

    def shutdown(self) -> None:
        """Start no further analysis, and wait a short time for the present one."""
        self._worker.shutdown()

    def _run(self, key: str) -> None:
        job = self.get(key)
        if job is None:
            return
        try:
            self._put(replace(job, phase=Phase.READING))
            read = self._read(job.data, job.name, job.roles)
            self._put(replace(job, phase=Phase.ANALYSING, log=read))
            verdict = self._analyse(read)
            self._put(replace(job, phase=Phase.DONE, log=read, verdict=verdict))
        except BoltError as problem:
            self._fail(key, sentence(str(problem)))
        except Exception:
            log.exception("the analysis of a log failed")
            self._fail(key, "This log could not be analysed; the log of the server says why.")

    def _fail(self, key: str, reason: str) -> None:
        job = self.get(key)
        if job is not None:
            self._put(replace(job, phase=Phase.FAILED, error=reason))

    def _put(self, job: LogJob) -> None:
        with self._lock:
            if job.key in self._jobs:
                self._jobs[job.key] = job

    def _drop_oldest(self) -> None:
        def too_much() -> bool:
            size = sum(len(job.data) for job in self._jobs.values())
            return len(self._jobs) > MAX_LOGS or size > MAX_BYTES

        while len(self._jobs) > 1 and too_much():
            self._jobs.popitem(last=False)
