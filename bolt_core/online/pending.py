"""Settings that were asked for and have no result yet.

Each ask has a number, from 1. A tell answers an ask by this number, or by its setting. An ask that
was answered before is recognised by its number, so that a tell may be repeated after a crash: it is
stored once. The caller may give a key of its own (a text) instead, for results that were not asked
for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.common.errors import ConfigError
from bolt_core.common.text import shortened
from bolt_core.common.types import Array
from bolt_core.runs.algorithm1 import PassStart

MAX_PENDING = 100  # older asks are forgotten; a tell with their setting is accepted all the same
MAX_KEY = 200  # characters


@dataclass(frozen=True, slots=True)
class PendingAsk:
    """One ask without a result."""

    id: int
    x: tuple[float, ...]  # unit coordinates
    at: float  # seconds: when to measure
    start: PassStart
    explores: bool = False  # it is random, among the settings that may still be the best

    def to_json(self) -> dict[str, Any]:
        """Return the ask, JSON-ready."""
        data = {"id": self.id, "x": list(self.x), "at": self.at, "start": list(self.start)}
        return data | ({"explores": True} if self.explores else {})

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> PendingAsk:
        """Return the ask that `to_json` wrote."""
        x = tuple(float(u) for u in data["x"])
        t, n, warmup = data["start"]
        start = PassStart(float(t), int(n), bool(warmup))
        explores = bool(data.get("explores", False))
        return PendingAsk(int(data["id"]), x, float(data["at"]), start, explores)


class PendingAsks:
    """The asks without a result, oldest first, and the number of asks so far."""

    def __init__(self) -> None:
        self.count = 0
        self._by_id: dict[int, PendingAsk] = {}

    def __iter__(self) -> Iterator[PendingAsk]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def add(self, x: Array, at: float, start: PassStart, explores: bool = False) -> PendingAsk:
        """Add an ask and return it with its number."""
        self.count += 1
        ask = PendingAsk(self.count, tuple(x.tolist()), at, start, explores)
        self._by_id[ask.id] = ask
        while len(self._by_id) > MAX_PENDING:
            del self._by_id[next(iter(self._by_id))]
        return ask

    @property
    def newest(self) -> PendingAsk | None:
        """The newest ask without a result."""
        return self._by_id[next(reversed(self._by_id))] if self._by_id else None

    def get(self, number: int) -> PendingAsk | None:
        """Return the ask of that number; None if it has a result or was withdrawn."""
        if not 1 <= number <= self.count:
            raise ConfigError(
                f"there is no ask {number}; asks have the numbers 1 to {self.count}"
                if self.count
                else f"there is no ask {number}; nothing was asked for yet"
            )
        return self._by_id.get(number)

    def at_point(self, x: Array) -> PendingAsk | None:
        """Return the oldest ask for exactly this point."""
        return next((ask for ask in self if np.array_equal(ask.x, x)), None)

    def remove(self, number: int) -> None:
        """Forget an ask."""
        self._by_id.pop(number, None)

    def state(self) -> dict[str, Any]:
        """Return the asks, JSON-ready."""
        return {"asks": self.count, "pending": [ask.to_json() for ask in self]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state` returned."""
        asks = [PendingAsk.from_json(data) for data in state["pending"]]
        self.count, self._by_id = int(state["asks"]), {ask.id: ask for ask in asks}


def check_id(answers: object) -> None:
    """Raise a ConfigError unless it is None, the number of an ask, or a key of the caller."""
    if answers is None or type(answers) is int:
        return
    if isinstance(answers, str) and 0 < len(answers) <= MAX_KEY and answers.isprintable():
        return
    raise ConfigError(
        f"id must be the number of an ask or a text of 1 to {MAX_KEY} characters, got "
        f"{shortened(repr(answers), 80)}"
    )
