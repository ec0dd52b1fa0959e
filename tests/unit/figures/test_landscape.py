"""The landscape now: true to the benchmark, and a sentence where it cannot be drawn."""

from dataclasses import replace

import numpy as np
import pytest

from bolt_core import benchmarks
from bolt_core.analysis.distance_to_optimum import MEDIAN_QUERIES
from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow
from bolt_core.benchmarks.twin import spec_of
from bolt_core.figures.arena.landscape import RECENT_QUERIES, landscape, landscape_now
from tests.support.charts import valid_chart
from tests.support.runs import make_diagonal_run, make_record, make_run
from tests.support.twins import make_twin


def test_in_one_dimension_queries_lie_on_the_curve():
    chart = valid_chart(landscape_now([make_diagonal_run(40, 1, benchmark="eggholder")]))
    curve, dots, optimum = chart["data"]

    on_curve = np.interp(dots["x"], curve["x"], curve["y"])
    np.testing.assert_allclose(dots["y"], on_curve, atol=2.0)  # of 1,500: between 401 points
    assert len(dots["x"]) == RECENT_QUERIES
    assert optimum["x"] == [0.25]


def test_in_two_dimensions_there_is_a_heatmap_of_the_benchmark():
    run, board = make_diagonal_run(40, 2), benchmarks.load("hartmann3")
    heat, dots, _ = valid_chart(landscape([run], board))["data"]
    there = board.value([heat["x"][3], heat["y"][7]], run.columns["t"][-1])

    assert heat["type"] == "heatmap"
    assert heat["z"][7][3] == pytest.approx(float(there), rel=1e-2)  # four digits of the largest
    assert (dots["x"], dots["y"]) == (dots["y"], dots["x"])


def test_in_more_dimensions_the_distance_to_the_optimum_takes_its_place():
    run = make_diagonal_run(60, 3, benchmark="ackley")
    line = valid_chart(landscape_now([run]))["data"][0]
    apart = np.linalg.norm(run.columns["x"] - 0.25, axis=1)[15:]
    by_hand = [np.median(apart[max(0, i - MEDIAN_QUERIES + 1) : i + 1]) for i in range(len(apart))]

    np.testing.assert_allclose(line["y"], by_hand, atol=1e-5)  # six digits of the largest


def test_a_benchmark_that_is_not_installed_makes_a_sentence():
    chart = valid_chart(landscape_now([make_diagonal_run(20, 1, benchmark="of-a-plugin")]))

    assert chart["kind"] == "text"
    assert "cannot be drawn" in chart["text"]
    assert "unknown benchmark 'of-a-plugin'" in chart["text"]


def test_data_that_is_not_here_makes_a_sentence():
    run = make_diagonal_run(20, 2, benchmark="temperature")
    run = replace(run, config=replace(run.config, options={"day": "2004-03-09"}))

    chart = valid_chart(landscape_now([run]))
    assert chart["kind"] == "text"
    assert "2004-03-09" in chart["text"]


def test_the_same_moment_is_evaluated_once():
    asked = []

    def f(x, t):
        asked.append(np.size(t))
        return x[..., 0] + 0.0 * t

    row = TableRow(noise_variance=0.1, cost=0.05, horizon=60.0, lengthscale_time=10.0)
    board = BenchmarkSpec("counted", "Counted", 1, row, lambda: Landscape(1, f, None, 1.0)).build()
    for _ in range(3):
        landscape([make_diagonal_run(20, 1)], board)

    assert len([size for size in asked if size > RECENT_QUERIES]) == 1


def test_a_record_cannot_name_a_file_to_be_read(tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("1,2,3")
    there, gone = (
        landscape_now([make_run([make_record(0)], benchmark="temperature", options={"path": path})])
        for path in (str(secret), str(tmp_path / "gone.csv"))
    )

    assert "data file" in there["text"]
    assert there == gone  # nor find out whether it is there


def test_the_axes_of_a_twin_are_the_knobs_in_their_units():
    board = spec_of(make_twin()).build()
    layout = valid_chart(landscape([make_diagonal_run(40, 2)], board))["layout"]

    assert layout["xaxis"]["title"]["text"] == "feed (l/min)"
    assert layout["xaxis"]["ticktext"] == ["0", "2", "4", "6", "8"]
    assert layout["yaxis"]["ticktext"][0] == "0.0001"
