"""One chart as it stands, and the last few steps that led to it."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from bolt_core.frames.delta import difference

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
    _whole: bytes | None = None

    def follow(self, chart: dict[str, Any], serial: int) -> None:
        """Take the next chart's place; one that shows the same keeps its serial."""
        step = difference(self.chart, chart)
        if step is not None:
            self.steps.append((self.serial, encode(step)))
            self.chart, self.serial, self._whole = chart, serial, None

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
        if self._whole is None:
            self._whole = encode(self.chart)
        return head + b',"chart":' + self._whole + b"}"


def encode(value: Any) -> bytes:  # noqa: ANN401 - any JSON
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
