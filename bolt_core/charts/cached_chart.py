"""One chart as it stands, and the last few steps that led to it."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from bolt_core.charts.delta import difference

STEPS = 8  # versions back from which a viewer need not be sent everything


@dataclass(slots=True)
class Kept:
    """Written by the frames' thread under its lock, read under the same."""

    chart: dict[str, Any]
    stamp: tuple[object, ...]  # of what it was built from
    serial: int  # another chart, another serial
    version: int  # passes it shows
    final: bool  # nothing more will come
    due: float = 0.0  # monotonic seconds: not built again before
    steps: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=STEPS))
    whole: bytes | None = None  # as JSON, for who has nothing of it

    def step_to(self, chart: dict[str, Any]) -> bytes | None:
        """What has changed, as JSON; None: nothing. Needs no lock: there is one writer."""
        step = difference(self.chart, chart)
        return None if step is None else encode(step)

    def follow(self, chart: dict[str, Any], step: bytes | None, serial: int) -> None:
        """Let the next chart take the place of this one; if it shows the same, nothing happens."""
        if step is not None:
            self.steps.append((self.serial, step))
            self.chart, self.serial, self.whole = chart, serial, None

    def told(self, have: int | None) -> bytes:
        """What a viewer who has that serial must be sent, as JSON."""
        head = b'{"serial":%d,"version":%d,"final":%s' % (
            self.serial,
            self.version,
            b"true" if self.final else b"false",
        )
        if have == self.serial:
            return head + b"}"
        known = [serial for serial, _ in self.steps]
        if have in known:
            steps = [step for _, step in list(self.steps)[known.index(have) :]]
            return head + b',"steps":[' + b",".join(steps) + b"]}"
        if self.whole is None:
            self.whole = encode(self.chart)
        return head + b',"chart":' + self.whole + b"}"


def encode(value: Any) -> bytes:  # noqa: ANN401 - any JSON
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
