"""Tests of a campaign's charts: what they show, and that plotly and the browser accept them."""

import pytest

from bolt_core.charts.chart_registry import inked
from bolt_core.report import campaign_charts
from bolt_core.report.model.cases import Cases
from tests.support.charts import valid_chart
from tests.support.scoreboards import results

LOST = {
    "eggholder": {"gpucb": 500.0, "w-dbo": 277.0, "bolt": 131.0},
    "griewank": {"gpucb": 130.0, "w-dbo": 120.0, "bolt": 121.0},
}
CHARTS = {
    "regret": lambda cases, b: campaign_charts.over_time(cases, b, "regret"),
    "size": lambda cases, b: campaign_charts.over_time(cases, b, "size"),
    "response": campaign_charts.response,
    "pairs": campaign_charts.pairs,
}


@pytest.fixture
def cases():
    return Cases(results(LOST))


@pytest.mark.parametrize("seeds", [1, 2, 10])
@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_of_a_benchmark_is_valid_for_any_number_of_seeds(name, seeds):
    chart = CHARTS[name](Cases(results(LOST, seeds)), "eggholder")

    assert valid_chart(chart)["kind"] == "plot"
    assert {"bolt", "gpucb"} & set(inked(chart)["inks"])


def test_without_bolt_there_are_no_pairs():
    lone = Cases(results({"eggholder": {"gpucb": 1.0}}))

    assert campaign_charts.pairs(lone, "eggholder")["kind"] == "text"


def test_the_interval_of_a_pair_is_that_of_the_table():
    cases = Cases(results({"griewank": {"bolt": 0.6, "gpucb": 0.7}}, seeds=5))
    chart = campaign_charts.pairs(cases, "griewank")
    point = next(t for t in chart["data"] if t["meta"] == "gpucb" and "error_x" in t)
    pair = cases.differences["griewank"]["gpucb"]

    percent = 100.0 / cases.row("griewank", ["gpucb"])["gpucb"].mean

    assert point["x"] == [pytest.approx(percent * pair.mean, rel=1e-5)]
    assert point["error_x"]["array"] == [pytest.approx(percent * (pair.high - pair.mean))]
    assert "%" in chart["layout"]["xaxis"]["title"]["text"]


def test_every_seed_is_shown_as_a_dot_or_a_faint_line(cases):
    points = campaign_charts.response(cases, "eggholder")["data"]
    dots = next(t for t in points if t["meta"] == "bolt" and len(t["x"]) == 3)
    curves = campaign_charts.over_time(cases, "eggholder", "regret")["data"]
    lines = next(t for t in curves if t["name"] == "BOLT, seeds")

    assert sorted(dots["y"]) == pytest.approx([129.69, 131.0, 132.31])
    assert lines["x"].count(None) == 3


def test_figure_2_needs_a_complete_benchmark_and_shows_the_paper_beside(cases):
    chart = valid_chart(campaign_charts.figure2(cases))
    bars = {t["name"]: t["y"] for t in chart["data"] if t["type"] == "bar"}

    assert bars["GPUCB"] == [1.0]
    assert bars["BOLT"] == [pytest.approx(0.05, abs=1e-4)]  # 0 on Eggholder, 0.1 on Griewank
    assert len(bars["the paper"]) == 3
    incomplete = {"eggholder": {"gpucb": 1.0}, "powell": {"bolt": 1.0}}
    assert campaign_charts.figure2(Cases(results(incomplete)))["kind"] == "text"


@pytest.mark.parametrize("what", ["regret", "size"])
def test_the_seeds_of_a_cell_have_a_line_each(cases, what):
    chart = valid_chart(campaign_charts.of_seeds(cases.runs("eggholder", "bolt"), what))

    assert [trace["name"] for trace in chart["data"]] == ["seed 0", "seed 1", "seed 2"]


def test_a_regret_of_zero_or_below_is_drawn_on_a_linear_axis():
    cases = Cases(results({"eggholder": {"bolt": 0.0, "gpucb": -1.0}}))
    chart = campaign_charts.response(cases, "eggholder")

    assert "type" not in valid_chart(chart)["layout"]["yaxis"]


def test_equal_points_have_names_apart():
    same = {"gpucb": 100.0, "et-gpucb": 100.0, "abo": 100.0}
    labels = campaign_charts.response(Cases(results({"eggholder": same})), "eggholder")["layout"][
        "annotations"
    ]
    places = {(label["xanchor"], label["x"], label["yshift"]) for label in labels}

    assert len(places) == len(labels) == 3
