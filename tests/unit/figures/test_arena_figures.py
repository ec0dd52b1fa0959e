"""The Arena's charts: valid whatever a race looks like, and true to its records."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from bolt_core.analysis.lanes import lanes
from bolt_core.common.types import EngineConfig, RunStatus
from bolt_core.figures.arena.distance_to_optimum import distance_to_optimum
from bolt_core.figures.arena.landscape import landscape_now
from bolt_core.figures.arena.leaderboard import leaderboard
from bolt_core.figures.arena.metronome import TICKS, beat, beats_in_words, metronome
from bolt_core.figures.arena.regret_and_size import regret_curve
from bolt_core.figures.arena.response_against_regret import response_against_regret
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.record_fields import SCALARS
from tests.support.arena import placed, valid

BUILDERS = {
    f"{stat}, {scale}, {x}": lambda runs, how=(x, stat, scale): regret_curve(runs, *how)
    for stat, scale, x in product(
        ("average", "instant", "cumulative"), ("linear", "log"), ("seconds", "iterations")
    )
} | {
    "response": response_against_regret,
    "metronome": metronome,
    "leaderboard": leaderboard,
    "landscape": landscape_now,
    "distance": distance_to_optimum,
}
each = pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)


def replace_regret(run, regret):
    table = run.columns.table.copy()
    table[3] = table[4] - regret  # f(x, t) below the best
    return replace(run, columns=replace(run.columns, table=table))


@each
@pytest.mark.parametrize("n", [0, 1, 2, 15, 16, 17, 10_000])
def test_any_number_of_passes_makes_a_valid_chart(build, n, made):
    valid(build([made(n), made(n, algorithm="bolt", n_star=9)]))


@each
def test_no_run_makes_words(build):
    assert valid(build([]))["kind"] == "text"


@each
def test_nan_regrets_and_failed_runs_make_a_valid_chart(build, made):
    lost = [lambda i: math.nan, lambda i: math.nan if i == 30 else 1.0, lambda i: 0.0]
    runs = [
        made(40, algorithm=a, regret=r) for a, r in zip(("abo", "bolt", "w-dbo"), lost, strict=True)
    ]

    valid(build([*runs, made(20, error="it broke\nat length"), made(0, error="at once", seed=1)]))


@each
def test_three_seeds_make_a_valid_chart(build, made):
    valid(build([made(40, seed=seed, regret=lambda i, s=seed: 1.0 + s) for seed in range(3)]))


def test_instant_regret_keeps_every_spike_of_a_long_run(made):
    spikes = {300, 5000, 9990}
    run = made(10_000, regret=lambda i: 50.0 if i in spikes else 1.0)
    trace = regret_curve([run], stat="instant")["data"][0]

    assert [t for t, y in zip(trace["x"], trace["y"], strict=True) if y == 50.0] == [
        30.1,  # the end of the pass that began at 30.0
        500.1,
        999.1,
    ]


def test_cumulative_regret_is_the_sum_without_the_warm_up(made):
    lost = 10.0 / np.arange(16, 21)

    trace = regret_curve([made(20)], stat="cumulative")["data"][0]

    np.testing.assert_allclose(trace["y"], np.cumsum(lost), rtol=1e-5)  # six digits are sent


def test_on_a_log_axis_no_regret_lies_at_the_bottom(made):
    chart = regret_curve([made(40, regret=lambda i: i % 2)], stat="instant", scale="log")
    low, high = chart["layout"]["yaxis"]["range"]

    assert min(chart["data"][0]["y"]) == pytest.approx(10.0**low)
    assert max(chart["data"][0]["y"]) == 1.0
    assert high > 0.0


def test_per_iteration_a_curve_knows_when_each_pass_ended(made):
    chart = regret_curve([made(40)], x="iterations")
    ended_at = [0.1 * x for x in chart["data"][0]["x"]]

    np.testing.assert_allclose(chart["times"][0], ended_at, atol=1e-6)


def test_points_stand_at_average_response_and_average_regret(made):
    chart = response_against_regret([made(40, regret=lambda i: 3.0), made(40, algorithm="bolt")])
    point = next(t for t in chart["data"] if t["name"] == "Random")

    assert point["x"] == [pytest.approx(0.1)]
    assert point["y"] == [3.0]
    assert "error_y" not in point


def test_three_seeds_give_a_point_its_error_bars(made):
    runs = [made(40, seed=s, regret=lambda i, s=s: 1.0 + s) for s in range(3)]
    (point,) = response_against_regret(runs)["data"]

    assert point["error_y"]["array"] == [pytest.approx(1.0 / 3**0.5)]
    assert point["error_x"]["array"] == [pytest.approx(0.0)]


def test_a_name_steps_aside_for_the_point_beside_it(made):
    fast, slow = made(40, regret=lambda i: 3.0), placed(40, 1, seconds=lambda i: 0.11)
    names = response_against_regret([fast, replace_regret(slow, 3.0)])["layout"]["annotations"]

    assert {a["text"]: a["xanchor"] for a in names} == {"Random": "right", "BOLT": "left"}


def test_a_metronome_has_a_tick_an_observation():
    run = placed(40, 1)

    (row,) = metronome([run])["rows"]

    np.testing.assert_allclose(row["ticks"], run.columns["t"], atol=5.1e-4)  # three places


def test_a_crowded_row_keeps_a_tick_in_each_part_of_the_strip():
    run = placed(9000, 1, seconds=lambda i: 0.01 if i < 8000 else 0.5)
    row = metronome([run])["rows"][0]
    slow = run.columns["t"][8001:]

    assert len(row["ticks"]) <= TICKS
    assert len([t for t in row["ticks"] if t > slow[0] - 1e-3]) == len(slow)


def test_a_row_only_ever_grows():
    run = placed(9000, 1)
    early = replace(
        run, columns=replace(run.columns, length=5000, table=run.columns.table[:, :5000])
    )
    before, after = (metronome([r])["rows"][0]["ticks"] for r in (early, run))

    assert after[: len(before)] == before


def test_the_caption_says_who_keeps_the_beat_and_who_loses_it():
    steady = placed(400, 1)
    slowing = placed(400, 1, algorithm="gpucb", seconds=lambda i: 0.05 + 0.005 * i)

    assert beats_in_words([steady, slowing]).startswith(
        "BOLT answers every 0.05 s, nine times in ten; GPUCB's beat slowed from 0.3"
    )
    assert beats_in_words([steady, placed(400, 1, algorithm="abo")]) == (
        "So far all keep their beat: nobody needs more than 0.05 s."
    )


def test_a_quick_beat_alone_is_not_enough():
    best = replace_regret(placed(400, 1), 1.0)
    hasty = replace_regret(placed(400, 1, algorithm="r-gpucb", seconds=lambda i: 0.02), 3.0)
    slowing = placed(400, 1, algorithm="gpucb", seconds=lambda i: 0.05 + 0.005 * i)
    late = replace_regret(slowing, 2.0)
    said = "R-GPUCB's beat is the quickest, yet it is number 3 of 3 by regret: what is kept counts"

    assert said in beats_in_words([best, hasty, late])
    for others in (
        [replace_regret(hasty, 0.5)],  # it is the best
        [],  # nobody is quicker
        [replace(hasty, status=RunStatus.FAILED, error="it broke")],
        [replace(hasty, config=replace(hasty.config, algorithm="random"))],  # it does not think
        [
            replace_regret(placed(400, 1, algorithm="r-gpucb", seconds=lambda i: 0.04), 3.0)
        ],  # hardly
    ):
        assert "the quickest" not in beats_in_words([best, *others, late])


def test_who_waits_on_purpose_keeps_no_beat():
    steady = placed(400, 1, algorithm="w-dbo")
    slowing = placed(400, 1, algorithm="gpucb", seconds=lambda i: 0.05 + 0.005 * i)
    patient = placed(400, 1, algorithm="abo", seconds=lambda i: 1.0)
    table = patient.columns.table.copy()
    table[SCALARS.index("waited")] = 0.95
    waiting = replace(patient, columns=replace(patient.columns, table=table))

    assert beats_in_words([waiting, slowing]).startswith("GPUCB's beat slowed")
    assert beats_in_words([waiting]).startswith("Each tick is an observation")
    assert beats_in_words([waiting, steady, slowing]).startswith("W-DBO answers every 0.05 s")


def test_a_race_that_is_over_speaks_of_the_past():
    over = [
        replace(placed(400, 1, algorithm=a), status=RunStatus.FINISHED) for a in ("bolt", "abo")
    ]

    assert beats_in_words(over) == (
        "Over the whole race all kept their beat: nobody needed more than 0.05 s."
    )


def test_a_beat_is_the_median_pass_of_the_first_and_last_tenth():
    run = placed(115, 1, seconds=lambda i: 1.0 if i < 65 else 2.0)  # 50 and 50 passes, 150 s
    found = beat(run)

    assert (found.first, found.last) == (1.0, 2.0)
    assert (found.least, found.most, found.longest) == (1.0, 2.0, 2.0)
    assert beat(placed(20, 1)) is None


def test_the_leaderboard_ranks_what_it_prints_and_says_why_a_row_failed(made):
    runs = [
        made(40, algorithm="abo", regret=lambda i: 2.0001),
        made(40, algorithm="w-dbo", regret=lambda i: 2.0),
        made(40, algorithm="gpucb", regret=lambda i: 3.0),
        made(40, algorithm="bolt", n_star=12, regret=lambda i: 1.0, error="it broke\ntraceback"),
        made(10),
    ]
    chart = leaderboard(runs)
    names = [column["name"] for column in chart["columns"]]

    assert names == ["", "Algorithm", "Average regret", "n", "n*", "Response", "Queries"]
    assert [row["cells"][0] for row in chart["rows"]] == ["1", "1", "3", "", ""]
    assert chart["caption"] == "One seed. BOLT failed at 3.9 s: it broke."
    assert [row["key"] for row in chart["rows"] if row.get("failed")] == ["bolt"]


def test_one_broken_seed_is_said_and_does_not_count(made):
    broken = made(20, seed=1, regret=lambda i: 9.0, error="it broke")
    (row,) = leaderboard([made(40, regret=lambda i: 1.0), broken])["rows"]

    assert row["cells"][1:3] == ["Random (1 of 2 failed)", "1.00"]


def test_two_lanes_of_one_algorithm_share_its_colour_and_differ_in_their_dash(made):
    one = made(40)
    two = replace(one, config=replace(one.config, engine=EngineConfig("botorch")))
    first, second = lanes([one, two, replace(one, config=replace(one.config, seed=4))])
    table = leaderboard([one, two])

    assert (len(first.runs), len(second.runs)) == (2, 1)
    inks = [line_style(lane.key, lane.nth) for lane in (first, second)]
    assert inks[0].light == inks[1].light
    assert inks[0].dash != inks[1].dash
    assert "dash" not in table["rows"][0]
    assert table["rows"][1]["dash"] == inks[1].dash
