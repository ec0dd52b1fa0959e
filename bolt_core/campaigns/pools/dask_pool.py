"""Runs on Dask: local worker processes of one thread each, or a scheduler's.

Dask itself does a run again when its worker dies. Local workers ignore Ctrl-C, which a terminal
sends to them too: this process decides, and takes in what is done first. They are never given up
for being silent: a campaign that was halted for an hour goes on with the workers it has.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import dask
from distributed import Client, Future, LocalCluster, WorkerPlugin, as_completed

from bolt_core.campaigns.pools.worker import Outcome, execute, lost, outcome
from bolt_core.common import runtime
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunConfig

PATIENCE = 10.0  # seconds to reach a scheduler
CLOSING = 30.0  # seconds for workers to leave; one at work is killed

for _name in ("distributed", *(n for n in logging.root.manager.loggerDict if "distributed." in n)):
    logging.getLogger(_name).setLevel(logging.CRITICAL)  # it tells every handshake


class Quiet(WorkerPlugin):
    """Makes a local worker ready: one BLAS thread, deaf to Ctrl-C."""

    name = "bolt-quiet"

    def setup(self, worker: object) -> None:  # noqa: ARG002 - the plugin's protocol
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        runtime.configure()


class DaskPool:
    """See `executors.Pool`."""

    def __init__(self, *, workers: int = 0, address: str | None = None) -> None:
        self._workers, self._address = workers, address
        self._asked: dict[Future, tuple[RunConfig, Mapping[str, Any]]] = {}
        self._cluster: LocalCluster | None = None

    def __enter__(self) -> DaskPool:
        if self._address is None:
            with dask.config.set({"distributed.scheduler.worker-ttl": None}):
                self._cluster = LocalCluster(
                    n_workers=self._workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    memory_limit=0,
                    silence_logs=logging.CRITICAL,
                )
            self._client = Client(self._cluster)
            self._client.register_plugin(Quiet())
        else:
            self._client = _reached(self._address)
        self._queue = as_completed()
        return self

    def __exit__(self, *error: object) -> None:
        self._client.cancel(list(self._asked), force=True)
        self._asked.clear()
        self._client.close()
        if self._cluster is not None:
            with suppress(TimeoutError):  # a busy machine; the workers end with this process
                self._cluster.close(timeout=CLOSING)

    def submit(self, config: RunConfig, about: Mapping[str, Any]) -> None:
        future = self._client.submit(execute, asdict(config), dict(about), pure=False)
        self._asked[future] = (config, about)
        self._queue.add(future)

    def outcomes(self) -> Iterator[Outcome]:
        for future in self._queue:
            yield self._taken(future)
            del self._asked[future]  # kept until the next is asked for: an interruption while this
            # one is stored can be rescued

    def rescue(self) -> list[Outcome]:
        return [self._taken(future) for future in list(self._asked) if future.status == "finished"]

    def _taken(self, future: Future) -> Outcome:
        config, about = self._asked[future]
        try:
            answer = future.result()
        except (Exception, CancelledError, asyncio.CancelledError) as problem:  # noqa: BLE001 - a border
            found = lost(config, about, f"its worker was lost: {type(problem).__name__}: {problem}")
        else:
            found = outcome(config, answer)
        return found


def threads(address: str) -> int:
    """How many runs a scheduler's workers do at a time."""
    with _reached(address) as client:
        return sum(int(count) for count in client.nthreads().values())


def _reached(address: str) -> Client:
    try:
        return Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as problem:
        raise ConfigError(
            f"no Dask scheduler answers at {address!r} ({problem}); "
            "start one with `dask scheduler` and workers with `dask worker ADDRESS --nthreads 1`"
        ) from None
