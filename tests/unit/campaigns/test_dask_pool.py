"""Campaigns on Dask: a worker dies, a cluster is somewhere else, nobody answers."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from distributed import Client

from bolt_core.campaigns import pools
from bolt_core.campaigns.campaign import State
from bolt_core.common.errors import ConfigError
from bolt_core.store.records import read
from tests.support.campaigns import contents, finished, ready
from tests.support.project import ROOT

LONG = {  # half a second each: one is under way when another ends
    "algorithms": ["gpucb"],
    "benchmarks": ["eggholder"],
    "seeds": 4,
    "horizon": 15.0,
}


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of the worker that is killed
def test_a_killed_worker_changes_nothing_but_the_time():
    found, alone = ready("killed", **LONG), finished("alone", **LONG)
    pool, killed = pools.local(2), []

    found.run(pool, lambda outcome: _kill_one(pool._client, killed))

    assert len(killed) == 1
    assert {read(found.path(k)).header["blas_threads"] for k in found.configs} == {1}
    assert list(found.states().values()) == [State.FINISHED] * 4
    assert contents(found) == contents(alone)


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of the worker that is killed
def test_a_cluster_started_by_hand_gives_the_same_runs_also_when_a_worker_is_killed(tmp_path):
    found, alone = ready("remote", **LONG), finished("alone", **LONG)
    killed = []
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
            found.run(pool, lambda outcome: _kill_one(client, killed))
    finally:
        for process in processes:
            process.terminate()
            process.wait(20)

    assert many == 2
    assert len(killed) == 1
    assert list(found.states().values()) == [State.FINISHED] * 4
    assert contents(found) == contents(alone)


def _kill_one(client, killed):
    """Once, and a worker that has a run under way."""
    at_work = [address for address, keys in client.processing().items() if keys]
    if at_work and not killed:
        killed += client.run(os.getpid, workers=at_work[:1]).values()
        os.kill(killed[0], signal.SIGKILL)


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr("bolt_core.campaigns.pools.dask_pool.CONNECT_SECONDS", 0.5)

    with pytest.raises(ConfigError, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:9'"):
        pools.cluster("tcp://127.0.0.1:9")


def _address(file):
    """As soon as the scheduler has written it down."""
    for _ in range(600):
        if file.exists() and (text := file.read_text()):
            return json.loads(text)["address"]
        time.sleep(0.05)
    raise TimeoutError("the scheduler did not start within 30 s")


def test_a_local_worker_is_never_given_up_for_being_silent():
    with pools.local(1) as pool:  # a laptop that sleeps, a process that is halted
        assert pool._cluster.scheduler.worker_ttl is None
