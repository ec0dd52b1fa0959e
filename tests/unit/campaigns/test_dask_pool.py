"""Campaigns on Dask: a worker dies, a cluster is somewhere else, nobody answers."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from distributed import Client

from bolt_core.campaigns import pools
from bolt_core.campaigns.campaign import State
from bolt_core.common.errors import ConfigError
from bolt_core.store.records import read
from tests.support.campaigns import contents, finished, ready
from tests.support.project import ROOT

# A fifth of a second each: while one ends, another is under way or waits for its worker.
LONG = {"algorithms": ["gpucb"], "benchmarks": ["eggholder"], "seeds": 4, "horizon": 8.0}


@pytest.fixture(scope="module")
def records_of_one_process(tmp_path_factory):
    """Return every pass of the runs of `LONG`, computed without Dask."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLT_HOME", str(tmp_path_factory.mktemp("alone")))
        return contents(finished("alone", **LONG))


def kill_a_worker_once(client, killed):
    """Kill a worker that has a run under way; does nothing when called again."""
    at_work = [address for address, keys in client.processing().items() if keys]
    if at_work and not killed:
        killed += client.run(os.getpid, workers=at_work[:1]).values()
        os.kill(killed[0], signal.SIGKILL)


@contextlib.contextmanager
def killing_the_first_at_work(client, killed):
    """Kill the first worker of the cluster that has a run under way."""

    def watch():
        while not killed and not done.wait(0.02):
            kill_a_worker_once(client, killed)

    done, watcher = threading.Event(), threading.Thread(target=watch)
    watcher.start()
    yield
    done.set()
    watcher.join()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of the worker that is killed
def test_a_killed_worker_changes_nothing_but_the_time(records_of_one_process):
    campaign, pool, killed, clusters = ready("killed", **LONG), pools.local(2), [], []
    trimmed = set()

    def kill(outcome):
        clusters.append(pool._cluster)
        trimmed.update(pool._client.run(os.environ.get, "MALLOC_TRIM_THRESHOLD_").values())
        kill_a_worker_once(pool._client, killed)

    campaign.run(pool, kill)

    assert len(killed) == 1
    assert clusters[0].scheduler_address.startswith("tls://")
    assert clusters[0].scheduler.worker_ttl is None  # silence of a laptop that sleeps is no death
    assert min(map(int, trimmed)) >= 2**30  # bytes: freed matrices stay with the process
    assert {read(campaign.path(k)).header["blas_threads"] for k in campaign.configs} == {1}
    assert list(campaign.states().values()) == [State.FINISHED] * 4
    assert contents(campaign) == records_of_one_process


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of the worker that is killed
def test_a_cluster_started_by_hand_gives_the_same_runs_also_when_a_worker_is_killed(
    tmp_path, records_of_one_process
):
    campaign, killed = ready("remote", **LONG), []
    file = tmp_path / "scheduler.json"
    quiet = {"cwd": ROOT, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    dask = [sys.executable, "-m", "dask"]
    shared = ["--scheduler-file", file, "--no-dashboard"]
    scheduler = [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *shared]
    worker = [*dask, "worker", "--nthreads", "1", "--no-nanny", *shared]
    commands = (scheduler, worker, worker)
    processes = [subprocess.Popen(c, env=environment, **quiet) for c in commands]
    try:
        address = _address(file)
        with Client(address) as client:
            client.wait_for_workers(2, timeout=60)
            pool, many = pools.cluster(address)
            with killing_the_first_at_work(client, killed):
                campaign.run(pool)
    finally:
        for process in processes:
            process.terminate()
            process.wait(20)

    assert many == 2
    assert len(killed) == 1
    assert list(campaign.states().values()) == [State.FINISHED] * 4
    assert contents(campaign) == records_of_one_process


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr("bolt_core.campaigns.pools.dask_pool.CONNECT_SECONDS", 0.5)

    with pytest.raises(ConfigError, match=r"scheduler.*'tcp://127.0.0.1:9'"):
        pools.cluster("tcp://127.0.0.1:9")


def _address(file):
    """As soon as the scheduler has written it down."""
    for _ in range(600):
        if file.exists() and (text := file.read_text()):
            return json.loads(text)["address"]
        time.sleep(0.05)
    raise TimeoutError("the scheduler did not start within 30 s")
