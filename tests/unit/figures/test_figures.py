"""Figures: plain dicts that plotly accepts, whatever a run looks like."""

import json
import math

import numpy as np
import plotly.graph_objects as go
import pytest

from bolt_core.analysis.downsample import POINTS_PER_TRACE, rounded, thin
from bolt_core.analysis.regret import averages
from bolt_core.analysis.standings import standings
from bolt_core.common.text import significant
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.figures.arena.regret_and_size import average_regret, dataset_size
from bolt_core.live.race import Race

BUILDERS = [
    average_regret,
    dataset_size,
    lambda runs: average_regret(runs, axis="iterations"),
]
IDS = ["regret over time", "size", "regret over queries"]


def valid(figure):
    """As the browser will get it: JSON without NaN, in plotly's schema."""
    return go.Figure(json.loads(json.dumps(figure, allow_nan=False)))


@pytest.mark.parametrize("build", BUILDERS, ids=IDS)
@pytest.mark.parametrize("n", [0, 1, 2, 15, 16, 10_000])
def test_any_number_of_points_makes_a_valid_figure_of_few(build, n, made):
    figure = valid(build([made(n)]))

    assert all(len(trace.x) <= POINTS_PER_TRACE for trace in figure.data)
    assert figure.layout.xaxis.title.text
    assert figure.layout.meta["alt"]


@pytest.mark.parametrize("build", BUILDERS, ids=IDS)
def test_no_run_at_all_is_a_valid_figure(build):
    assert not valid(build([])).data


@pytest.mark.parametrize("build", BUILDERS, ids=IDS)
def test_nan_becomes_a_gap(build, made):
    figure = valid(build([made(40, regret=lambda i: math.nan if i == 30 else 1.0)]))

    assert len(figure.data) == 1


def test_a_regret_of_nan_from_the_start_still_draws(made):
    figure = average_regret([made(40, regret=lambda i: math.nan)])

    assert set(valid(figure).data[0].y) == {None}


def test_the_curve_is_the_running_average_without_warm_up(made):
    lost = 10.0 / np.arange(16, 21)
    trace = average_regret([made(20)])["data"][0]

    np.testing.assert_allclose(trace["y"], np.cumsum(lost) / np.arange(1, 6), rtol=1e-5)
    np.testing.assert_allclose(trace["x"], 0.1 * np.arange(16, 21))  # ends of passes


def test_per_query_the_axis_counts_queries(made):
    trace = average_regret([made(20)], axis="iterations")["data"][0]

    assert trace["x"] == [16, 17, 18, 19, 20]


def test_sizes_fall_with_removals(made):
    run = made(20, removed=(0,))
    trace = dataset_size([run])["data"][0]

    assert trace["customdata"] == run.sizes().tolist() == [0.0] * 20
    assert trace["y"] == [1.0] * 20  # the bottom: an empty D has no logarithm


def test_sizes_are_those_a_replay_of_the_removals_gives(tmp_path):
    race = Race([RunConfig("random", "eggholder", clock=ClockConfig("model"))], tmp_path)
    for _ in range(40):
        race.advance()
    run = race.snapshot().runs[0]
    race.end()

    assert run.sizes().tolist() == [len(run.members(i)) for i in range(len(run))]


def test_a_recommended_size_is_drawn_as_its_own_line(made):
    figure = valid(dataset_size([made(30, n_star=12)]))

    assert [trace.name for trace in figure.data] == ["Random", "Random n*"]
    assert set(figure.data[1].y) == {12}


def test_two_seeds_give_a_mean_and_faint_members(made):
    figure = average_regret([made(40, seed=s, regret=lambda i, s=s: 1.0 + s) for s in range(2)])
    members, mean = valid(figure).data

    assert members.opacity < 0.5
    assert set(mean.y) == {1.5}
    assert "; mean over 2 seeds;" in figure["layout"]["meta"]["caption"]


def test_three_seeds_give_a_named_band_of_one_standard_error(made):
    figure = average_regret([made(40, seed=s, regret=lambda i, s=s: 1.0 + s) for s in range(3)])
    _, band, mean = valid(figure).data
    error = np.std([1.0, 2.0, 3.0], ddof=1) / 3**0.5

    assert set(mean.y) == {2.0}
    np.testing.assert_allclose([min(band.y), max(band.y)], [2.0 - error, 2.0 + error], rtol=1e-5)
    assert "; mean, ±1 standard error over 3 seeds;" in figure["layout"]["meta"]["caption"]


def test_seeds_of_different_lengths_are_averaged_as_far_as_all_have_come(made):
    figure = average_regret([made(40, seed=0), made(80, seed=1)])

    assert figure["data"][-1]["x"][-1] == pytest.approx(4.0)


def test_a_failed_seed_does_not_cut_the_mean_short(made):
    figure = average_regret([made(80, seed=0), made(20, seed=1, error="broke")])

    assert figure["data"][-1]["x"][-1] == pytest.approx(8.0)


def test_a_failed_algorithm_ends_with_a_cross(made):
    figure = valid(average_regret([made(40), made(20, algorithm="bolt", error="broke")]))
    cross = figure.data[-1]

    assert (cross.mode, cross.marker.symbol, cross.meta) == ("markers", "x", "bolt")


@pytest.mark.parametrize("build", BUILDERS, ids=IDS)
def test_a_run_that_failed_before_its_first_query_is_left_out(build, made):
    figure = valid(build([made(40), made(0, algorithm="bolt", error="broke")]))

    assert {trace.meta for trace in figure.data} == {"random"}


def test_traces_and_labels_carry_the_algorithms_key(made):
    figure = average_regret([made(40), made(40, algorithm="w-dbo")])

    assert [trace["meta"] for trace in figure["data"]] == ["random", "w-dbo"]
    assert [a["name"] for a in figure["layout"]["annotations"][:2]] == ["random", "w-dbo"]


def test_the_warm_up_is_a_band_with_a_name_where_there_is_room(made):
    short, long = (average_regret([made(n)])["layout"] for n in (40, 2000))

    assert short["shapes"][0]["x1"] == long["shapes"][0]["x1"] == pytest.approx(1.5)
    assert short["annotations"][-1]["text"] == "15 random queries"
    assert len(long["annotations"]) == 1


def test_the_alternative_text_says_who_leads(made):
    runs = [made(40, regret=lambda i: 594.0), made(40, algorithm="bolt", regret=lambda i: 0.823)]
    alt = average_regret(runs)["layout"]["meta"]["alt"]

    assert alt.endswith("BOLT 0.823 on average after 4 s, then Random 594.")


def test_standings_are_sorted_and_the_silent_come_last(made):
    runs = [made(10), made(40, algorithm="abo"), made(40, algorithm="bolt", regret=lambda i: 0.0)]

    assert [row.key for row in standings(runs)] == ["bolt", "abo", "random"]


def test_the_leaderboard_shows_the_headline_average(made):
    run = made(40)

    assert standings([run])[0].average_regret == pytest.approx(averages(run.columns).over_queries)


def test_who_failed_never_leads(made):
    runs = [made(40), made(40, algorithm="bolt", regret=lambda i: 0.0, error="broke")]

    assert [(row.key, row.failed) for row in standings(runs)] == [("random", False), ("bolt", True)]
    assert "BOLT 0 (failed)" in average_regret(runs)["layout"]["meta"]["alt"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(594.12, "594"), (0.05021, "0.0502"), (1234.5, "1,234"), (0.0, "0"), (-2.0, "\u22122.00")],
)
def test_three_significant_digits(value, text):
    assert significant(value) == text


@pytest.mark.parametrize("n", [801, 1000, 12_345, 100_000])
def test_thinning_keeps_first_last_lowest_highest(n):
    x = np.arange(float(n))
    y = np.random.default_rng(n).standard_normal(n)
    few_x, few_y = thin(x, y)

    assert len(few_x) <= POINTS_PER_TRACE
    assert (few_x[0], few_x[-1]) == (0.0, n - 1.0)
    assert (few_y.min(), few_y.max()) == (y.min(), y.max())
    assert np.all(np.diff(few_x) > 0)


def test_thinning_survives_nan():
    y = np.full(5000, np.nan)
    y[1234] = 7.0

    assert np.nanmax(thin(np.arange(5000.0), y)[1]) == 7.0


def test_a_short_trace_is_not_thinned():
    x = np.arange(800.0)

    assert thin(x, x)[0] is x


def test_plain_numbers_keep_six_digits():
    assert rounded(np.array([123.456789, math.nan, math.inf])) == [123.457, None, None]
