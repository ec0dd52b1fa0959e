"""Checks that every chart of the project passes."""

import json

import plotly.graph_objects as go

from bolt_core.analysis.downsample import POINTS_PER_TRACE


def valid_chart(chart):
    """Return the chart after a round trip through JSON; a plot must be accepted by plotly."""
    chart = json.loads(json.dumps(chart, allow_nan=False))
    words = json.dumps(chart)
    assert "nan" not in words
    assert "None" not in words
    if chart["kind"] == "plot":
        go.Figure(data=chart["data"], layout=chart["layout"])
        assert chart["data"]
        assert chart["layout"]["meta"]["alt"]
        assert chart["layout"]["meta"]["caption"]
        assert len(chart["times"]) == len(chart["data"])
        for trace, times in zip(chart["data"], chart["times"], strict=True):
            assert len(trace["x"]) <= POINTS_PER_TRACE
            assert times in ("x", None) or len(times) == len(trace["x"])
    elif chart["kind"] == "text":
        assert chart["text"]
    elif chart["kind"] == "steps":
        assert chart["steps"]
    else:
        assert chart["alt"]
        assert chart["caption"]
    return chart
