"""The charts at the end of a lesson: lines over time and tables of counts."""

from dataclasses import replace

from bolt_core.common.types import ClockConfig
from bolt_core.figures.lessons import lesson_charts as charts
from tests.support.charts import valid_chart
from tests.support.runs import make_record, make_run


def test_queries_are_counted_over_time():
    chart = valid_chart(charts.queries_over_time([make_run(40), make_run(20, algorithm="bolt")]))

    assert [trace["y"][-1] for trace in chart["data"]] == [40, 20]
    assert chart["times"] == ["x", "x"]
    assert "BOLT 20" in chart["layout"]["meta"]["alt"]


def test_lanes_of_one_algorithm_are_named_by_what_differs():
    run = make_run(30, algorithm="bolt", n_star=12)
    slow = replace(
        run, config=replace(run.config, clock=ClockConfig("model", device=(1.0, 0.0, 0.0, 0.0)))
    )
    chart = valid_chart(charts.n_star_over_time([run, slow]))

    assert all("BOLT" not in trace["name"] for trace in chart["data"])
    assert {y for trace in chart["data"] for y in trace["y"] if y is not None} == {12}


def test_without_any_n_star_there_is_a_sentence():
    assert charts.n_star_over_time([make_run(30)])["kind"] == "text"


def test_data_and_held_regret_are_listed_per_lane():
    runs = [make_run(40, regret=2.0), make_run(20, algorithm="bolt", regret=1.0)]
    data, held = charts.data_table(runs), charts.held_table(runs, [3.0, None])

    assert [row["cells"][3:] for row in valid_chart(data)["rows"]] == [
        ["40", "2.00"],
        ["20", "1.00"],
    ]
    assert [row["cells"][3:] for row in valid_chart(held)["rows"]] == [
        ["2.00", "3.00"],
        ["1.00", ""],
    ]


def test_removals_are_counted_with_those_of_the_oldest():
    removed = {3: (0,), 4: (2,), 5: (1,)}  # the oldest, a younger one, the oldest
    run = make_run([make_record(i, removed=removed.get(i, ())) for i in range(6)])
    (row,) = valid_chart(charts.removal_table([run]))["rows"]

    assert row["cells"][1:3] == ["3", "2"]
    assert row["cells"][3].startswith("67")
