"""Small runs for tests, and whether a thread sleeps."""

import threading
import time
from itertools import islice

from bolt_core.common.types import ClockConfig, IterationRecord, Observation, RunConfig, RunStatus
from bolt_core.runs.loop import iterate, prepare
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from bolt_core.store.records import RecordWriter

MODEL = ClockConfig("model")


def config(**changes):
    return RunConfig(**{"algorithm": "random", "benchmark": "eggholder", "clock": MODEL, **changes})


def first(n, **changes):
    return list(islice(iterate(prepare(config(**changes))), n))


def write(path, n, *, status=RunStatus.FINISHED, **changes):
    """A record of n iterations; the records themselves."""
    run = prepare(config(**changes))
    records = []
    with RecordWriter(path, run.config, header=run.header_fields()) as writer:
        for record in islice(iterate(run), n):
            writer.append(record, run.state)
            records.append(record)
        writer.close(status)
    return records


def record(i, *, t=None, regret=1.0, warmup=False, seconds=1.0, **fields):
    """A record made by hand."""
    o = Observation(i, (0.5,), float(i) if t is None else t, -regret)
    return IterationRecord(o, -regret, 0.0, (0.2,), i, seconds, warmup, **fields)


def snapshot(records, status=RunStatus.RUNNING, error=None, header=None, **changes):
    """A run with these records."""
    history = RunHistory(1)
    for r in records:
        history.append(r)
    return RunSnapshot(config(**changes), status, history.view(), error, header=header)


def sleeps(thread):
    """Whether a tenth of a second passes in which a thread computes nothing at all.

    Several tries: on a busy machine it may still be on its way to sleep. Who polls never is.
    """
    clock = time.pthread_getcpuclockid(thread.ident)
    for _ in range(20):
        before = time.clock_gettime(clock)
        threading.Event().wait(0.1)
        if time.clock_gettime(clock) == before:
            return True
    return False
