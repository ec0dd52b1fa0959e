"""Convert the caller's times to seconds: numbers unchanged, datetimes since the first one."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from bolt_core.common.errors import ConfigError
from bolt_core.common.limits import MAX_VALUE

Time: TypeAlias = float | datetime | None  # None: now, if no times are given


class Timeline:
    """The time scale of one problem: real time, seconds, or datetimes; the first use decides."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._began = now()
        self._kind: str | None = None
        self._origin: datetime | None = None

    @property
    def is_given(self) -> bool:
        """Whether the caller gives the times, as seconds or datetimes."""
        return self._kind in ("seconds", "datetimes")

    def to_caller_time(self, seconds: float) -> float | datetime:
        """Return `seconds` on the caller's scale: a datetime if datetimes are used."""
        return seconds if self._origin is None else self._origin + timedelta(seconds=seconds)

    def peek(self, t: Time, newest: float) -> float:
        """Return `t` in seconds without deciding the scale; for None now, or the `newest` time."""
        if t is None and self.is_given:
            return newest
        if t is None and self._kind is None:
            return self._now() - self._began
        saved = self._kind, self._origin
        try:
            return self.seconds(t)
        finally:
            self._kind, self._origin = saved

    @contextmanager
    def undecided_on_error(self) -> Iterator[None]:
        """Leave the scale as it was before, if what is done with a time fails."""
        saved = self._kind, self._origin
        try:
            yield
        except BaseException:
            self._kind, self._origin = saved
            raise

    def seconds(self, t: Time) -> float:
        """Return `t` in seconds; ConfigError for another scale than before or a time not finite."""
        if t is None:
            self._use("real time", t)
            return self._now() - self._began
        if isinstance(t, datetime):
            self._use("datetimes", t)
            return self._since(t)
        try:
            seconds = float(t)
        except (TypeError, ValueError, OverflowError):
            seconds = math.nan
        if not abs(seconds) <= MAX_VALUE:
            raise ConfigError(
                f"a time is finite seconds, a datetime, or None for now (at most {MAX_VALUE:g} s); "
                f"got {t!r}"
            )
        if self._kind == "real time" and seconds > (now := self._now() - self._began):
            raise ConfigError(f"t = {seconds:g} s is in the future: it is {now:.3f} s now")
        if self._kind != "real time":
            self._use("seconds", t)
        return seconds

    def _use(self, kind: str, t: Time) -> None:
        if self._kind not in (None, kind):
            raise ConfigError(
                f"times were {self._kind} so far, got {t!r}; keep to one kind: {self._remedy()}"
            )
        self._kind = kind

    def _remedy(self) -> str:
        """Return which time to give instead of one of another kind."""
        if self._origin is not None:
            now = "datetime.now()" if self._origin.tzinfo is None else "datetime.now(timezone.utc)"
            return f"give a datetime, such as {now} for now"
        if self._kind == "seconds":
            return "give seconds on the same scale"
        return "give None for now, or the seconds since the optimizer was created"

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

    @property
    def origin(self) -> datetime | None:
        """Second 0 as a datetime; None if datetimes are not used."""
        return self._origin

    def use_datetimes(self, newest: float, saved_at: datetime) -> str:
        """Turn any scale into datetimes with a time zone; return what was assumed, or nothing.

        `newest` is the newest time in seconds, and `saved_at` is when the state was saved.
        """
        kind, origin, remark = self._kind, self._origin, ""
        if kind is None:
            return ""
        if kind == "real time":
            origin = datetime.now(UTC) - timedelta(seconds=self._now() - self._began)
        elif origin is None:
            origin = saved_at - timedelta(seconds=newest)
            remark = "times were seconds; the newest is taken for the time when it was saved"
        elif origin.tzinfo is None:
            remark = "times had no time zone; that of this server is taken"
        self._kind, self._origin = "datetimes", origin.astimezone(UTC)
        return remark

    def state(self) -> dict[str, Any]:
        """Return the scale as JSON."""
        return {
            "kind": self._kind,
            "now": self._now() - self._began,
            "origin": self._origin.isoformat() if self._origin else None,
            "wall": datetime.now(UTC).isoformat(),
        }

    def restore(self, state: Mapping[str, Any], *, catch_up: bool = False) -> None:
        """Continue from what `state` returned; real time continues from the saved reading.

        With `catch_up`, the time since then has passed as well: a plant goes on while the program
        that looks after it is down.
        """
        self._kind = state["kind"]
        self._began = self._now() - state["now"]
        if catch_up and "wall" in state:
            gone = datetime.now(UTC) - datetime.fromisoformat(state["wall"])
            self._began -= max(gone.total_seconds(), 0.0)
        self._origin = datetime.fromisoformat(state["origin"]) if state["origin"] else None
