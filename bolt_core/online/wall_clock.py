"""Now, for optimizers whose times are datetimes of the computer's clock, in UTC.

Such times survive a reboot and the end of a process. If the clock was set back, the latest known
time is used until the clock has passed it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bolt_core.common.errors import ConfigError

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer

CLOCK_TOLERANCE_SECONDS = 1.0  # by which the clock may be set back without a remark
FUTURE_SECONDS = 1.0  # by which the time of a measurement may be ahead of the clock


def utc_now() -> datetime:
    """Return the time of the computer's clock."""
    return datetime.now(UTC)


def present(opt: OnlineOptimizer, clock: datetime) -> datetime:
    """Return the time of the clock, or the latest known one if the clock was set back."""
    latest = opt.latest
    return max(latest, clock) if isinstance(latest, datetime) else clock


def measured_at(at: datetime, clock: datetime, shown: str = "") -> datetime:
    """Return when a measurement was made, in UTC; a ConfigError if that is in the future.

    `shown` is how the caller wrote the time.
    """
    if at.tzinfo is None:
        raise ConfigError(f"the time {at.isoformat()} has no time zone; write it with one")
    if (at - clock).total_seconds() > FUTURE_SECONDS:
        raise ConfigError(
            f"{shown or at.isoformat()} is in the future; give the time of the measurement"
        )
    return at.astimezone(UTC)
