"""Charts as the browser takes them, and the parts of a layout."""

import plotly.graph_objects as go
import pytest

from bolt_core.figures.shared import chart_dicts as charts
from bolt_core.figures.shared.traces import line
from tests.support.charts import valid_chart


def test_a_plot_leaves_out_empty_traces_and_keeps_the_times_of_the_others():
    drawn = [line([0.0], [1.0], "still"), (line([], [], "empty"), "x"), (line([0], [1], "t"), "x")]
    chart = valid_chart(charts.plot(drawn, {"xaxis": charts.axis("x")}, "alt", "caption"))
    assert [trace["name"] for trace in chart["data"]] == ["still", "t"]
    assert chart["times"] == [None, "x"]
    assert chart["layout"]["meta"] == {"alt": "alt", "caption": "caption"}
    assert chart["layout"]["shapes"] == []


def test_a_sentence_and_a_table_are_charts_too():
    assert charts.text_chart("Waiting.") == {"kind": "text", "text": "Waiting.", "tone": "muted"}
    rows = [{"key": "bolt", "cells": ["1"]}]
    made = charts.table([{"name": "n"}], rows, "alt", "caption", whole=True)
    assert valid_chart(made)["rows"] == rows
    assert made["whole"]


@pytest.mark.parametrize(
    ("span", "few", "values"),
    [
        ((0.0, 1.0), False, [1, 2, 5, 10]),
        ((0.5, 1.5), False, [5, 10, 20]),
        ((-1.1, 2.1), False, [0.1, 1, 10, 100]),
        ((0.0, 1.0), True, [1, 10]),
        ((0.1, 0.9), True, [2, 5]),
        ((0.0, 9.0), True, [1, 1e3, 1e6, 1e9]),
        ((0.31, 0.5), False, [3]),
    ],
)
def test_log_ticks_are_round_numbers_within_the_axis(span, few, values):
    made = charts.log_ticks(span, few=few)
    assert made["tickvals"] == pytest.approx(values)
    assert len(made["ticktext"]) == len(values)


def test_log_ticks_are_written_with_thousands_and_a_true_minus():
    assert charts.log_ticks((3.0, 4.0))["ticktext"][-1] == "10,000"
    assert "\N{MINUS SIGN}" in charts.log_ticks((-6.0, 1.0))["ticktext"][0]
    powers = charts.power_ticks((-1.0, 1.0))
    assert powers["tickvals"] == [0.1, 1.0, 10.0]
    assert powers["ticktext"][0] == "10<sup>\N{MINUS SIGN}1</sup>"


def test_a_log_axis_has_ticks_of_its_own_unless_told():
    assert charts.log_axis("s", (0.0, 1.0))["tickvals"] == [1, 2, 5, 10]
    assert "tickvals" not in charts.log_axis("s", (0.0, 1.0), dtick=1)


def test_marks_of_a_layout_are_taken_by_plotly():
    now, above = charts.named_line(3.0, "now", name="now")
    layout = {
        "shapes": [now, charts.shaded(0.0, 1.0, name="warm-up")],
        "annotations": [above, charts.note("n", 1.0, 2.0)],
        "margin": charts.margins(top=22),
        "xaxis": charts.log_axis("s", (0.0, 1.0)),
    }
    go.Figure(layout=layout)
    assert layout["margin"] == {"l": 8, "r": 12, "t": 22, "b": 8}
    assert "name" not in layout["annotations"][1]


def test_a_time_axis_of_days_has_its_ticks_in_days_and_its_range_in_seconds():
    days = charts.time_axis(10 * 86_400.0)
    assert days["title"]["text"] == "time (days)"
    assert days["range"] == [0.0, 864_000.0]
    assert days["ticktext"] == ["0", "2", "4", "6", "8", "10"]
    assert days["tickvals"] == [k * 172_800.0 for k in range(6)]
    window = charts.time_axis(7200.0, begin=3600.0)
    assert (window["title"]["text"], window["ticktext"]) == (
        "time (min)",
        ["60", "80", "100", "120"],
    )
    assert charts.time_axis(7200.0, begin=7200.0)["ticktext"] == ["120"]
    assert charts.time_axis(600.0) == {"title": {"text": "time (s)"}, "range": [0.0, 600.0]}
