"""Charts of one run: valid for any run and any number of passes."""

import json
import math
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from bolt_core.analysis.downsample import POINTS_PER_TRACE
from bolt_core.figures.inside.hyperparameters import hyperparameters
from bolt_core.figures.inside.size_history import size_history
from bolt_core.runs.record_fields import THETA
from tests.support.runs import make_fitted_run, make_pruned_run, real_run
from tests.support.wording import in_order

FORBIDDEN_WORDS = ("nan", "None", "inf")


def valid(chart):
    """Return the chart after a round trip through JSON, checked by the contract of its kind."""
    chart = json.loads(json.dumps(chart, allow_nan=False))
    if chart["kind"] == "text":
        assert chart["text"].endswith(".")
        said = chart["text"]
    elif chart["kind"] == "table":
        assert all(len(row["cells"]) == len(chart["columns"]) for row in chart["rows"])
        assert chart["rows"]
        said = chart["alt"] + chart["caption"] + str(chart["rows"])
    else:
        go.Figure({"data": chart["data"], "layout": chart["layout"]})
        assert chart["data"]
        assert len(chart["times"]) == len(chart["data"])
        for trace, times in zip(chart["data"], chart["times"], strict=True):
            assert len(trace["x"]) <= POINTS_PER_TRACE
            assert times in ("x", None) or len(times) == len(trace["x"])
        said = chart["layout"]["meta"]["alt"] + chart["layout"]["meta"].get("caption", "")
    assert not any(f" {word}" in said for word in FORBIDDEN_WORDS), said
    return chart


def test_n_and_n_star_are_the_records_and_gaps_are_counted():
    run = make_pruned_run(60)
    chart = size_history(run)
    drawn = {trace["name"]: trace for trace in chart["data"]}

    assert drawn["n"]["y"] == run.sizes().tolist()
    assert drawn["n*"]["y"] == [None] * 31 + [40.0] * 29
    assert drawn["removed"]["x"] == pytest.approx([0.1 * i for i in range(41, 61)])
    assert "16 of 45 passes" in chart["layout"]["meta"]["caption"]
    assert in_order(chart["layout"]["meta"]["alt"], "40 of 60 ", "kept", "n* is 40")


def test_an_n_star_far_above_does_not_flatten_n():
    run = make_fitted_run(60, n_star=5000)
    layout = size_history(run)["layout"]

    assert layout["yaxis"]["range"][1] < 300
    assert "up to 5,000" in layout["meta"]["caption"]


def test_hyperparameters_are_the_records_each_on_its_axis():
    run = real_run("bolt", 45)
    chart = hyperparameters(run)
    lines = [t for t in chart["data"] if t["mode"] == "lines" and "allowed" not in t["name"]]

    assert [t.get("yaxis", "y") for t in lines] == ["y", "y2", "y3", "y4"]
    order = ("lengthscale_time", "lengthscale_space", "noise_variance", "signal_variance")
    assert set(order) == set(THETA)
    for line, name in zip(lines, order, strict=True):
        values = np.array([math.nan if v is None else v for v in line["y"]])
        np.testing.assert_allclose(values, run.columns[name], rtol=1e-3)  # four digits are sent
    assert all(chart["layout"][f"yaxis{k}"]["type"] == "log" for k in ("", 2, 3, 4))


def test_the_bounds_of_the_time_scale_are_those_inference_had():
    run = real_run("bolt", 45)
    drawn = {trace["name"]: trace for trace in hyperparameters(run)["data"]}
    low, high = drawn["lowest allowed"], drawn["highest allowed"]
    members = [*run.members(43), 44]
    t = run.columns["t"][members]

    assert low["y"][-1] == pytest.approx(2 * (t[-1] - t[0]) / (len(t) - 1), rel=1e-3)
    assert high["y"][-1] == pytest.approx(max(30 * t[-1], 60.0), rel=1e-3)
    l_T = run.columns["lengthscale_time"][-1]
    assert low["y"][-1] <= 1.001 * l_T <= 1.002 * high["y"][-1]


def test_cold_starts_and_failures_are_marked():
    run = make_pruned_run(60)
    remarks = list(run.columns.notes)
    remarks[50] = {"inference": {"y_mean": 0.0, "y_sd": 1.0, "failed": "no factor"}}
    chart = hyperparameters(replace(run, columns=replace(run.columns, notes=remarks)))
    marks = {t["name"]: t["x"] for t in chart["data"] if t["mode"] == "markers"}

    assert marks["failed fit"] == [5.0]
    assert marks["cold start"] == pytest.approx([2.1, 2.8, 3.5, 4.2, 4.9, 5.6])
    assert "1 failed fit" in chart["layout"]["meta"]["caption"]


def test_a_surrogate_without_time_has_three_panels_and_says_why():
    chart = hyperparameters(real_run("gpucb", 45))

    assert "yaxis4" not in chart["layout"]
    assert "no l_T" in chart["layout"]["meta"]["caption"]
