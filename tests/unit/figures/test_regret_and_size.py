"""The regret and size curves: true to the records, with few points, seeds and failures marked."""

import json
import math

import numpy as np
import plotly.graph_objects as go
import pytest

from bolt_core.figures.arena.regret_and_size import dataset_size, regret_curve
from tests.support.runs import make_run

BUILDERS = [regret_curve, dataset_size, lambda runs: regret_curve(runs, x="iterations")]
IDS = ["regret over time", "size", "regret over queries"]


def valid(figure):
    """Return the plot as plotly reads it, after a round trip through JSON without NaN."""
    return go.Figure(
        {k: json.loads(json.dumps(figure[k], allow_nan=False)) for k in ("data", "layout")}
    )


@pytest.mark.parametrize("build", BUILDERS, ids=IDS)
def test_nan_becomes_a_gap(build):
    figure = valid(build([make_run(40, regret=lambda i: math.nan if i == 30 else 1.0)]))

    assert len(figure.data) == 1


def test_a_regret_of_nan_from_the_start_still_draws():
    figure = regret_curve([make_run(40, regret=math.nan)])

    assert set(valid(figure).data[0].y) == {None}


def test_the_curve_is_the_running_average_without_warm_up():
    lost = 10.0 / np.arange(16, 21)
    trace = regret_curve([make_run(20)])["data"][0]

    np.testing.assert_allclose(trace["y"], np.cumsum(lost) / np.arange(1, 6), rtol=1e-5)
    np.testing.assert_allclose(trace["x"], 0.1 * np.arange(16, 21))  # ends of passes


def test_per_query_the_axis_counts_queries():
    trace = regret_curve([make_run(20)], x="iterations")["data"][0]

    assert trace["x"] == [16, 17, 18, 19, 20]


def test_sizes_fall_with_removals():
    run = make_run(20, removed=lambda i: (i,))
    trace = dataset_size([run])["data"][0]

    assert trace["customdata"] == run.sizes().tolist() == [0.0] * 20
    assert trace["y"] == [1.0] * 20  # the bottom: an empty D has no logarithm


def test_a_recommended_size_is_drawn_as_its_own_line():
    figure = valid(dataset_size([make_run(30, n_star=12)]))

    assert [trace.name for trace in figure.data] == ["Random", "Random n*"]
    assert set(figure.data[1].y) == {12}


def test_two_seeds_give_a_mean_and_faint_members():
    figure = regret_curve([make_run(40, seed=s, regret=1.0 + s) for s in range(2)])
    members, mean = valid(figure).data

    assert members.opacity < 0.5
    assert set(mean.y) == {1.5}
    assert "2 seeds" in figure["layout"]["meta"]["caption"]


def test_three_seeds_give_a_named_band_of_one_standard_error():
    figure = regret_curve([make_run(40, seed=s, regret=1.0 + s) for s in range(3)])
    _, band, mean = valid(figure).data
    error = np.std([1.0, 2.0, 3.0], ddof=1) / 3**0.5

    assert set(mean.y) == {2.0}
    np.testing.assert_allclose([min(band.y), max(band.y)], [2.0 - error, 2.0 + error], rtol=1e-5)
    assert "3 seeds" in figure["layout"]["meta"]["caption"]


def test_seeds_of_different_lengths_are_averaged_as_far_as_all_have_come():
    figure = regret_curve([make_run(40, seed=0), make_run(80, seed=1)])

    assert figure["data"][-1]["x"][-1] == pytest.approx(4.0)


def test_a_failed_seed_does_not_cut_the_mean_short():
    figure = regret_curve([make_run(80, seed=0), make_run(20, seed=1, error="broke")])

    assert figure["data"][-1]["x"][-1] == pytest.approx(8.0)


def test_a_failed_algorithm_ends_with_a_cross():
    figure = valid(regret_curve([make_run(40), make_run(20, algorithm="bolt", error="broke")]))
    cross = figure.data[-1]

    assert (cross.mode, cross.marker.symbol, cross.meta) == ("markers", "x", "bolt")


@pytest.mark.parametrize("build", BUILDERS, ids=IDS)
def test_a_run_that_failed_before_its_first_query_is_left_out(build):
    figure = valid(build([make_run(40), make_run(0, algorithm="bolt", error="broke")]))

    assert {trace.meta for trace in figure.data} == {"random"}


def test_traces_and_labels_carry_the_algorithms_key():
    figure = regret_curve([make_run(40), make_run(40, algorithm="w-dbo")])

    assert [trace["meta"] for trace in figure["data"]] == ["random", "w-dbo"]
    assert [a["name"] for a in figure["layout"]["annotations"][:2]] == ["random", "w-dbo"]


def test_the_warm_up_is_a_band_with_a_name_where_there_is_room():
    short, long = (regret_curve([make_run(n)])["layout"] for n in (40, 2000))

    assert short["shapes"][0]["x1"] == long["shapes"][0]["x1"] == pytest.approx(1.5)
    assert short["annotations"][-1]["text"] == "15 random queries"
    assert len(long["annotations"]) == 1


def test_the_alternative_text_lists_regrets_from_the_lowest():
    runs = [make_run(40, regret=594.0), make_run(40, algorithm="bolt", regret=0.823)]
    alt = regret_curve(runs)["layout"]["meta"]["alt"]

    assert alt.index("after 4 s") < alt.index("BOLT 0.823") < alt.index("Random 594")


def test_instant_regret_keeps_every_spike_of_a_long_run():
    spikes = {300, 5000, 9990}
    run = make_run(10_000, regret=lambda i: 50.0 if i in spikes else 1.0)
    trace = regret_curve([run], stat="instant")["data"][0]

    assert [t for t, y in zip(trace["x"], trace["y"], strict=True) if y == 50.0] == [
        30.1,  # the end of the pass that began at 30.0
        500.1,
        999.1,
    ]


def test_cumulative_regret_is_the_sum_without_the_warm_up():
    lost = 10.0 / np.arange(16, 21)

    trace = regret_curve([make_run(20)], stat="cumulative")["data"][0]

    np.testing.assert_allclose(trace["y"], np.cumsum(lost), rtol=1e-5)  # six digits are sent


def test_a_regret_of_zero_lies_at_the_bottom_of_a_log_axis():
    chart = regret_curve([make_run(40, regret=lambda i: i % 2)], stat="instant", scale="log")
    low, high = chart["layout"]["yaxis"]["range"]

    assert min(chart["data"][0]["y"]) == pytest.approx(10.0**low)
    assert max(chart["data"][0]["y"]) == 1.0
    assert high > 0.0


def test_a_curve_over_queries_holds_the_time_of_each():
    chart = regret_curve([make_run(40)], x="iterations")
    ended_at = [0.1 * x for x in chart["data"][0]["x"]]

    np.testing.assert_allclose(chart["times"][0], ended_at, atol=1e-6)


def test_a_failed_lane_is_marked_in_the_alternative_text():
    runs = [make_run(40), make_run(40, algorithm="bolt", regret=0.0, error="broke")]

    for stat in ("average", "instant"):
        assert "BOLT 0 (failed)" in regret_curve(runs, stat=stat)["layout"]["meta"]["alt"]
