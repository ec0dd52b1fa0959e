"""The worker thread: newest job per key, a pause between jobs, and survival of failures."""

import threading
import time
from collections import OrderedDict

from bolt_core.charts.worker import LatestJobWorker, keep_recent
from tests.support.threads import sleeps


def put(worker, key, job):
    with worker.lock:
        worker.put(key, job)


def wait_for(worker, condition):
    with worker.lock:
        assert worker.lock.wait_for(condition, 30.0)


def test_a_newer_job_replaces_the_one_that_waits_under_the_same_key():
    done, busy, go_on = [], threading.Event(), threading.Event()

    def work(job):
        busy.set()
        assert go_on.wait(30.0)
        done.append(job)

    worker = LatestJobWorker("test", work)
    put(worker, "first", 0)
    assert busy.wait(30.0)
    for job in (1, 2, 3):
        put(worker, "second", job)
    go_on.set()
    wait_for(worker, lambda: len(done) == 2)
    worker.shutdown()

    assert done == [0, 3]


def test_a_failed_job_is_logged_and_the_next_one_runs(caplog):
    done = []

    def work(job):
        if job == "bad":
            raise ZeroDivisionError("broken job")
        done.append(job)

    worker = LatestJobWorker("test", work)
    put(worker, 1, "bad")
    put(worker, 2, "good")
    wait_for(worker, lambda: done == ["good"])
    worker.shutdown()

    assert "broken job" in caplog.text


def test_two_jobs_of_one_key_start_at_least_the_given_time_apart():
    starts = []
    worker = LatestJobWorker("test", lambda _: starts.append(time.monotonic()), seconds_between=0.2)
    for count in (1, 2):
        put(worker, "key", None)
        wait_for(worker, lambda count=count: len(starts) == count)
    worker.shutdown()

    assert starts[1] - starts[0] >= 0.2


def test_the_thread_starts_with_the_first_job_sleeps_when_idle_and_ends():
    worker = LatestJobWorker("test", lambda _: None)
    assert worker.thread is None
    put(worker, "key", None)
    assert worker.thread.daemon
    assert sleeps(worker.thread)
    worker.shutdown()
    assert not worker.thread.is_alive()

    put(worker, "key", None)  # a closed worker accepts nothing
    assert worker.queued("key") is None


def test_only_the_most_recent_values_are_kept():
    values = OrderedDict()
    for key in (1, 2, 1, 3):
        keep_recent(values, key, str(key), 2)

    assert list(values) == [1, 3]
