"""Every chart of a race by name: each takes a race and a view, and returns a plain dict.

A chart has a kind (plot, table, text, strip, steps or told) and holds only JSON values. To add one,
write a builder under figures/, add a line to CHARTS, and show it as a card in the page's module of
bolt_ui (an Arena card that `?hide=` may hide has its name in `bolt_ui/presentation.py` too).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain, count
from types import MappingProxyType
from typing import Any

from bolt_core.analysis.held_regret import HeldCurve
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunStatus
from bolt_core.figures.arena import headline, regret_and_size
from bolt_core.figures.arena.landscape import landscape_now
from bolt_core.figures.arena.leaderboard import leaderboard
from bolt_core.figures.arena.metronome import metronome
from bolt_core.figures.arena.response_against_regret import response_against_regret
from bolt_core.figures.arena.unknown_optimum import own_headline
from bolt_core.figures.inside import response_and_size
from bolt_core.figures.inside.algorithm1 import steps
from bolt_core.figures.inside.hyperparameters import hyperparameters
from bolt_core.figures.inside.posterior import posterior
from bolt_core.figures.inside.relevance import Relevance, missing_scores_reason, relevance
from bolt_core.figures.inside.removals import removal_table
from bolt_core.figures.inside.rules import rule
from bolt_core.figures.inside.size_history import size_history
from bolt_core.figures.problem.drift import drift
from bolt_core.figures.problem.knob_slice import knob_slice
from bolt_core.figures.problem.measurements import measurements
from bolt_core.figures.problem.told_table import told_table
from bolt_core.figures.shared.chart_dicts import text_chart
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.own_problem import is_own_problem
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

VIEW_CHOICES = {  # the first is the default
    "x": ("seconds", "iterations"),
    "stat": ("average", "instant", "cumulative"),
    "scale": ("linear", "log"),
}
RUN_NAME = re.compile(r"[a-z0-9.-]{0,60}")  # as in "bolt.0"
SMALL_NUMBER = re.compile(r"[0-9]{1,6}")
NUMBERS = ("knob", "page")  # settings that are numbers
DEFAULT_ALGORITHM = "bolt"
WAITING = "The first curve appears with the first query after the warm-up."


@dataclass(frozen=True, slots=True)
class View:
    """The settings of a chart, written in a URL as "x:iterations,show:bolt.0"."""

    x: str = "seconds"
    stat: str = "average"
    scale: str = "linear"
    show: str = ""  # name of the run that the Inside charts show
    knob: str = "0"  # number of the knob of a user's own problem, from 0
    page: str = "1"  # of the table of measurements
    relevance: Relevance | None = field(default=None, compare=False)  # set by the chart server
    held: Mapping[str, HeldCurve] = field(default_factory=dict, compare=False)  # too, by run id

    @classmethod
    def parse(cls, text: str) -> View:
        """Read a view from a URL; invalid settings fall back to the default."""
        pairs = (pair.partition(":") for pair in text.split(","))
        return cls.of({name: value for name, _, value in pairs})

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> View:
        """Return a view with these settings; invalid ones fall back to the default."""
        valid: dict[str, Any] = {k: value for k, value in settings.items() if _is_valid(k, value)}
        return cls(**valid)

    def __str__(self) -> str:
        settings = [(f.name, getattr(self, f.name), f.default) for f in fields(self) if f.compare]
        return ",".join(f"{name}:{value}" for name, value, usual in settings if value != usual)


@dataclass(frozen=True, slots=True)
class Chart:
    """How a chart is built.

    A chart of all runs shows the time that all of them have reached (`RaceSnapshot.together`).
    """

    build: Callable[[RaceSnapshot, View], dict[str, Any]]
    scored: bool = False  # it draws the relevance W_2 of the run it shows
    of_all: bool = False  # it shows all runs
    held: bool = False  # it shows the held regret of all runs


def build(name: str, race: RaceSnapshot, view: View) -> dict[str, Any]:
    """Return the chart of that name, with the colours of its algorithms."""
    chart = get(name)
    return inked(chart.build(race.together() if chart.of_all else race, view))


def inked(chart: dict[str, Any]) -> dict[str, Any]:
    """Return the chart with the colours, dash pattern and marker symbol of each algorithm in it."""
    styles = {key: line_style(key) for key in sorted(set(_algorithms(chart)))}
    inks = {
        key: {"light": s.light, "dark": s.dark, "dash": s.dash, "symbol": s.symbol}
        for key, s in styles.items()
    }
    return chart | {"inks": inks}


def get(name: str) -> Chart:
    """Return the chart of that name; raise ConfigError for an unknown one."""
    if name not in CHARTS:
        raise ConfigError(f"there is no chart {name!r}; choose from {', '.join(CHARTS)}")
    return CHARTS[name]


def choices(race: RaceSnapshot) -> Mapping[str, RunSnapshot]:
    """Return the runs of a race by name, BOLT and its variants before the others.

    "bolt.0" is BOLT with seed 0; a second lane of it, say on another engine, is "bolt.0.2".
    """
    runs: dict[str, RunSnapshot] = {}
    for run in sorted(race.runs, key=lambda run: _rank(run.config.algorithm)):
        name = f"{run.config.algorithm}.{run.config.seed}"
        more = (f"{name}.{k}" for k in count(2))
        runs[next(free for free in chain([name], more) if free not in runs)] = run
    return runs


def shown(race: RaceSnapshot, view: View) -> RunSnapshot:
    """Return the run that a view names; the first one if it names none of this race."""
    runs = choices(race)
    return runs.get(view.show) or next(iter(runs.values()))


def _of_runs(draw: Callable[[Sequence[RunSnapshot]], dict[str, Any]]) -> Chart:
    """Return a chart of all runs of the race."""
    return Chart(lambda race, _: draw(race.runs), of_all=True)


def _of_run(draw: Callable[[RunSnapshot], dict[str, Any]]) -> Chart:
    """Return a chart of the run that the view names."""
    return Chart(lambda race, view: draw(shown(race, view)))


def _regret(race: RaceSnapshot, view: View) -> dict[str, Any]:
    return regret_and_size.regret_curve(race.runs, view.x, view.stat, view.scale)


def _headline(race: RaceSnapshot, _: View) -> dict[str, Any]:
    sentence = headline.headline(race.runs)
    if sentence is None and is_own_problem(race.runs[0]):
        sentence = own_headline(race.runs[0])
    return text_chart(sentence, "plain") if sentence else text_chart(WAITING)


def _fit(race: RaceSnapshot, view: View) -> dict[str, Any]:
    run = shown(race, view)
    return _drawn(response_and_size.response_and_size(run), response_and_size.fit_summary(run))


def _scores(race: RaceSnapshot, view: View) -> dict[str, Any]:
    run, scores = shown(race, view), view.relevance
    return _drawn(relevance(run, scores), missing_scores_reason(run, scores))


def _steps(race: RaceSnapshot, view: View) -> dict[str, Any]:
    lines = steps(shown(race, view))
    if not lines:
        return text_chart("Algorithm 1 has not started yet.")
    return {"kind": "steps", "steps": lines, "stepping": race.status == RunStatus.PAUSED}


CHARTS: Mapping[str, Chart] = MappingProxyType(
    {
        "regret": Chart(_regret, of_all=True),
        "size": _of_runs(regret_and_size.dataset_size),
        "leaderboard": Chart(
            lambda race, view: leaderboard(race.runs, view.held), of_all=True, held=True
        ),
        "response": _of_runs(response_against_regret),
        "landscape": _of_runs(landscape_now),
        "metronome": _of_runs(metronome),
        "headline": Chart(_headline, of_all=True),
        "fit": Chart(_fit),
        "scores": Chart(_scores, scored=True),
        "history": _of_run(size_history),
        "theta": _of_run(hyperparameters),
        "departures": _of_run(removal_table),
        "posterior": Chart(
            lambda race, view: posterior(shown(race, view), view.relevance), scored=True
        ),
        "rule": _of_run(rule),
        "steps": Chart(_steps),
        "measured": _of_run(measurements),
        "knob": Chart(lambda race, view: knob_slice(shown(race, view), int(view.knob))),
        "drift": _of_run(drift),
        "results": Chart(lambda race, view: told_table(shown(race, view), int(view.page))),
    }
)


def _drawn(plot: dict[str, Any], otherwise: str = WAITING) -> dict[str, Any]:
    """Return the plot, or a text where it would have no data; traces without times do not grow."""
    data = plot["data"]
    return {"times": [None] * len(data), **plot} if data else text_chart(otherwise)


def _algorithms(chart: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of the algorithms in a chart."""
    for trace in chart.get("data", ()):
        if isinstance(trace.get("meta"), str):
            yield trace["meta"]
    for entry in (*chart.get("rows", ()), *chart.get("columns", ())):
        if entry.get("key"):
            yield entry["key"]


def _is_valid(name: str, value: str) -> bool:
    if name in NUMBERS:
        return bool(SMALL_NUMBER.fullmatch(value))
    if name == "show":
        return bool(RUN_NAME.fullmatch(value))
    return value in VIEW_CHOICES.get(name, ())


def _rank(algorithm: str) -> int:
    """Return 0 for BOLT, 1 for its variants, 2 for other algorithms."""
    if algorithm == DEFAULT_ALGORITHM:
        return 0
    return 1 if algorithm.startswith(DEFAULT_ALGORITHM) else 2
