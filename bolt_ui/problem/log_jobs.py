"""Analyses of logs in the background, shared by all pages; nothing here knows Streamlit.

A log is read and analysed by one thread, one log at a time. Files and results are kept in memory
for the last few logs only: a log that was dropped has to be brought again.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from bolt_core.charts.worker import LatestJobWorker
from bolt_core.common.errors import BoltError
from bolt_core.common.text import sentence

if TYPE_CHECKING:
    from bolt_core.logs.advice import Advice
    from bolt_core.logs.guessing import Overrides
    from bolt_core.logs.log import Log
    from bolt_core.logs.verdict import Verdict

MAX_LOGS = 12  # kept
NO_THINKING = (0.0, 0.0, 0.0, 0.0)
MAX_BYTES = 200_000_000  # of all files kept
log = logging.getLogger(__name__)


class Phase(StrEnum):
    """How far an analysis is."""

    QUEUED = "Starting, or waiting for another log"
    READING = "Reading the file"
    ANALYSING = "Comparing models with and without time"
    DONE = "Done"
    FAILED = "Failed"

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
    given: Overrides | None = None  # roles that the visitor chose; None: all are guessed
    example: bool = False  # it came with BOLT
    phase: Phase = Phase.QUEUED
    headings: tuple[str, ...] = ()  # of the columns
    log: Log | None = None
    verdict: Verdict | None = None
    advice: Advice | None = None
    error: str | None = None
    began: float = 0.0  # monotonic seconds

    @property
    def seconds(self) -> float:
        """Seconds since the file was brought."""
        return time.monotonic() - self.began


Publish = Callable[[LogJob], None]
Work = Callable[[LogJob, Publish], LogJob]


def analysed(job: LogJob, publish: Publish) -> LogJob:
    """Read and analyse a log; publish each step. BoltErrors name the line or the column."""
    from bolt_core.logs.advice import advise
    from bolt_core.logs.analysis import analyse
    from bolt_core.logs.reading import log_of
    from bolt_core.logs.table import read_table
    from bolt_core.logs.text_encoding import decode
    from bolt_core.logs.verdict import Drift

    job = replace(job, phase=Phase.READING)
    publish(job)
    table = read_table(*decode(job.data))
    job = replace(job, headings=table.headings)
    publish(job)
    read = log_of(table, job.name, hashlib.sha256(job.data).hexdigest(), job.given)
    job = replace(job, phase=Phase.ANALYSING, log=read)
    publish(job)
    verdict = analyse(read)
    drifts = verdict.drift is Drift.YES  # else the advice does not depend on this machine
    thinking = thinking_here(len(read.spec.knobs)) if drifts else NO_THINKING
    advice = advise(read, verdict, thinking)
    return replace(job, phase=Phase.DONE, verdict=verdict, advice=advice)


@cache
def thinking_here(dimension: int) -> tuple[float, ...]:
    """Return c_0 .. c_3 of the seconds that a pass computes on this machine, measured once."""
    from bolt_core.bench.iteration import thinking_time

    return thinking_time(dimension)


class LogJobs:
    """The analyses of a server. Every method may be called from any thread."""

    def __init__(self, work: Work = analysed) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, LogJob] = OrderedDict()
        self._worker: LatestJobWorker[str, str] = LatestJobWorker("bolt-logs", self._run)

    def start(
        self, data: bytes, name: str, given: Overrides | None = None, *, example: bool = False
    ) -> str:
        """Queue the analysis of a file; return its key, which cannot be guessed."""
        key = secrets.token_hex(8)
        with self._lock:
            self._jobs[key] = LogJob(key, name, data, given, example, began=time.monotonic())
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
            self._publish(self._work(job, self._publish))
        except BoltError as problem:
            self._fail(key, sentence(str(problem)))
        except Exception:
            log.exception("the analysis of a log failed")
            self._fail(key, "This log could not be analysed; the log of the server says why.")

    def _fail(self, key: str, reason: str) -> None:
        job = self.get(key)
        if job is not None:
            self._publish(replace(job, phase=Phase.FAILED, error=reason))

    def _publish(self, job: LogJob) -> None:
        with self._lock:
            if job.key in self._jobs:
                self._jobs[job.key] = job

    def _drop_oldest(self) -> None:
        def too_much() -> bool:
            size = sum(len(job.data) for job in self._jobs.values())
            return len(self._jobs) > MAX_LOGS or size > MAX_BYTES

        while len(self._jobs) > 1 and too_much():
            self._jobs.popitem(last=False)
