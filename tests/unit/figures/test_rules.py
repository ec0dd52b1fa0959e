"""The rule of each algorithm for old observations, from its records."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bolt_core.algorithms.drift import epsilon
from bolt_core.figures.inside.rules import rule
from tests.support.runs import make_fitted_run, make_pruned_run, real_run
from tests.support.wording import in_order


def named(chart):
    return {trace["name"]: trace for trace in chart["data"]}


def caption(chart):
    return chart["layout"]["meta"]["caption"]


def noted(run, name):
    return [remarks[name] for remarks in run.columns.notes[: len(run)] if name in remarks]


def with_notes(run, *notes):
    """Return the run with other notes in its last passes."""
    remarks = [*list(run.columns.notes)[: len(run) - len(notes)], *notes]
    return replace(run, columns=replace(run.columns, notes=remarks))


@pytest.mark.parametrize("key", ["bolt", "bolt-oldest"])
def test_the_rule_of_bolt_is_n_star(key):
    assert {"measured", "fitted"} <= set(named(rule(make_fitted_run(60, algorithm=key, n_star=40))))
    assert in_order(
        rule(make_fitted_run(3, algorithm=key))["text"], "4 different sizes", "0 so far"
    )


def test_the_reset_test_is_drawn_with_its_limit_and_its_resets():
    passing, beyond = {"surprise": 1.0, "limit": 4.0}, {"surprise": 5.0, "limit": 4.0}
    run = make_fitted_run(60, algorithm="et-gpucb", notes=passing | {"since_reset": 7})
    run = with_notes(run, beyond | {"since_reset": 1, "reset": "surprise"})
    chart = rule(run)
    drawn = named(chart)

    assert drawn["surprise"]["y"] == [1.0] * 44 + [5.0]
    assert drawn["limit"]["y"][-1] == 4.0
    end = run.columns.ends()[-1]
    assert drawn["reset"]["x"][:2] == pytest.approx([end, end], rel=1e-5)
    assert "1 reset so far" in caption(chart)
    assert "1.25 limits" in chart["layout"]["meta"]["alt"]


def test_the_surprises_of_a_real_run_are_those_noted():
    run = real_run("et-gpucb", 45)

    assert named(rule(run))["surprise"]["y"] == pytest.approx(noted(run, "surprise"), abs=1e-3)


def test_a_block_counts_down_to_its_reset():
    run = make_fitted_run(60, algorithm="r-gpucb", notes={"period": 70, "epsilon": 0.01})
    took = run.columns["seconds"][-10:].mean()

    assert caption(rule(run)).startswith("Next reset")
    assert in_order(caption(rule(run)), " 10 observations", f" {10 * took:.2f} s.")
    assert named(rule(run))["period"]["y"][-1] == 70
    full = with_notes(run, {"period": 70, "reset": "block of 70 observations is full"})
    assert caption(rule(full)).startswith("The block was full")


def test_the_countdown_takes_the_pace_of_earlier_blocks():
    run = make_fitted_run(
        200, algorithm="r-gpucb", sizes=lambda i: i % 50, notes={"period": 50}
    )  # 50 stand in D after the last pass of a block; the run ends with one of 50

    assert in_order(caption(rule(run)), "Next reset", " 0 observations")
    shorter = make_fitted_run(
        190, algorithm="r-gpucb", sizes=lambda i: i % 50, notes={"period": 50}
    )
    took = np.mean([0.1 + 1e-6 * n**3 for n in range(40, 50)])
    assert f"about {10 * took:.2f} s" in caption(rule(shorter))


def test_a_window_shows_its_size_and_how_far_back_it_reaches():
    run = real_run("sw-gpucb", 80)
    drawn, t = named(rule(run)), run.columns["t"]

    assert drawn["window"]["y"][-1] == noted(run, "window")[-1]
    assert drawn["span of D, s"]["y"][-1] == pytest.approx(t[-1] - t[run.members()[0]], rel=1e-4)
    assert drawn["observations kept"]["y"] == run.sizes().tolist()


def test_weights_are_the_inverse_of_the_noise_by_age():
    run = real_run("w-gpucb", 45)
    dots, tau = named(rule(run))["observations"], noted(run, "memory")[-1]
    ages = run.columns["t"][-1] - run.columns["t"]

    assert dots["x"] == pytest.approx(ages.tolist(), abs=1e-3)
    assert dots["y"] == pytest.approx([math.exp(-age / tau) for age in ages], abs=1e-4)


def test_the_forgetting_factor_is_that_of_the_markov_model():
    run = real_run("tv-gpucb", 45)
    dots, t = named(rule(run))["observations"], run.columns["t"]
    u = (t[-1] - t[0]) / 44
    eps = epsilon(float(run.columns["lengthscale_time"][-1]), u)
    factors = (1 - eps) ** ((t[-1] - t) / (2 * u))

    assert dots["y"] == pytest.approx(factors.tolist(), abs=1e-4)


def test_the_budget_balances():
    run = real_run("w-dbo", 80)
    drawn = named(rule(run))
    left = drawn["earned"]["y"][-1] - drawn["spent"]["y"][-1]

    assert drawn["left"]["y"][-1] == pytest.approx(noted(run, "budget")[-1], abs=1e-5)
    assert left == pytest.approx(drawn["left"]["y"][-1], abs=1e-5)
    removed = sum(len(ids) for ids in run.columns.removed[:80])
    assert f"on {removed:,} removals" in caption(rule(run))


def test_waits_are_shown_with_the_window_they_were_chosen_from():
    run = make_fitted_run(60, algorithm="abo", notes={"ahead": 6.0})
    run = replace(run, columns=replace(run.columns, table=run.columns.table.copy()))
    run.columns["waited"][30:] = 3.0
    chart = rule(run)

    assert named(chart)["window"]["y"][:17] == [0.0] * 16 + [6.0]
    assert "2.05 s on average, 34\N{THIN SPACE}%" in caption(chart)  # 30 of 44 waited
    assert "not waited" in rule(make_fitted_run(60, algorithm="abo", notes={"ahead": 0.0}))["text"]
    assert "without waiting" in rule(make_fitted_run(60, algorithm="abo-t", notes={}))["text"]


def test_without_a_rule_there_is_a_sentence():
    assert rule(real_run("gpucb", 45))["text"].startswith("No rule")
    assert in_order(rule(real_run("random", 45))["text"], "No rule", "every query", "random")
    assert "after the warm-up" in rule(make_fitted_run(3, algorithm="gpucb"))["text"]


def test_an_algorithm_of_another_package_gets_a_sentence_or_the_chart_of_its_notes():
    assert "keeps every observation" in rule(make_fitted_run(60, algorithm="new", notes={}))["text"]
    assert "window" in named(rule(make_fitted_run(60, algorithm="new", notes={"window": 9})))
    assert "fitted" in named(rule(make_pruned_run(60, algorithm="new")))
