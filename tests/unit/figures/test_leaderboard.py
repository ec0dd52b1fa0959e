"""The leaderboard: ranks as printed, failures named, lanes told apart."""

import re
from dataclasses import replace

import numpy as np

from bolt_core.analysis.held_regret import HeldCurve
from bolt_core.analysis.lanes import lanes
from bolt_core.common.types import EngineConfig, RunStatus
from bolt_core.figures.arena.headline import headline
from bolt_core.figures.arena.leaderboard import MISSING, leaderboard
from bolt_core.figures.shared.palette import line_style
from tests.support.runs import make_run


def test_the_leaderboard_ranks_what_it_prints_and_says_why_a_row_failed():
    runs = [
        make_run(40, algorithm="abo", regret=2.0001),
        make_run(40, algorithm="w-dbo", regret=2.0),
        make_run(40, algorithm="gpucb", regret=3.0),
        make_run(40, algorithm="bolt", n_star=12, regret=1.0, error="it broke\ntraceback"),
        make_run(10),
    ]
    chart = leaderboard(runs)
    names = [column["name"] for column in chart["columns"]]

    assert names[1:4] == ["Algorithm", "Average regret", "Held regret"]
    assert names[4:] == ["n", "n*", "Mean response", "Queries"]
    assert [row["cells"][0] for row in chart["rows"]] == ["1", "1", "3", "", ""]
    assert re.search(r"BOLT .*3\.9 s: it broke", chart["caption"])
    assert "traceback" not in chart["caption"]
    assert [row["key"] for row in chart["rows"] if row.get("failed")] == ["bolt"]


def test_a_failed_seed_is_named_and_does_not_count():
    broken = make_run(20, seed=1, regret=9.0, error="it broke")
    (row,) = leaderboard([make_run(40, regret=1.0), broken])["rows"]

    assert row["cells"][1:3] == ["Random (1 of 2 failed)", "1.00"]


def test_a_lane_that_stopped_asking_is_named_and_has_no_rank():
    early = make_run(40, algorithm="abo", regret=0.1, status=RunStatus.FINISHED)  # ends at 4 s
    early = replace(early, header={"horizon": 4.5})
    late = make_run(40, algorithm="gpucb", regret=2.0, status=RunStatus.FINISHED)
    chart = leaderboard([early, late])

    assert [row["cells"][0] for row in chart["rows"]] == ["1", ""]
    assert [row["key"] for row in chart["rows"]] == ["gpucb", "abo"]
    assert "stopped asking" in chart["rows"][1]["cells"][1]
    assert "last tenth" in chart["caption"]


def test_baselines_have_no_rank_beside_other_algorithms():
    lanes = ("random", "bolt", "hold", "gpucb")
    runs = [make_run(40, algorithm=key, regret=float(i)) for i, key in enumerate(lanes, 1)]
    chart, alone = leaderboard(runs), leaderboard(runs[::2])

    assert [row["cells"][0] for row in chart["rows"]] == ["", "1", "", "2"]
    assert "Random and Hold" in chart["caption"]
    assert re.search(r"BOLT .*ranked.*Random,.*lower", headline(runs))
    assert "ranked" not in headline(runs[1:])  # BOLT is the lowest of all
    assert [row["cells"][0] for row in alone["rows"]] == ["1", "2"]


def test_a_baseline_that_responds_much_faster_is_contrasted_with_the_others():
    runs = [make_run(40, algorithm=key, regret=2.0, seconds=1.0) for key in ("bolt", "gpucb")]
    fast = make_run(40, algorithm="hold", regret=1.0, seconds=0.01)

    assert "similar" in headline(runs)
    assert "Hold keeps" in headline([*runs, fast])


def test_without_any_rank_the_headline_names_the_lowest():
    runs = [
        make_run(
            40, algorithm=key, regret=regret, status=RunStatus.FINISHED, header={"horizon": 9.0}
        )
        for key, regret in (("abo", 2.0), ("gpucb", 1.0))
    ]

    assert headline(runs).startswith("After 9 s GPUCB ")


def test_held_regret_is_the_mean_over_the_seeds_and_a_dash_until_all_are_known():
    runs = [make_run(40, run_id="a"), make_run(40, seed=1, run_id="b")]
    curves = {
        name: HeldCurve(np.array([1.5, 4.0]), np.array([0.0, 2.5 * held]), 40, 1)
        for name, held in (("a", 2.0), ("b", 4.0))
    }
    at = [column["name"] for column in leaderboard(runs)["columns"]].index("Held regret")

    def shown(moment, held):
        then = [replace(run, moment=moment) for run in runs]
        return leaderboard(then, held)["rows"][0]["cells"][at]

    assert shown(None, curves) == "3.00"
    assert shown(2.0, curves) == shown(4.5, curves) == "3.00"
    assert shown(9.0, curves) == MISSING  # the curve ends at 4 s: it would speak of another moment
    assert shown(None, {"a": curves["a"]}) == shown(None, {}) == shown(1.0, curves) == MISSING


def test_two_lanes_of_one_algorithm_share_its_colour_and_differ_in_their_dash():
    one = make_run(40)
    two = replace(one, config=replace(one.config, engine=EngineConfig("botorch")))
    first, second = lanes([one, two, replace(one, config=replace(one.config, seed=4))])
    table = leaderboard([one, two])

    assert (len(first.runs), len(second.runs)) == (2, 1)
    styles = [line_style(lane.key, lane.nth) for lane in (first, second)]
    assert styles[0].light == styles[1].light
    assert styles[0].dash != styles[1].dash
    assert "dash" not in table["rows"][0]
    assert table["rows"][1]["dash"] == styles[1].dash
