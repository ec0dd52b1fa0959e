"""Observations outside the bounds: every W_2 is a number, and the least relevant is removed."""

import math

import numpy as np
import pytest

from bolt_core.algorithms import bolt, w_dbo
from bolt_core.charts.relevance_worker import relevance_scores
from bolt_core.figures.inside.algorithm1 import steps
from tests.support.moments import N_STAR, moment
from tests.support.runs import make_pruned_run
from tests.support.surrogates import conditioned, covariance

OUTSIDE = [(1.5, 0.5), (-0.5, 1.5), (40.0, -40.0)]


@pytest.mark.parametrize("l_S", [0.02, 0.5])
@pytest.mark.parametrize("outside", OUTSIDE)
def test_one_observation_outside_leaves_the_scores_of_the_others_as_they_were(outside, l_S):
    rng = np.random.default_rng(5)
    Z = np.column_stack([rng.random((30, 2)), np.arange(30.0)])
    y = rng.standard_normal(31)
    k = covariance(l_S=l_S)
    inside = conditioned(k, Z, y[:30]).removal_scores(30.0)
    surrogate = conditioned(k, np.vstack([[*outside, 0.0], Z]), y)
    scores = surrogate.removal_scores(30.0)

    assert np.all(np.isfinite(scores))
    assert np.median(scores[1:] / inside) == pytest.approx(1.0, abs=0.2)
    chosen, score = surrogate.removals(30.0, 1)[0]
    assert score == pytest.approx(scores[chosen], rel=0.5)


def test_scores_that_are_no_numbers_are_noted_and_the_oldest_is_removed_instead():
    now = moment(N_STAR + 2, scores=[math.nan] * (N_STAR + 2))
    removal = bolt.RecommendedSize().clean(now)

    assert removal.ids == (1000, 1001)
    assert "oldest" in removal.notes["fallback"]
    assert "scores" not in removal.notes


def test_w_dbo_removes_none_for_a_score_that_is_no_number():
    policy = w_dbo.RemovalBudget(w_dbo.Params())
    policy.clean(moment(40, t=0.0))
    removal = policy.clean(moment(40, t=200.0, scores=[math.nan] * 40))

    assert removal.ids == ()
    assert "none" in removal.notes["fallback"]
    assert removal.notes["budget"] > 0.0


def test_the_dashboard_names_the_fallback(monkeypatch):
    run = make_pruned_run(62)
    run.columns.notes[61] = {"response": [1.0, 1.0, 0.0, 0.0], "fallback": "the oldest instead"}
    monkeypatch.setattr("bolt_core.gp.exact.ExactSurrogate.removal_scores", lambda *_: [math.nan])

    assert any("the oldest instead" in step["said"] for step in steps(run))
    assert "not finite" in relevance_scores(make_pruned_run(62)).reason
