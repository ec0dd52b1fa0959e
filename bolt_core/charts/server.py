"""Charts of races, each built once for all viewers, beside the runs.

One daemon thread builds. A viewer names the charts of its page and what it has of them, and is
answered with what has changed. A chart is built again when its race has moved on, at most about
once a second however many look, less often if building takes long, and at once when the race has
ended; meanwhile the last one is served. All that is wanted of a race is built from one look at it,
so that charts share what they have in common. With nobody looking the thread sleeps on a condition.
The conductor is only read from.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bolt_core.charts import chart_registry
from bolt_core.charts.cached_chart import Kept, encode
from bolt_core.charts.chart_registry import View
from bolt_core.charts.relevance_worker import Scores
from bolt_core.common.errors import BoltError
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.figures.shared.chart_dicts import text
from bolt_core.runs.race_snapshot import RaceSnapshot

EVERY = 0.9  # seconds between two builds of one chart
SHARE = 0.015  # of a core that building may take: watching is not what the machine is for
FIRST, SOON = 5.0, 0.3  # seconds a viewer waits for a chart it has nothing of; for a newer one
KEPT = 96  # charts; the largest, nine lanes of 800 points, is half a megabyte

Find = Callable[[str], RaceSnapshot | None]
log = logging.getLogger(__name__)


class UnknownRaceError(BoltError):
    """There is no race of that name here."""


class Ask(NamedTuple):
    """A chart somebody wants, and the serial of the one there is on the screen."""

    chart: str
    view: View = View()
    have: int | None = None

    @property
    def name(self) -> str:
        return f"{self.chart};{self.view}"


class Key(NamedTuple):
    """What is kept apart."""

    race_id: str
    chart: str
    view: View
    at: float | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A race as a chart sees it."""

    race: RaceSnapshot
    found: Relevance | None
    stamp: tuple[object, ...]
    version: int
    final: bool


class Frames:
    """Every method may be called from any thread."""

    def __init__(self, find: Find = lambda _: None) -> None:
        self.scores = Scores()
        self.built = 0
        self._find = find
        self._wake = threading.Condition()
        self._wanted: OrderedDict[Key, None] = OrderedDict()
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._serial = secrets.randbelow(2**40)  # of an earlier server no viewer has any
        self._closing = False
        self._thread: threading.Thread | None = None

    def frame(
        self,
        race_id: str,
        chart: str,
        view: View | None = None,
        have: int | None = None,
        at: float | None = None,
    ) -> bytes:
        """One chart, as JSON of what a viewer who has `have` must be sent."""
        ask = Ask(chart, view or View(), have)
        return self._told(self._race(race_id), [ask], at)[0]

    def page(self, race_id: str, asks: Sequence[Ask], at: float | None = None) -> bytes:
        """All charts of a page at once, and how the race stands."""
        race = self._race(race_id)
        told = self._told(race, asks, at)
        frames = [encode(ask.name) + b":" + t for ask, t in zip(asks, told, strict=True)]
        head = encode(
            {"status": race.status, "version": race.version, "live": not race.status.ended}
        )
        return head[:-1] + b',"frames":{' + b",".join(frames) + b"}}"

    def shutdown(self) -> None:
        self.scores.shutdown()
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(2.0)

    def _race(self, race_id: str) -> RaceSnapshot:
        race = self._find(race_id)
        if race is None:
            raise UnknownRaceError(f"race {race_id!r} is not on this server")
        return race

    def _told(self, race: RaceSnapshot, asks: Sequence[Ask], at: float | None) -> list[bytes]:
        keys = [Key(race.race_id, ask.chart, ask.view, at) for ask in asks]
        then = race if at is None else race.at(at)
        seen = [self._see(key, race, then) for key in keys]
        with self._wake:
            for key, now in zip(keys, seen, strict=True):
                if self._is_due(key, now):
                    self._wanted.setdefault(key)
            self._start()
            patience = SOON if all(key in self._kept for key in keys) else FIRST
            self._wake.wait_for(lambda: self._closing or not self._waits(keys), patience)
            return [self._answer(key, ask) for key, ask in zip(keys, asks, strict=True)]

    def _answer(self, key: Key, ask: Ask) -> bytes:
        kept = self._kept.get(key)
        if kept is None:
            return b'{"serial":-1,"version":-1,"final":false}'  # later
        self._kept.move_to_end(key)
        return kept.told(ask.have)

    def _waits(self, keys: Sequence[Key]) -> bool:
        return any(key in self._wanted for key in keys)

    def _is_due(self, key: Key, seen: Seen) -> bool:
        kept = self._kept.get(key)
        if kept is None or self._closing:
            return not self._closing
        moved = kept.stamp != seen.stamp
        return moved and (seen.race.status.ended or time.monotonic() >= kept.due)

    def _see(self, key: Key, race: RaceSnapshot, then: RaceSnapshot) -> Seen:
        """`then`: the race as it was at the key's moment, or as it is."""
        chart = chart_registry.get(key.chart)
        at, ended = key.at, race.status.ended
        if at is not None:
            ended = ended or at <= race.t
        stamp: tuple[object, ...] = (
            then.version,
            then.status,
            then.horizon,
            *(run.status for run in then.runs),
        )
        if not chart.scored:
            return Seen(then, None, stamp, then.version, ended)
        run = chart_registry.shown(then, key.view)
        found = self.scores.newest(run) if at is None else self.scores.earlier(run)
        version = found.version if found else -1
        return Seen(then, found, (*stamp, version), version, ended and version == len(run))

    def _start(self) -> None:
        if not self._wanted:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bolt-frames", daemon=True)
            self._thread.start()
        self._wake.notify_all()

    def _work(self) -> None:
        while keys := self._next():
            began, look = time.thread_time(), None
            for key in keys:
                try:
                    look = look or self._look(key)
                    self._build(key, self._see(key, *look))
                except Exception:  # the thread's border: it must outlive any chart
                    log.exception("the chart %s of race %s", key.chart, key.race_id)
            self._hand_over(keys, time.thread_time() - began)

    def _hand_over(self, keys: Sequence[Key], spent: float) -> None:
        """They are there for whoever waits; what took long waits longer for its next turn."""
        due = time.monotonic() + max(EVERY, spent / SHARE)
        with self._wake:
            for key in keys:
                self._wanted.pop(key, None)
                if kept := self._kept.get(key):
                    kept.due = due
            self._wake.notify_all()

    def _look(self, key: Key) -> tuple[RaceSnapshot, RaceSnapshot]:
        """The race as it is, and as it was at the key's moment."""
        race = self._race(key.race_id)
        return race, race if key.at is None else race.at(key.at)

    def _next(self) -> list[Key]:
        """The chart that was asked for first, and all others of the same race and moment.

        They stay wanted until they are there.
        """
        with self._wake:
            while not self._closing:
                for first in self._wanted:
                    return [key for key in self._wanted if _together(key, first)]
                self._wake.wait()
        return []

    def _build(self, key: Key, seen: Seen) -> None:
        kept = self._kept.get(key)
        chart, told = _built(key, seen, kept)
        with self._wake:
            self.built += 1
            self._serial += 1
            if kept is None:
                kept = self._kept[key] = Kept(chart, (), self._serial, 0, final=False, whole=told)
            else:
                kept.follow(chart, told, self._serial)
            kept.stamp, kept.version, kept.final = seen.stamp, seen.version, seen.final
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _together(key: Key, other: Key) -> bool:
    return key.race_id == other.race_id and key.at == other.at


def _built(key: Key, seen: Seen, kept: Kept | None) -> tuple[dict[str, Any], bytes | None]:
    """The chart, and as JSON what is new in it; what goes wrong is said in its place."""
    try:
        chart = chart_registry.build(key.chart, seen.race, replace(key.view, relevance=seen.found))
        return chart, encode(chart) if kept is None else kept.step_to(chart)
    except Exception as problem:
        log.exception("the chart %s of race %s", key.chart, key.race_id)
        words = text(f"This chart could not be drawn: {problem}") | {"inks": {}}
        return words, encode(words) if kept is None else kept.step_to(words)
