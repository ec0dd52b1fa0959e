"""The leaderboard: ranks as printed, failures named, lanes told apart."""

import re
from dataclasses import replace

from bolt_core.analysis.lanes import lanes
from bolt_core.common.types import EngineConfig
from bolt_core.figures.arena.leaderboard import leaderboard
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

    assert names == ["", "Algorithm", "Average regret", "n", "n*", "Response", "Queries"]
    assert [row["cells"][0] for row in chart["rows"]] == ["1", "1", "3", "", ""]
    assert re.search(r"BOLT .*3\.9 s: it broke", chart["caption"])
    assert "traceback" not in chart["caption"]
    assert [row["key"] for row in chart["rows"] if row.get("failed")] == ["bolt"]


def test_a_failed_seed_is_named_and_does_not_count():
    broken = make_run(20, seed=1, regret=9.0, error="it broke")
    (row,) = leaderboard([make_run(40, regret=1.0), broken])["rows"]

    assert row["cells"][1:3] == ["Random (1 of 2 failed)", "1.00"]


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
