"""Every chart of the dashboard by name: a race and a view in, a plain dict out.

A chart has a kind (plot, table, text, strip or steps) and holds nothing but JSON. To add one, write
a builder under figures/ and give it a line in CHARTS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain, count
from types import MappingProxyType
from typing import Any

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunStatus
from bolt_core.figures.arena import headline, regret_and_size
from bolt_core.figures.arena.landscape import landscape_now
from bolt_core.figures.arena.leaderboard import leaderboard
from bolt_core.figures.arena.metronome import metronome
from bolt_core.figures.arena.response_against_regret import response_against_regret
from bolt_core.figures.inside import response_and_size
from bolt_core.figures.inside.algorithm1 import steps
from bolt_core.figures.inside.relevance import Relevance, missing_scores_reason, relevance
from bolt_core.figures.inside.run_charts import WITHIN, Within
from bolt_core.figures.shared.chart_dicts import text_chart
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

CHOICES = {  # the first is the default
    "x": ("seconds", "iterations"),
    "stat": ("average", "instant", "cumulative"),
    "scale": ("linear", "log"),
}
NAME = re.compile(r"[a-z0-9.-]{0,60}")  # of a run, "bolt.0"
FIRST = "bolt"
WAITING = "The first curve comes with the first query after the warm-up."


@dataclass(frozen=True, slots=True)
class View:
    """How a viewer looks at a chart, as a URL says it: "x:iterations,show:bolt.0"."""

    x: str = "seconds"
    stat: str = "average"
    scale: str = "linear"
    show: str = ""  # the run to look into
    relevance: Relevance | None = field(default=None, compare=False)  # from the frames

    @classmethod
    def parse(cls, text: str) -> View:
        pairs = (pair.partition(":") for pair in text.split(","))
        return cls.of({name: value for name, _, value in pairs})

    @classmethod
    def of(cls, told: Mapping[str, str]) -> View:
        """What cannot be falls back to the default."""
        allowed: dict[str, Any] = {n: value for n, value in told.items() if _allowed(n, value)}
        return cls(**allowed)

    def __str__(self) -> str:
        told = [(f.name, getattr(self, f.name), f.default) for f in fields(self) if f.compare]
        return ",".join(f"{name}:{value}" for name, value, usual in told if value != usual)


@dataclass(frozen=True, slots=True)
class Chart:
    """How one is built; `scored` if it draws the W_2 of the run shown."""

    build: Callable[[RaceSnapshot, View], dict[str, Any]]
    scored: bool = False


def build(name: str, seen: RaceSnapshot, view: View) -> dict[str, Any]:
    """The chart of that name, with how each algorithm in it is drawn."""
    return inked(get(name).build(seen, view))


def inked(chart: dict[str, Any]) -> dict[str, Any]:
    """A chart with how each algorithm in it is drawn."""
    inks = {key: line_style(key) for key in sorted(set(_keys(chart)))}
    told = {k: {"light": i.light, "dark": i.dark, "dash": i.dash} for k, i in inks.items()}
    return chart | {"inks": told}


def get(name: str) -> Chart:
    if name not in CHARTS:
        raise ConfigError(f"there is no chart {name!r}; choose from {', '.join(CHARTS)}")
    return CHARTS[name]


def choices(seen: RaceSnapshot) -> Mapping[str, RunSnapshot]:
    """The runs of a race by name, BOLT and its variants before the others.

    "bolt.0" is BOLT with seed 0; a second lane of it, say on another engine, is "bolt.0.2".
    """
    found: dict[str, RunSnapshot] = {}
    for run in sorted(seen.runs, key=lambda run: _rank(run.config.algorithm)):
        name = f"{run.config.algorithm}.{run.config.seed}"
        more = (f"{name}.{k}" for k in count(2))
        found[next(free for free in chain([name], more) if free not in found)] = run
    return found


def shown(seen: RaceSnapshot, view: View) -> RunSnapshot:
    """The run a view looks into; the first if it names none of this race."""
    runs = choices(seen)
    return runs.get(view.show) or next(iter(runs.values()))


def _of_runs(draw: Callable[[Sequence[RunSnapshot]], dict[str, Any]]) -> Chart:
    """A chart of the whole race."""
    return Chart(lambda seen, _: draw(seen.runs))


def _within(draw: Within, *, scored: bool) -> Chart:
    """A chart of the run that is looked into."""
    return Chart(lambda seen, view: draw(shown(seen, view), view.relevance), scored)


def _regret(seen: RaceSnapshot, view: View) -> dict[str, Any]:
    return regret_and_size.regret_curve(seen.runs, view.x, view.stat, view.scale)


def _headline(seen: RaceSnapshot, _: View) -> dict[str, Any]:
    said = headline.headline(seen.runs, seen.cursor)
    return {"kind": "text", "text": said, "tone": "plain"} if said else text_chart(WAITING)


def _fit(seen: RaceSnapshot, view: View) -> dict[str, Any]:
    run = shown(seen, view)
    return _drawn(response_and_size.response_and_size(run), response_and_size.fit_summary(run))


def _scores(seen: RaceSnapshot, view: View) -> dict[str, Any]:
    run, found = shown(seen, view), view.relevance
    return _drawn(relevance(run, found), missing_scores_reason(run, found))


def _steps(seen: RaceSnapshot, view: View) -> dict[str, Any]:
    told, stepping = steps(shown(seen, view)), seen.status == RunStatus.PAUSED
    if not told:
        return text_chart("Algorithm 1 has not begun yet.")
    return {"kind": "steps", "steps": told, "stepping": stepping}


CHARTS: Mapping[str, Chart] = MappingProxyType(
    {
        "regret": Chart(_regret),
        "size": _of_runs(regret_and_size.dataset_size),
        "leaderboard": Chart(lambda seen, _: leaderboard(seen.runs, seen.cursor)),
        "response": _of_runs(response_against_regret),
        "landscape": _of_runs(landscape_now),
        "metronome": _of_runs(metronome),
        "headline": Chart(_headline),
        "fit": Chart(_fit),
        "scores": Chart(_scores, scored=True),
        **{name: _within(draw, scored=name == "posterior") for name, draw in WITHIN.items()},
        "steps": Chart(_steps),
    }
)


def _drawn(plot: dict[str, Any], otherwise: str = WAITING) -> dict[str, Any]:
    """The plot, or words where it would be empty axes; a trace that says no times does not grow."""
    data = plot["data"]
    return {"times": [None] * len(data), **plot} if data else text_chart(otherwise)


def _keys(chart: Mapping[str, Any]) -> Iterator[str]:
    """The algorithms a chart speaks of."""
    for trace in chart.get("data", ()):
        if isinstance(trace.get("meta"), str):
            yield trace["meta"]
    for named in (*chart.get("rows", ()), *chart.get("columns", ())):
        if named.get("key"):
            yield named["key"]


def _allowed(name: str, value: str) -> bool:
    if name == "show":
        return bool(NAME.fullmatch(value))
    return value in CHOICES.get(name, ())


def _rank(algorithm: str) -> int:
    return 0 if algorithm == FIRST else 1 if algorithm.startswith(FIRST) else 2
