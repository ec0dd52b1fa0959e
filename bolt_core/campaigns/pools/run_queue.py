"""The order in which a pool starts runs, and which runs it starts beside others."""

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

from bolt_core.common.types import RunConfig

Task = tuple[RunConfig, Mapping[str, Any]]  # a run, and what its record says about its campaign


def runs_alone(config: RunConfig) -> bool:
    """Whether a run is timed on this machine, so that runs beside it would change its result.

    Other processes take no CPU time from a thread, but they share its caches, its memory bandwidth
    and the heat of its processor.
    """
    return config.clock.kind != "model"


class RunQueue:
    """Waiting runs, first in, first out; a run that is timed waits until nothing else runs."""

    def __init__(self) -> None:
        self._waiting: deque[Task] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, task: Task) -> None:
        """Add a run at the end."""
        self._waiting.append(task)

    def clear(self) -> None:
        """Forget every waiting run."""
        self._waiting.clear()

    def next(self, running: Collection[RunConfig], slots: int) -> Task | None:
        """Remove and return the run to start beside those that run; None: wait for one to end."""
        if not self._waiting or len(running) >= slots or any(map(runs_alone, running)):
            return None
        if running and runs_alone(self._waiting[0][0]):
            return None
        return self._waiting.popleft()
