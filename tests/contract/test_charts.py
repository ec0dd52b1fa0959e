"""Every registered chart of a race is valid, whatever state the race is in."""

import json
import math
from dataclasses import replace
from functools import cache

import plotly.graph_objects as go
import pytest

from bolt_core import algorithms
from bolt_core.analysis.downsample import POINTS_PER_TRACE
from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import CHARTS, View
from bolt_core.common.types import RunStatus
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.runs.race_snapshot import RaceSnapshot
from tests.support.runs import make_pruned_run, real_run

INSIDE = ("fit", "scores", "history", "theta", "departures", "posterior", "rule", "steps")
CONTENT = {"plot": "data", "table": "rows", "text": "text", "strip": "rows", "steps": "steps"}
NOT_A_NUMBER = ("nan", "NaN", "None", "inf", "Infinity")
OF_KNOBS = {"knob", "results"}  # text without knobs that have names, as in a benchmark's run


def valid(chart):
    """Check a chart as the browser gets it: JSON without NaN, and never empty."""
    chart = json.loads(json.dumps(chart, allow_nan=False))
    assert chart[CONTENT[chart["kind"]]]
    meta = chart["layout"]["meta"] if chart["kind"] == "plot" else chart
    texts = " ".join(str(meta.get(name, "")) for name in ("text", "alt", "caption", "chip"))
    assert not any(f" {word}" in texts for word in NOT_A_NUMBER), texts
    if chart["kind"] in ("plot", "table", "strip"):
        assert meta["alt"]
    if chart["kind"] == "plot":
        _valid_plot(chart)
    if chart["kind"] == "table":
        assert all(len(row["cells"]) == len(chart["columns"]) for row in chart["rows"])
    for style in chart["inks"].values():
        assert set(style) == {"light", "dark", "dash", "symbol"}
    return chart


def _valid_plot(chart):
    go.Figure(data=chart["data"], layout=chart["layout"])
    assert len(chart["times"]) == len(chart["data"])
    for trace, times in zip(chart["data"], chart["times"], strict=True):
        assert len(trace["x"]) <= POINTS_PER_TRACE
        assert times in ("x", None) or len(times) == len(trace["x"])


def race(*runs, status=RunStatus.RUNNING, **rest):
    reached = {"t": max((run.end for run in runs), default=0.0)} | rest
    return RaceSnapshot("r", status, runs, horizon=60.0, **reached)


def two_lanes(n):
    return make_pruned_run(n), make_pruned_run(n, algorithm="gpucb")


def with_column(run, **columns):
    """The run with other numbers from its pass 40 on, or from the first if it is shorter."""
    run = replace(run, columns=replace(run.columns, table=run.columns.table.copy()))
    for name, value in columns.items():
        run.columns[name][min(40, len(run) // 2) :] = value
    return run


def unknown_optimum(run):
    run = replace(run, columns=replace(run.columns, table=run.columns.table.copy()))
    run.columns["best"][:] = math.nan
    return run


RACES = {
    "empty": lambda: race(*two_lanes(0), status=RunStatus.STARTING),
    "one pass": lambda: race(*two_lanes(1), status=RunStatus.WARMING_UP),
    "two passes": lambda: race(*two_lanes(2), status=RunStatus.WARMING_UP),
    "warm-up only": lambda: race(*two_lanes(15)),
    "one query after the warm-up": lambda: race(*two_lanes(16)),
    "finished": lambda: race(*two_lanes(600), status=RunStatus.FINISHED, t=60.0),
    "paused": lambda: race(*two_lanes(60), status=RunStatus.PAUSED),
    "long": lambda: race(*two_lanes(10_000)),
    "one failed run": lambda: race(
        make_pruned_run(60), replace(make_pruned_run(20), status=RunStatus.FAILED, error="broke")
    ),
    "failed before its first query": lambda: race(
        replace(make_pruned_run(0), status=RunStatus.FAILED, error="broke"), status=RunStatus.FAILED
    ),
    "unknown optimum": lambda: race(*(unknown_optimum(run) for run in two_lanes(60))),
    "no finite n*": lambda: race(with_column(make_pruned_run(60), n_star=math.nan)),
    "no header, unknown algorithm": lambda: race(
        replace(make_pruned_run(60, algorithm="of-another-package"), header=None)
    ),
}


@cache
def made(state):
    """Return the race in that state, made once: a snapshot is immutable."""
    return RACES[state]()


@pytest.mark.parametrize("state", RACES)
@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_valid_in_every_state_of_a_race(name, state):
    valid(chart_registry.build(name, made(state), View()))


@pytest.mark.parametrize("x", chart_registry.VIEW_CHOICES["x"])
@pytest.mark.parametrize("stat", chart_registry.VIEW_CHOICES["stat"])
@pytest.mark.parametrize("scale", chart_registry.VIEW_CHOICES["scale"])
def test_every_view_of_the_regret_is_valid(x, stat, scale):
    for state in ("empty", "warm-up only", "finished", "unknown optimum"):
        valid(chart_registry.build("regret", made(state), View(x, stat, scale)))


@pytest.mark.parametrize("key", algorithms.catalog())
def test_every_chart_is_valid_for_every_algorithm(key):
    for passes in (15, 16, 45):
        run = real_run(key, passes)
        scores = Relevance(len(run), 1.0, tuple(run.members()), (0.1,) * len(run.members()))
        for name in CHARTS:
            valid(chart_registry.build(name, race(run), View(relevance=scores)))


@pytest.mark.parametrize("name", INSIDE)
def test_charts_of_one_run_leave_unknown_numbers_out(name):
    run = with_column(make_pruned_run(60), n_star=math.nan, seconds=math.nan)

    valid(chart_registry.build(name, race(run), View()))


@pytest.mark.parametrize("name", CHARTS)
def test_a_failed_run_keeps_its_charts(name):
    failed = replace(make_pruned_run(60), status=RunStatus.FAILED, error="broke")
    chart = valid(chart_registry.build(name, race(failed, status=RunStatus.FAILED), View()))

    assert chart["kind"] != "text" or name in {"headline", "scores", "response"} | OF_KNOBS
