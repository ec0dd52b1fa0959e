"""Charts of races, each built once for all viewers.

One daemon thread builds charts. A viewer names the charts of its page with the serial it has of
each, and is answered with what has changed. A chart is built again when its race has moved on: at
most about once per second for any number of viewers, less often if building takes long, and at once
when the race has ended. Until then the last chart is served. A request looks its race up once,
and all charts that the request makes due are built from that one snapshot, so that they share
intermediate results. The conductor is only read from.
"""

import logging
import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bolt_core.analysis.held_regret import NO_CURVES, HeldCurve
from bolt_core.charts import chart_registry
from bolt_core.charts.cached_chart import CachedChart, encode
from bolt_core.charts.chart_registry import View
from bolt_core.charts.held_regret_worker import HeldRegrets
from bolt_core.charts.relevance_worker import RelevanceScores
from bolt_core.charts.status_row import status_row
from bolt_core.charts.worker import LatestJobWorker, keep_recent
from bolt_core.common.errors import BoltError
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.figures.shared.chart_dicts import text_chart, texts_of
from bolt_core.problems.reading import RACE_PREFIX
from bolt_core.runs.race_snapshot import RaceSnapshot

SECONDS_BETWEEN_BUILDS = 0.9  # of one chart
MAX_CORE_SHARE = 0.015  # of one core that building may take: the runs need the machine
PROBLEM_CORE_SHARE = 0.25  # for a problem, which moves only when a measurement is told
MAX_SECONDS_BETWEEN_BUILDS = 10.0  # of one chart, even if building took longer than that share
FIRST_WAIT_SECONDS = 5.0  # how long a request waits for a chart that was never built
UPDATE_WAIT_SECONDS = 0.3  # how long a request waits for a newer chart
MAX_CACHED_CHARTS = 144  # the largest, nine lanes of 800 points, takes half a megabyte
MAX_PENDING_CHARTS = 120  # of earlier moments; what is asked for beyond them is not built now
MOMENTS_PER_RACE = 20_000  # at least: other times are rounded to one of these moments
NOT_BUILT_YET = b'{"serial":-1,"version":-1,"final":false}'

Moment = tuple[str, float | None]  # a race id, and seconds on the runs' clocks (None: the present)
FindRace = Callable[[str], RaceSnapshot | None]
FindRow = Callable[[str], dict[str, Any] | None]
log = logging.getLogger(__name__)


class UnknownRaceError(BoltError):
    """No race on this server has the requested id."""


class ChartRequest(NamedTuple):
    """A requested chart, and the serial of the version that the viewer has (None: none)."""

    chart: str
    view: View = View()
    have: int | None = None
    texts_only: bool = False  # its alternative text and caption, without what is drawn

    @property
    def name(self) -> str:
        """The chart's name in the answer: "regret;x:iterations"."""
        return f"{self.chart};{self.view}"


class ChartKey(NamedTuple):
    """What identifies a cached chart."""

    race_id: str
    chart: str
    view: View
    at: float | None  # seconds on the runs' clocks; None: the present
    texts_only: bool = False


@dataclass(frozen=True, slots=True)
class ChartInput:
    """What a chart is built from."""

    race: RaceSnapshot
    relevance: Relevance | None
    held: Mapping[str, HeldCurve]  # by run id
    stamp: tuple[object, ...]  # equal stamps give equal charts
    version: int  # passes that the chart shows
    final: bool  # no newer chart will follow


class ChartServer:
    """Builds, caches and encodes charts. Every method may be called from any thread."""

    def __init__(self, find: FindRace = lambda _: None, row: FindRow = lambda _: None) -> None:
        """`find` returns a race by its id; `row` the row of a page that is no page of a race."""
        self.scores = RelevanceScores()
        self.held = HeldRegrets()
        self.built = 0  # number of charts built so far
        self._find = find
        self._row = row
        self._cached: OrderedDict[ChartKey, CachedChart] = OrderedDict()
        self._pending: set[ChartKey] = set()  # queued or being built
        self._serial = secrets.randbelow(2**40)  # differs from the serials of an earlier server
        self._worker: LatestJobWorker[Moment, Mapping[ChartKey, ChartInput]] = LatestJobWorker(
            "bolt-charts", self._build_all, urgent=lambda moment: moment[1] is None
        )

    def frame(
        self,
        race_id: str,
        chart: str,
        view: View | None = None,
        have: int | None = None,
        at: float | None = None,
    ) -> bytes:
        """Return, as JSON, what a viewer that has the serial `have` needs of one chart."""
        request = ChartRequest(chart, view or View(), have)
        return self._answers(self._race(race_id), [request], at)[0]

    def page(
        self, race_id: str, requests: Sequence[ChartRequest], at: float | None = None, run: str = ""
    ) -> bytes:
        """Return, as JSON, what is new in all charts of a page, and its status row.

        `run` names the run that the page shows; empty for a page that shows all runs.
        """
        race = self._race(race_id)
        answers = zip(requests, self._answers(race, requests, at), strict=True)
        frames = [encode(request.name) + b":" + answer for request, answer in answers]
        live = not race.status.ended
        row = self._row(race_id) or status_row(race, run)
        head = encode({"version": race.version, "live": live, "row": row})
        return head[:-1] + b',"frames":{' + b",".join(frames) + b"}}"

    def shutdown(self) -> None:
        """Stop all threads; charts that were built are still served."""
        self.scores.shutdown()
        self.held.shutdown()
        self._worker.shutdown()

    def _race(self, race_id: str) -> RaceSnapshot:
        race = self._find(race_id)
        if race is None:
            raise UnknownRaceError(f"race {race_id!r} is not on this server")
        return race

    def _answers(
        self, race: RaceSnapshot, requests: Sequence[ChartRequest], at: float | None
    ) -> list[bytes]:
        """Queue the charts that are due, wait for them a little, and encode what there is."""
        at = at if at is None else _rounded(at, race.horizon)
        keys = [ChartKey(race.race_id, r.chart, r.view, at, r.texts_only) for r in requests]
        shown = race if at is None else race.at(at)
        together = shown.together()  # once for all charts, so that they share what they compute
        ended = race.status.ended or (at is not None and at <= race.t)
        inputs = {
            key: self._input(key, race, together if _of_all(key.chart) else shown, ended)
            for key in keys
        }
        with self._worker.lock:
            due = {key: made for key, made in inputs.items() if self._is_due(key, made)}
            room = at is None or len(self._pending) + len(due) <= MAX_PENDING_CHARTS
            if due and room:
                job_key = (race.race_id, at)
                self._pending |= due.keys()
                self._worker.put(job_key, {**(self._worker.queued(job_key) or {}), **due})
            all_built = all(key in self._cached for key in keys)
            self._worker.lock.wait_for(
                lambda: self._worker.closed or self._pending.isdisjoint(keys),
                UPDATE_WAIT_SECONDS if all_built else FIRST_WAIT_SECONDS,
            )
            return [self._answer(inputs[k], k, r) for k, r in zip(keys, requests, strict=True)]

    def _answer(self, newest: ChartInput, key: ChartKey, request: ChartRequest) -> bytes:
        cached = self._cached.get(key)
        if cached is None:
            return NOT_BUILT_YET
        self._cached.move_to_end(key)
        return cached.changes_since(
            request.have, final=newest.final and not _outdated(cached, newest)
        )

    def _is_due(self, key: ChartKey, made_from: ChartInput) -> bool:
        if self._worker.closed or key in self._pending:
            return False
        cached = self._cached.get(key)
        if cached is None:
            return True
        last = made_from.final or made_from.race.status.ended
        resumed = cached.final and not last
        waited = last or resumed or time.monotonic() >= cached.due
        return _outdated(cached, made_from) and waited

    def _input(
        self, key: ChartKey, race: RaceSnapshot, shown: RaceSnapshot, ended: bool
    ) -> ChartInput:
        """Return what the chart is built from; `shown` is the race at the key's moment."""
        statuses = ((run.run_id, run.status) for run in shown.runs)
        stamp = (shown.version, shown.t, shown.status, shown.horizon, *statuses)
        chart = chart_registry.get(key.chart)
        if chart.held:
            held, versions = self.held.newest(race.runs), self.held.versions(race.runs)
            final = ended and self.held.complete(shown.runs)
            return ChartInput(shown, None, held, (*stamp, versions), shown.version, final)
        if not chart.scored:
            return ChartInput(shown, None, NO_CURVES, stamp, shown.version, ended)
        run = chart_registry.shown(shown, key.view)
        scores = self.scores.newest(run) if key.at is None else self.scores.earlier(run)
        version = scores.version if scores else -1
        final = ended and version == len(run)
        return ChartInput(shown, scores, NO_CURVES, (*stamp, version), version, final)

    def _build_all(self, inputs: Mapping[ChartKey, ChartInput]) -> None:
        """Build charts; those that took long wait longer until they are built again.

        Charts that are built for the first time do not: modules may have been loaded meanwhile.
        """
        began = time.thread_time()
        known = inputs.keys() & self._cached.keys()
        try:
            for key, made_from in inputs.items():
                self._build(key, made_from)
        finally:
            spent, now = time.thread_time() - began, time.monotonic()
            (race_id, *_), *_ = inputs  # those of one job are of one race
            share = PROBLEM_CORE_SHARE if race_id.startswith(RACE_PREFIX) else MAX_CORE_SHARE
            rest = min(spent / share, MAX_SECONDS_BETWEEN_BUILDS)
            rest = max(rest, SECONDS_BETWEEN_BUILDS)
            with self._worker.lock:
                self._pending -= inputs.keys()
                for key in inputs.keys() & self._cached.keys():
                    self._cached[key].due = now + (rest if key in known else SECONDS_BETWEEN_BUILDS)

    def _build(self, key: ChartKey, made_from: ChartInput) -> None:
        cached = self._cached.get(key)
        chart, encoded = _built(key, made_from, cached)
        with self._worker.lock:
            self.built += 1
            self._serial += 1
            if cached is None:
                cached = CachedChart(chart, self._serial, encoded)
            else:
                cached.follow(chart, encoded, self._serial)
            cached.stamp, cached.version = made_from.stamp, made_from.version
            cached.final = made_from.final
            keep_recent(self._cached, key, cached, MAX_CACHED_CHARTS)


def _outdated(cached: CachedChart, newest: ChartInput) -> bool:
    """Whether the race has moved on since a chart was built."""
    return cached.stamp != newest.stamp


def _of_all(chart: str) -> bool:
    return chart_registry.get(chart).of_all


def _rounded(at: float, horizon: float | None) -> float:
    """Return a moment with as many decimals as the length of the race gives meaning to.

    The last passes may end after the horizon, but none after twice the horizon is shown.
    """
    if not horizon:
        return at
    return round(min(at, 2.0 * horizon), -math.floor(math.log10(horizon / MOMENTS_PER_RACE)))


def _built(
    key: ChartKey, made_from: ChartInput, cached: CachedChart | None
) -> tuple[dict[str, Any], bytes | None]:
    """Return the chart, and as JSON what is new in it; an error is shown in place of the chart."""
    try:
        view = replace(key.view, relevance=made_from.relevance, held=made_from.held)
        chart = chart_registry.build(key.chart, made_from.race, view)
        if key.texts_only:
            chart = texts_of(chart)
        return chart, encode(chart) if cached is None else cached.step_to(chart)
    except Exception as problem:
        log.exception("the chart %s of race %s", key.chart, key.race_id)
        message = text_chart(f"This chart could not be drawn: {problem}") | {"inks": {}}
        return message, encode(message) if cached is None else cached.step_to(message)
