"""What the caller's times mean in seconds: numbers as they are, datetimes from the first one on."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from bolt_core.common.errors import ConfigError

Time: TypeAlias = float | datetime | None  # None: now


class Timeline:
    """One kind of time a problem: real time, seconds of the caller's, or datetimes."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._began = now()
        self._kind: str | None = None
        self._origin: datetime | None = None

    def told_as(self, seconds: float) -> float | datetime:
        """`seconds` as the caller tells time: a datetime if that is what was given."""
        return seconds if self._origin is None else self._origin + timedelta(seconds=seconds)

    def looked_at(self, t: Time, newest: float) -> float:
        """`t` in seconds for a mere question, which settles nothing; None: now, or the `newest`."""
        if t is None and self._kind in ("seconds", "datetimes"):
            return newest
        if t is None and self._kind is None:
            return self._now() - self._began
        settled = self._kind, self._origin
        try:
            return self.seconds(t)
        finally:
            self._kind, self._origin = settled

    def seconds(self, t: Time) -> float:
        """`t` in seconds; another kind of time than before is an error, and so is infinity."""
        if t is None:
            self._settle("real time", t)
            return self._now() - self._began
        if isinstance(t, datetime):
            self._settle("datetimes", t)
            return self._since(t)
        try:
            seconds = float(t)
        except (TypeError, ValueError):
            seconds = math.nan
        if not math.isfinite(seconds):
            raise ConfigError(f"a time is finite seconds, a datetime, or None for now; got {t!r}")
        if self._kind == "real time" and seconds > (now := self._now() - self._began):
            raise ConfigError(f"t = {seconds:g} s is in the future: it is {now:.3f} s now")
        if self._kind != "real time":
            self._settle("seconds", t)
        return seconds

    def _settle(self, kind: str, t: Time) -> None:
        if self._kind not in (None, kind):
            raise ConfigError(f"times were {self._kind} so far, got {t!r}; keep to one kind")
        self._kind = kind

    def _since(self, t: datetime) -> float:
        origin = self._origin or t
        try:
            seconds = (t - origin).total_seconds()
        except TypeError:
            raise ConfigError(
                f"datetimes must all have a time zone or all have none; {origin!r} then {t!r}"
            ) from None
        self._origin = origin
        return seconds

    def state(self) -> dict[str, Any]:
        return {
            "kind": self._kind,
            "now": self._now() - self._began,
            "origin": self._origin.isoformat() if self._origin else None,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Real time goes on from where it was saved."""
        self._kind = state["kind"]
        self._began = self._now() - state["now"]
        self._origin = datetime.fromisoformat(state["origin"]) if state["origin"] else None
