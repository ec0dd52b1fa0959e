"""Start an optimizer from a log: the problem file, and a state that has learned from the rows."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bolt_core.cli.own_problem import session
from bolt_core.cli.own_problem.commented_file import commented
from bolt_core.common.errors import ConfigError
from bolt_core.common.files import write_atomically

if TYPE_CHECKING:
    from bolt_core.logs.log import Log

MAX_ROWS = 5000  # of the log that are told, the newest


def check_new(problem: Path) -> None:
    """Raise a ConfigError if the problem file or its state exists already."""
    for path in (problem, session.state_path(problem)):
        if path.exists():
            raise ConfigError(f"{path} exists; choose another name for --start")
    if not problem.name or not problem.resolve().parent.is_dir():
        raise ConfigError(f"{problem} is no file in a folder that exists; give another name")


def start_from_log(problem: Path, log: Log) -> int:
    """Write the problem file and its state; return the number of rows that were told.

    Without dates in the log, its last row was measured now.
    """
    from bolt_core.online.optimizer import OnlineOptimizer

    check_new(problem)
    origin = log.origin or session.utc_now() - timedelta(seconds=log.span)
    settings, _, outcomes = log.newest(MAX_ROWS).observations()
    seconds = log.newest(MAX_ROWS).times.tolist()
    times: list[datetime | float | None] = [origin + timedelta(seconds=t) for t in seconds]
    opt = OnlineOptimizer(log.spec, journal=session.state_path(problem))
    try:
        opt.tell_all(settings, times, outcomes)
    finally:
        opt.close()
    write_atomically(problem, commented(log.spec, problem).encode())
    return len(outcomes)
