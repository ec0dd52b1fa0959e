"""Pools that execute the runs of a campaign: in this process, or on Dask workers.

A pool takes configs and yields outcomes in the order in which runs end:

    with pool:
        pool.submit(config, about)
        for outcome in pool.outcomes(): ...   more runs may be submitted meanwhile
        pool.rescue()                         after an interruption: outcomes of ended runs that
                                              were not yielded, or perhaps not stored

A worker writes its record to a temporary folder and returns all of it, so a worker that dies leaves
no file behind, and a cluster needs no shared disk. Dask is imported when first used.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from bolt_core.campaigns.pools.worker import NO_LIMITS, Limits, Outcome, execute
from bolt_core.common.packages import require
from bolt_core.common.types import RunConfig

__all__ = ["NO_LIMITS", "InProcess", "Limits", "Outcome", "Pool", "cluster", "local"]
DASK_PACKAGES = ("dask", "distributed")


class Pool(Protocol):
    """Executes runs."""

    def __enter__(self) -> Pool: ...
    def __exit__(self, *error: object) -> None: ...
    def submit(self, config: RunConfig, about: Mapping[str, Any]) -> None: ...
    def outcomes(self) -> Iterator[Outcome]: ...
    def rescue(self) -> list[Outcome]: ...


class InProcess:
    """Executes one run after the other in this process."""

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        self._limits = limits
        self._waiting: deque[tuple[RunConfig, Mapping[str, Any]]] = deque()
        self._last: list[Outcome] = []  # the last outcome, until the next is asked for

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self._waiting.clear()

    def submit(self, config: RunConfig, about: Mapping[str, Any]) -> None:
        self._waiting.append((config, about))

    def outcomes(self) -> Iterator[Outcome]:
        while self._waiting:
            config, about = self._waiting.popleft()
            self._last = [execute(config, about, self._limits)]
            yield self._last[0]
            self._last = []

    def rescue(self) -> list[Outcome]:
        return self._last


def local(workers: int, limits: Limits = NO_LIMITS) -> Pool:
    """Return a pool of `workers` processes of one thread each; 0: this process."""
    if workers == 0:
        return InProcess(limits)
    purpose = "a campaign in worker processes (not with --workers 0)"
    require(purpose, *DASK_PACKAGES, "cryptography")  # for TLS between them
    from bolt_core.campaigns.pools.dask_pool import DaskPool

    return DaskPool(workers=workers, limits=limits)


def cluster(address: str, limits: Limits = NO_LIMITS) -> tuple[Pool, int]:
    """Return a pool on a running Dask scheduler, and how many runs it executes at a time.

    A scheduler without workers counts as one: workers may join later.
    """
    require("a campaign on a Dask cluster", *DASK_PACKAGES)
    from bolt_core.campaigns.pools.dask_pool import DaskPool, threads

    pool = DaskPool(address=address, limits=limits)
    return pool, max(threads(address), 1)
