"""A chart as it was last built, with the last few patches that led to it."""

import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from bolt_core.charts.delta import difference

MAX_PATCHES = 8  # a viewer further behind is sent the whole chart


@dataclass(slots=True)
class CachedChart:
    """Changed by the chart server's thread under its lock, and read under the same lock."""

    chart: dict[str, Any]
    serial: int  # changes whenever the chart does
    whole: bytes | None = None  # the chart as JSON; None: not encoded yet
    stamp: tuple[object, ...] = ()  # identifies what the chart was built from
    version: int = 0  # passes that the chart shows
    final: bool = False  # the race had ended when it was built
    due: float = 0.0  # monotonic seconds before which it is not built again
    patches: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=MAX_PATCHES))

    def step_to(self, chart: dict[str, Any]) -> bytes | None:
        """Return the patch to a newer chart as JSON, None if they are equal.

        Only the thread that builds charts changes them, so this needs no lock.
        """
        patch = difference(self.chart, chart)
        return None if patch is None else encode(patch)

    def follow(self, chart: dict[str, Any], patch: bytes | None, serial: int) -> None:
        """Replace the chart by a newer one, unless the patch between them is None."""
        if patch is not None:
            self.patches.append((self.serial, patch))
            self.chart, self.serial, self.whole = chart, serial, None

    def changes_since(self, have: int | None, *, final: bool) -> bytes:
        """Return, as JSON, what a viewer that has the serial `have` needs (None: everything).

        `final` says that no newer chart will follow.
        """
        head = b'{"serial":%d,"version":%d,"final":%s' % (
            self.serial,
            self.version,
            b"true" if final else b"false",
        )
        if have == self.serial:
            return head + b"}"
        serials = [serial for serial, _ in self.patches]
        if have in serials:
            patches = [patch for _, patch in list(self.patches)[serials.index(have) :]]
            return head + b',"steps":[' + b",".join(patches) + b"]}"
        if self.whole is None:
            self.whole = encode(self.chart)
        return head + b',"chart":' + self.whole + b"}"


def encode(value: Any) -> bytes:  # noqa: ANN401 - any JSON
    """Return compact JSON; NaN and infinities raise a ValueError."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
