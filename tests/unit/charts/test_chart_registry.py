"""The register of charts: every one is plain JSON whatever a race looks like; views are checked."""

import json

import pytest

from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import CHARTS, View
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from tests.support.runs import make_fitted_run, make_run

FILLED = {
    "plot": "data",
    "table": "rows",
    "text": "text",
    "strip": "rows",
    "steps": "steps",
    "told": "rows",
}


def race(*runs, status=RunStatus.RUNNING):
    return RaceSnapshot("r", status, runs, max(run.end for run in runs), 60.0)


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("n", [0, 1, 15, 16, 60, 2000])
def test_every_chart_is_json_and_never_empty_axes(name, n):
    chart = chart_registry.build(
        name, race(make_fitted_run(n), make_fitted_run(n, algorithm="gpucb", notes={})), View()
    )

    assert json.loads(json.dumps(chart, allow_nan=False)) == chart
    assert chart[FILLED[chart["kind"]]]


@pytest.mark.parametrize("view", ["seconds", "iterations"])
@pytest.mark.parametrize("name", ["regret", "size"])
def test_a_replay_knows_when_each_point_was_there(name, view):
    chart = chart_registry.build(name, race(make_run(60), make_run(60, seed=1)), View(x=view))

    assert len(chart["times"]) == len(chart["data"])
    for trace, times in zip(chart["data"], chart["times"], strict=True):
        when = trace["x"] if times == "x" else times
        known = [t for t in when if t is not None]
        assert len(when) == len(trace["x"])
        assert max(known) == pytest.approx(6.0)  # the end of the last pass of `make_run`


def test_a_view_is_read_from_a_url_and_said_again():
    view = View.parse("x:iterations,show:bolt.0")

    assert view == View(x="iterations", show="bolt.0")
    assert str(view) == "x:iterations,show:bolt.0"
    assert str(View()) == ""


@pytest.mark.parametrize(
    "bad", ["x:minutes", "show:<script>", "stat", "evil:1", "relevance:1", ";;;", "x:seconds:"]
)
def test_what_a_view_cannot_be_falls_back(bad):
    assert View.parse(bad) == View()


def test_an_unknown_chart_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"no chart 'pie'.*regret"):
        chart_registry.build("pie", race(make_fitted_run(20)), View())


def test_the_run_shown_is_bolts_unless_another_is_named():
    runs = race(make_fitted_run(20, algorithm="gpucb"), make_fitted_run(20))

    assert chart_registry.shown(runs, View()).config.algorithm == "bolt"
    assert chart_registry.shown(runs, View(show="gpucb.0")).config.algorithm == "gpucb"
    assert chart_registry.shown(runs, View(show="abo.7")).config.algorithm == "bolt"


def test_a_chart_carries_the_inks_of_its_algorithms():
    chart = chart_registry.build(
        "leaderboard", race(make_fitted_run(20), make_fitted_run(20, algorithm="abo")), View()
    )

    bolt = {"light": "#D62A0B", "dark": "#F26A4B", "dash": "solid", "symbol": "circle"}
    assert chart["inks"]["bolt"] == bolt
    assert set(chart["inks"]) == {"bolt", "abo"}


def test_the_leaderboard_is_in_order_and_marks_who_failed():
    runs = race(
        make_run(40, algorithm="gpucb", regret=5.0),
        make_run(40, algorithm="bolt", regret=2.0),
        make_run(20, algorithm="abo", error="broke"),
    )
    board = chart_registry.build("leaderboard", runs, View())

    assert [row["key"] for row in board["rows"]] == ["bolt", "gpucb", "abo"]
    assert [row["cells"][0] for row in board["rows"]] == ["1", "2", ""]
    assert [row.get("failed", False) for row in board["rows"]] == [False, False, True]
    assert all(len(row["cells"]) == len(board["columns"]) for row in board["rows"])
