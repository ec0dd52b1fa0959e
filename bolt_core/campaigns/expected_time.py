"""How long a campaign takes before its first run has ended; later `RemainingTime` measures it."""

import os
from collections.abc import Collection

from bolt_core.common.types import RunConfig
from bolt_core.runs.expected_duration import DurationRange, expected

START_UP_CPU_SECONDS = 4.5  # of the command, the scheduler and a worker, one after the other


def expected_time(configs: Collection[RunConfig], workers: int) -> DurationRange:
    """Return how long these runs take on so many local worker processes."""
    busy = max(min(workers, len(configs)), 1)
    return expected(configs, workers=busy, start_up=START_UP_CPU_SECONDS)


def default_workers(configs: Collection[RunConfig]) -> int:
    """Return all cores but one for the server; one if a run on the wall clock would be slowed."""
    alone = any(config.clock.kind == "wall" for config in configs)
    return 1 if alone else max((os.cpu_count() or 2) - 1, 1)
