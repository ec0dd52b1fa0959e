"""The limits of what visitors of a server may run, in one place.

Besides these, no run is longer than the horizon of its benchmark (`runs.loop.prepare`).
A race beyond a limit is refused; the operator of the server is asked for a confirmation instead
(`permissions.py`). What no live race may do, not even the operator's, is in `check_live`.
"""

from collections.abc import Sequence

from bolt_core.common.errors import ConfigError
from bolt_core.common.text import counted, duration
from bolt_core.common.types import RunConfig
from bolt_core.runs import duration_estimate
from bolt_core.runs.lane_names import lane_key

MAX_LANES = 12
MAX_SEEDS = 10
MAX_CPU_SECONDS = 1800.0  # estimated, of a race or a campaign
MAX_LIVE_PER_VISITOR = 1
MAX_WAITING_PER_VISITOR = 2

# The tallies of a class (`live.class_tally`); no one may exceed these.
MAX_TALLIES = 50  # in memory; a visitor has one
MAX_ANSWERS_PER_TALLY = 500  # browsers that answer
MAX_ANSWER_CHANGES = 20  # per browser
TALLY_LIFETIME_SECONDS = 14_400.0
TALLY_IDLE_SECONDS = 600.0  # without its lecturer; then it gives way to another when all are taken


def check_live(configs: Sequence[RunConfig]) -> None:
    """Raise a `ConfigError` unless the configs can be one live race."""
    if not configs:
        raise ConfigError("a race needs at least one run; choose an algorithm")
    if len({config.benchmark for config in configs}) > 1:
        raise ConfigError("all runs of a race use one benchmark; start one race per benchmark")
    if any(config.clock.kind == "wall" for config in configs):
        raise ConfigError(
            "a live race shares the machine, so it uses the cpu or the model clock; "
            "for the wall clock use `bolt run --clock wall`"
        )
    if path := next((c.options["path"] for c in configs if c.options.get("path")), None):
        raise ConfigError(
            f"a live race reads no file of its own, got path={path}; use `bolt run`, "
            "or leave the option out"
        )


def exceeded(configs: Sequence[RunConfig]) -> list[str]:
    """Return one clause per limit that these runs exceed, with the value and the limit."""
    lanes = len({lane_key(config) for config in configs})
    seeds = len({config.seed for config in configs})
    clauses = []
    if lanes > MAX_LANES:
        clauses.append(f"it has {lanes} lanes, and the limit is {MAX_LANES}")
    if seeds > MAX_SEEDS:
        clauses.append(f"it has {seeds} seeds, and the limit is {MAX_SEEDS}")
    return clauses + exceeded_cpu(configs)


def exceeded_cpu(configs: Sequence[RunConfig]) -> list[str]:
    """Return a clause if these runs are estimated to compute for longer than the limit."""
    seconds = sum(map(duration_estimate.cpu_seconds, configs))  # not of this machine, today
    if seconds <= MAX_CPU_SECONDS:
        return []
    return [
        f"its computing counts as {duration(seconds)} of the reference machine, and the limit is "
        f"{duration(MAX_CPU_SECONDS)}"
    ]


def exceeded_by_visitor(live: int, waiting: int) -> list[str]:
    """Return a clause if a visitor with so many races may start no further one."""
    if live + waiting < MAX_LIVE_PER_VISITOR + MAX_WAITING_PER_VISITOR:
        return []
    return [
        f"you have {counted(live, 'live race')} and {waiting} waiting, and the limit is "
        f"{MAX_LIVE_PER_VISITOR} live and {MAX_WAITING_PER_VISITOR} waiting"
    ]
