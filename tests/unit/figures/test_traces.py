"""Traces in plotly's schema: what each helper emits."""

import json

import numpy as np
import plotly.graph_objects as go

from bolt_core.analysis.downsample import POINTS_PER_TRACE
from bolt_core.analysis.lanes import Lane
from bolt_core.figures.shared import traces
from bolt_core.figures.shared.palette import line_style

X, Y = np.arange(3.0), np.array([1.0, np.nan, 2.0])


def test_a_line_carries_its_stroke_its_key_and_its_hover_text():
    made = traces.line(X, Y, "n", key="bolt", dash="dot", hover="%{y}", yaxis="y2")
    assert made == {
        "type": "scatter", "mode": "lines", "name": "n", "meta": "bolt", "yaxis": "y2",
        "x": [0.0, 1.0, 2.0], "y": [1.0, None, 2.0],
        "line": {"width": 2.0, "dash": "dot"}, "hovertemplate": "%{y}",
    }  # fmt: skip


def test_properties_that_are_not_given_are_not_emitted():
    made = traces.line(X, X, "n", width=0, hover="skip")
    assert made["line"] == {"width": 0}
    assert made["hoverinfo"] == "skip"
    assert not {"meta", "hovertemplate"} & set(made)
    assert traces.steps(X, X, "n")["line"]["shape"] == "hv"


def test_dots_have_a_marker_and_an_outline():
    made = traces.dots([1], ["a"], "p", size=5, symbol="x", edge=0, edge_color="red", opacity=0.5)
    assert (made["x"], made["y"], made["opacity"]) == ([1], ["a"], 0.5)
    marker = {"size": 5, "symbol": "x", "line": {"width": 0, "color": "red"}}
    assert made["marker"] == marker


def test_a_lane_is_drawn_in_its_own_stroke_with_few_points():
    t = np.arange(5000.0)
    made = traces.lane_line(Lane("abo", "ABO, second", (), nth=1), t, np.sin(t), shape="hv")
    look = line_style("abo", 1)
    assert made["line"] == {"width": look.width, "dash": look.dash, "shape": "hv"}
    assert (made["meta"], made["name"]) == ("abo", "ABO, second")
    assert len(made["x"]) <= POINTS_PER_TRACE


def test_a_band_goes_along_the_upper_edge_and_back_along_the_lower():
    made = traces.band(X, X - 1, X + 1, "error", key="bolt")
    assert made["x"] == [0.0, 1.0, 2.0, 2.0, 1.0, 0.0]
    assert made["y"] == [1.0, 2.0, 3.0, 1.0, 0.0, -1.0]
    assert (made["fill"], made["line"], made["hoverinfo"]) == ("toself", {"width": 0}, "skip")
    long = np.arange(5000.0)
    assert len(traces.band(long, long, long, "error")["x"]) <= POINTS_PER_TRACE


def test_error_bars_may_be_longer_on_one_side():
    assert traces.error_bar(0.5) == {"type": "data", "array": [0.5], "thickness": 1.5}
    uneven = traces.error_bar(0.5, below=0.2, thickness=2, width=4)
    assert (uneven["arrayminus"], uneven["symmetric"], uneven["width"]) == ([0.2], False, 4)


def test_stems_and_joined_curves_have_gaps():
    x, y = traces.stems(np.array([1.0, 2.0]), 0.0, np.array([5.0, 6.0]))
    np.testing.assert_array_equal(x, [1, 1, np.nan, 2, 2, np.nan])
    np.testing.assert_array_equal(y, [0, 5, np.nan, 0, 6, np.nan])
    x, y = traces.joined([(X, X), (X[:1], X[:1])])
    np.testing.assert_array_equal(x, [0, 1, 2, np.nan, 0, np.nan])


def test_plotly_accepts_every_kind_of_trace_and_json_too():
    made = [
        traces.line(X, Y, "line"),
        traces.steps(X, Y, "steps", simplify=False),
        traces.dots(X, Y, "dots", size=[1, 2, 3], color=[0.1, 0.2, 0.3]),
        traces.band(X, X, X, "band"),
        traces.bars(["a"], [1.0], "bars", error_y=traces.error_bar(0.1)),
        traces.heatmap(X, X, np.outer(X, X), "map"),
    ]
    go.Figure(data=json.loads(json.dumps(made, allow_nan=False)))
    assert made[-1]["z"][2] == [0.0, 2.0, 4.0]
