"""Runs on Dask: on local worker processes of one thread each, or on a scheduler's workers.

A run is submitted when a worker is free for it, in the order of `RunQueue`: Dask would start tasks
that are submitted together in any order. Dask repeats a run whose worker dies. Local workers ignore
Ctrl-C, which a terminal sends to them too, so that this process can first collect the runs that
have ended. Silent workers are never replaced: a campaign that was suspended for an hour continues
with the same workers.

A Dask scheduler executes the code of everyone who can connect to it. The local one therefore
accepts only TLS connections with a certificate that is made for this pool, kept in memory and given
to its workers. A scheduler elsewhere is protected in the same way if its address is tls://host:port
and Dask's settings name the certificate (distributed.comm.tls, or environment variables such as
DASK_DISTRIBUTED__COMM__TLS__CA_FILE); tcp:// is for a trusted network.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

import dask
from distributed import Client, Future, LocalCluster, Security, WorkerPlugin, as_completed

from bolt_core.campaigns.pools.run_queue import RunQueue
from bolt_core.campaigns.pools.worker import NO_LIMITS, Limits, Outcome, execute, lost
from bolt_core.common import runtime
from bolt_core.common.errors import ConfigError
from bolt_core.common.text import shortened
from bolt_core.common.types import RunConfig

CONNECT_SECONDS = 10.0
CLOSE_SECONDS = 30.0  # before a worker that is still running is killed
LOCAL_SETTINGS = {
    "distributed.scheduler.worker-ttl": None,  # a long pass is no dead worker
    "distributed.worker.profile.enabled": False,  # it would sample each run 100 times per second
    "distributed.admin.system-monitor.interval": "5s",
    # With Dask's 64 KiB each freed matrix leaves the process: a sixth of a run was page faults.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**30,  # bytes
}

for _name in ("distributed", *(n for n in logging.root.manager.loggerDict if "distributed." in n)):
    logging.getLogger(_name).setLevel(logging.CRITICAL)  # it logs every connection


class Quiet(WorkerPlugin):
    """Prepares a local worker: one BLAS thread, SIGINT ignored."""

    name = "bolt-quiet"

    def setup(self, worker: object) -> None:  # noqa: ARG002 - the plugin's protocol
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        runtime.configure()


class DaskPool:
    """A `Pool` on Dask."""

    def __init__(
        self, *, workers: int = 0, address: str | None = None, limits: Limits = NO_LIMITS
    ) -> None:
        self._workers, self._address = workers, address
        self._limits = limits
        self._submitted: dict[Future, tuple[RunConfig, Mapping[str, Any]]] = {}
        self._waiting = RunQueue()
        self._cluster: LocalCluster | None = None

    def __enter__(self) -> DaskPool:
        if self._address is None:
            with dask.config.set(LOCAL_SETTINGS):
                self._cluster = LocalCluster(
                    n_workers=self._workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    memory_limit=0,
                    silence_logs=logging.CRITICAL,
                    security=_temporary_certificate(),
                )
            self._client = _client(self._cluster)
            self._client.register_plugin(Quiet())
        else:
            self._client = _connect(self._address)
        self._queue = as_completed()
        return self

    def __exit__(self, *error: object) -> None:
        self._client.cancel(list(self._submitted), force=True)
        self._submitted.clear()
        self._waiting.clear()
        self._client.close()
        if self._cluster is not None:
            with suppress(TimeoutError):  # a busy machine; the workers end with this process
                self._cluster.close(timeout=CLOSE_SECONDS)

    def submit(self, config: RunConfig, about: Mapping[str, Any]) -> None:
        self._waiting.add((config, about))

    def outcomes(self) -> Iterator[Outcome]:
        self._fill()
        for future in self._queue:
            yield self._outcome(future)
            del self._submitted[future]  # only now, so that an outcome can be rescued if an
            # interruption comes while it is stored
            self._fill()

    def _fill(self) -> None:
        """Start waiting runs on the workers that are free, as far as they may run together."""
        slots = self._slots()
        while task := self._waiting.next([config for config, _ in self._submitted.values()], slots):
            config, about = task
            future = self._client.submit(execute, config, dict(about), self._limits, pure=False)
            self._submitted[future] = task
            self._queue.add(future)

    def _slots(self) -> int:
        """Return how many runs the workers execute at a time; workers may join and leave."""
        if self._cluster is not None:
            return self._workers
        return max(sum(map(int, self._client.nthreads().values())), 1)

    def rescue(self) -> list[Outcome]:
        ended = [future for future in self._submitted if future.status == "finished"]
        return [self._outcome(future) for future in ended]

    def _outcome(self, future: Future) -> Outcome:
        try:
            outcome: Outcome = future.result()
        except (Exception, CancelledError, asyncio.CancelledError) as problem:  # noqa: BLE001 - a border
            reason = f"its worker was lost: {type(problem).__name__}: {problem}"
            return lost(*self._submitted[future], reason)
        return outcome


def _temporary_certificate() -> Security:
    """Return a certificate for one cluster, which is on no disk."""
    security: Security = Security.temporary()
    return security


def threads(address: str) -> int:
    """Return how many runs the workers of a scheduler execute at a time."""
    with _connect(address) as client:
        return sum(int(count) for count in client.nthreads().values())


def _client(where: str | LocalCluster, **options: float) -> Client:
    """Return a connected client.

    Clients that failed to connect are deleted first. Deleting one takes a lock of Dask that the
    constructor holds, so a garbage collection in the constructor would wait for itself.
    """
    gc.collect()
    return Client(where, **options)


def _connect(address: str) -> Client:
    try:
        return _client(address, timeout=CONNECT_SECONDS)
    except (OSError, TypeError, ValueError, RuntimeError, TimeoutError) as problem:
        raise ConfigError(
            f"no Dask scheduler answers at {address!r} ({shortened(problem)}); "
            "start one with `dask scheduler` and workers with `dask worker ADDRESS --nthreads 1`; "
            "one that uses TLS has an address tls://host:port, and its certificate must be in "
            "Dask's settings (distributed.comm.tls)"
        ) from None
