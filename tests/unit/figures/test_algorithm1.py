"""The lines of Algorithm 1, described from the last record."""

import pytest

from bolt_core.charts.chart_registry import CHARTS
from bolt_core.figures.inside.algorithm1 import steps
from tests.support import algorithm_keys
from tests.support.runs import make_fitted_run, make_pruned_run, real_run
from tests.support.wording import in_order


def said(run, panel):
    return [step["said"] for step in steps(run) if step["panel"] == panel][-1]


def test_a_pass_of_bolt_goes_through_its_panels_in_order():
    panels = [step["panel"] for step in steps(make_pruned_run(60))]

    assert panels == [
        "history", "posterior", "posterior", "history", "theta", "fit", "scores", "departures",
    ]  # fmt: skip


def test_every_sentence_comes_from_the_last_record():
    run = make_pruned_run(62)  # the last pass removes row 20 of D
    gone = run.columns.removed[61][0]

    assert in_order(said(run, "theta"), "l_T = 20.0 s", "l_S = 0.300", " 3 evaluations")
    assert said(run, "fit").endswith("n* = 40.")
    assert said(run, "scores").endswith("lowest score, W2 0.01.")
    assert said(run, "departures") == f"Removed {gone}; 40 kept."
    assert steps(run)[0]["said"].startswith("t = 6.1 s.")


def test_without_a_limit_no_observation_is_scored():
    run = make_fitted_run(40)

    assert said(run, "fit").endswith("no limit yet.")
    assert in_order(said(run, "scores"), "D has 40 ", "no limit yet")
    assert said(run, "departures") == "Removed none; 40 kept."


def test_a_warm_up_pass_is_random_and_ends_early():
    assert [step["line"][:3] for step in steps(make_fitted_run(3))] == [
        "Get",
        "x\N{LATIN SUBSCRIPT SMALL LETTER T} ",
        "Obs",
        "D =",
    ]
    assert "Random query" in steps(make_fitted_run(3))[1]["said"]
    assert steps(make_fitted_run(0)) == []


def test_a_reset_has_its_reason():
    run = real_run("r-gpucb", 90)
    rows = [row for row, notes in enumerate(run.columns.notes[:90]) if "reset" in notes]
    at_reset = real_run("r-gpucb", rows[0] + 1)

    assert "is full); 0 kept." in said(at_reset, "departures")
    assert "no model" in steps(real_run("r-gpucb", rows[0] + 2))[1]["said"]


@pytest.mark.parametrize("key", algorithm_keys.MAIN)
def test_every_line_of_every_algorithm_names_an_existing_chart(key):
    lines = steps(real_run(key, 45))

    assert {step["panel"] for step in lines} <= CHARTS.keys()
    assert all(step["said"].endswith(".") and step["line"] for step in lines)
