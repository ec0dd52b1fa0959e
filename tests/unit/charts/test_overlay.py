"""Races laid over each other: cut at the common horizon and to the common seeds, and said so."""

import json
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bolt_core.analysis.standings import standings
from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import View
from bolt_core.charts.overlay import overlay_races
from bolt_core.charts.status_row import clocks, status_row
from bolt_core.common.devices import device
from bolt_core.common.types import ClockConfig, RunStatus
from bolt_core.runs.loop import iterate, prepare
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store.library import race_from_runs
from tests.support.runs import STEEP, make_config, make_run

SHORT, LONG = 6.0, 9.0  # seconds


@cache
def real_race(horizon, algorithm="bolt"):
    """A race of one computed run, from its first pass to its horizon."""
    run = prepare(make_config(algorithm=algorithm, clock=STEEP, horizon=horizon))
    finished = make_run(
        list(iterate(run)),
        config=run.config,
        status=RunStatus.FINISHED,
        header=run.header_fields(),
        run_id=f"{algorithm}-{horizon}",
    )
    return race_from_runs(f"r{horizon:g}", [finished])


def made_race(race_id, seeds, *, algorithms=("bolt",), horizon=6.0, **choices):
    """A race of made runs of 60 passes; the regret depends on the seed."""
    runs = tuple(
        make_run(60, algorithm=key, seed=seed, regret=1.0 + seed, run_id=f"{race_id}{key}{seed}")
        for key in algorithms
        for seed in seeds
    )
    config = {name: value for name, value in choices.items() if name in ("clock", "benchmark")}
    header = {"horizon": horizon, **choices.get("header", {})}
    runs = tuple(
        replace(run, status=RunStatus.FINISHED, header=header, config=replace(run.config, **config))
        for run in runs
    )
    return RaceSnapshot(race_id, RunStatus.FINISHED, runs, horizon, horizon)


def drawn(name, race):
    return chart_registry.build(name, race, View())


@pytest.mark.parametrize("algorithm", ["bolt", "random"])
def test_a_longer_race_is_cut_to_the_bits_of_one_with_the_common_horizon(algorithm):
    short, long = real_race(SHORT, algorithm), real_race(LONG, algorithm)
    both = overlay_races("a,b", [long, short])
    cut, whole = both.together().runs

    assert both.t == SHORT
    assert short.runs[0].end > SHORT  # its last pass ends after the horizon
    assert len(cut) == len(whole) == len(short.runs[0]) < len(long.runs[0])
    assert np.array_equal(cut.columns.table, whole.columns.table, equal_nan=True)
    rows = [replace(row, label="", nth=0, key="") for row in standings(both.together().runs)]
    assert rows[0] == rows[1]
    curves = [t for t in drawn("regret", both)["data"] if t["mode"] == "lines"]
    assert curves[0]["x"] == curves[1]["x"]
    assert curves[0]["y"] == curves[1]["y"]


def test_a_replay_of_compared_races_shows_the_passes_that_have_ended():
    races = [real_race(SHORT), real_race(LONG)]
    t = float(races[0].runs[0].columns["t"][-1]) + 1e-3  # within the last pass of the shorter one
    then = overlay_races("a,b", races).at(t).together()

    assert [len(run) for run in then.runs] == [len(races[0].runs[0]) - 1] * 2


def test_a_race_that_did_not_reach_its_horizon_is_compared_on_passes_that_have_ended():
    whole = real_race(LONG)
    part = race_from_runs("p", [whole.runs[0].upto(30)])
    both = overlay_races("a,b", [part, whole])

    assert both.t == part.runs[0].end
    assert [len(run) for run in both.together().runs] == [30, 30]


def test_a_run_that_failed_or_stopped_after_the_common_horizon_had_finished_by_then():
    late = real_race(LONG).runs[0]
    failed = replace(late, status=RunStatus.FAILED, error="broken")
    early = replace(failed.upto(20), status=RunStatus.FAILED, error="broken")
    both = overlay_races("a,b", [real_race(SHORT), race_from_runs("f", [failed, early, late])])
    statuses = [run.status for run in both.together().runs]

    assert statuses == [
        RunStatus.FINISHED,
        RunStatus.FINISHED,
        RunStatus.FAILED,
        RunStatus.FINISHED,
    ]


def texts(name, race):
    """The words of a chart, among all else that it has."""
    return json.dumps(drawn(name, race), ensure_ascii=False)


def test_races_are_compared_on_the_seeds_that_all_of_them_have():
    both = overlay_races("a,b", [made_race("a", (0, 1, 2)), made_race("b", (0, 1))])
    rows = standings(both.runs)
    said = status_row(both)["compared"]

    assert [row.seeds for row in rows] == [2, 2]
    assert rows[0].average_regret == rows[1].average_regret  # of equal runs of equal seeds
    assert "2 seeds" in texts("headline", both)
    for chart in ("headline", "leaderboard", "regret", "size", "response"):
        assert set(re.findall(r"(\d+) seeds", texts(chart, both))) == {"2"}
    for words in ("seeds differ", "race 1 has seeds 0 to 2", "only seeds 0 to 1"):
        assert words in said


def test_without_a_common_seed_all_seeds_are_kept_and_counted_per_lane():
    both = overlay_races("a,b", [made_race("a", (0, 1, 2)), made_race("b", (5, 7))])
    board = drawn("leaderboard", both)
    at = [column["name"] for column in board["columns"]].index("Seeds")

    assert {row["cells"][1]: row["cells"][at] for row in board["rows"]} == {
        "BOLT, race 1": "3",
        "BOLT, race 2": "2",
    }
    for chart in ("headline", "leaderboard", "regret", "size", "response"):
        assert "3 and 2 seeds" in texts(chart, both)
    assert "seeds 5 and 7" in status_row(both)["compared"]
    assert "No seed is common" in status_row(both)["compared"]


def test_equal_seeds_are_not_remarked_on():
    both = overlay_races("a,b", [made_race("a", (0, 1)), made_race("b", (0, 1))])

    assert both.notes == ()
    assert "Seeds" not in [column["name"] for column in drawn("leaderboard", both)["columns"]]


def test_a_race_on_another_benchmark_is_named_with_the_reason():
    header = {"label": "My kiln", "bounds": [[0.0, 1.0]]}
    mine = made_race("b", (0,), benchmark="my-kiln", header=header, clock=ClockConfig("wall"))
    races = [made_race("a", (0,)), mine, made_race("c", (0,))]
    both = overlay_races("a,b,c", races, ["", "kiln, Monday", ""])
    alone = overlay_races("a,b", races[:2])

    assert {run.race for run in both.runs} == {"race 1", "race 3"}
    for words in ("Left out: kiln, Monday", "own problem My kiln", "different benchmarks"):
        assert words in status_row(both)["compared"]
    assert alone.runs == races[0].runs
    assert alone.race_id == "a,b"
    assert "Left out: race 2" in status_row(alone)["compared"]
    assert status_row(races[0])["compared"] is None


def test_every_race_has_a_title_of_its_own():
    names = ["race 2", "", "race 2"]
    three = overlay_races("a,b,c", [made_race(key, (0,)) for key in "abc"], names)

    assert len({run.race for run in three.runs}) == 3


def test_every_device_is_named_and_runs_are_several():
    paper = ClockConfig("model", device=device("paper"))
    both = overlay_races("a,b", [made_race("a", (0,)), made_race("b", (0,), clock=paper)])
    first, second = status_row(both)["compared"].splitlines()

    assert "nominal device" in first
    assert "paper device" in second
    assert "nominal device" in clocks(both.runs)
    assert "paper device" in clocks(both.runs)
    assert "in these runs" in texts("headline", both)


def test_all_lanes_of_two_races_are_named_at_their_line_ends():
    keys = ("bolt", "w-dbo", "gpucb")
    both = overlay_races("a,b", [made_race(key, (0,), algorithms=keys) for key in "ab"])

    for chart in ("regret", "size"):
        named = {note["text"] for note in drawn(chart, both)["layout"]["annotations"]}
        assert named >= {row.label for row in standings(both.runs)}
