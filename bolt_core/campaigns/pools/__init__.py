"""Who does the runs of a campaign: this process, or Dask's workers, here or on a cluster.

A pool takes configs and gives outcomes, in the order they come:

    with pool:
        pool.submit(config, about)
        for outcome in pool.outcomes(): ...   more may be submitted meanwhile
        pool.rescue()                         after an interruption: what is done, and not given
                                              or perhaps not stored

A worker writes its record into a room of its own and sends it home whole, so a worker that dies
leaves nothing behind, and a cluster needs no shared disk. Dask is imported when first used.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Protocol

from bolt_core.campaigns.pools.worker import Outcome, execute, outcome
from bolt_core.common.types import RunConfig

__all__ = ["InProcess", "Outcome", "Pool", "cluster", "local"]


class Pool(Protocol):
    """Something that does runs."""

    def __enter__(self) -> Pool: ...
    def __exit__(self, *error: object) -> None: ...
    def submit(self, config: RunConfig, about: Mapping[str, Any]) -> None: ...
    def outcomes(self) -> Iterator[Outcome]: ...
    def rescue(self) -> list[Outcome]: ...


class InProcess:
    """One run after the other, here."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[RunConfig, Mapping[str, Any]]] = deque()
        self._given: list[Outcome] = []  # the last, until the next is asked for

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self._waiting.clear()

    def submit(self, config: RunConfig, about: Mapping[str, Any]) -> None:
        self._waiting.append((config, about))

    def outcomes(self) -> Iterator[Outcome]:
        while self._waiting:
            config, about = self._waiting.popleft()
            self._given = [outcome(config, execute(asdict(config), about))]
            yield self._given[0]
            self._given = []

    def rescue(self) -> list[Outcome]:
        return self._given


def local(workers: int) -> Pool:
    """`workers` processes of one thread each; 0: this process."""
    if workers == 0:
        return InProcess()
    from bolt_core.campaigns.pools.dask_pool import DaskPool

    return DaskPool(workers=workers)


def cluster(address: str) -> tuple[Pool, int]:
    """The workers of a Dask scheduler that is running already, and how many runs they do at a time.

    None yet counts as one: some may come.
    """
    from bolt_core.campaigns.pools.dask_pool import DaskPool, threads

    return DaskPool(address=address), max(threads(address), 1)
