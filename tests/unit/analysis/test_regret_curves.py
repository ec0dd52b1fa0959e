"""Curves of regret over queries and over response time, and the times of queries."""

import numpy as np
import pytest

from bolt_core.analysis.lanes import lanes
from bolt_core.analysis.regret_curves import query_times, regret_curve, response_and_regret
from tests.support.runs import make_run


def test_both_axes_leave_out_the_warm_up():
    run = make_run(20, regret=2.0)
    seconds, average = regret_curve(run, "average", "seconds")
    queries, total = regret_curve(run, "cumulative", "iterations")

    np.testing.assert_allclose(seconds, 0.1 * np.arange(16, 21))
    assert queries.tolist() == [16, 17, 18, 19, 20]
    assert average.tolist() == [2.0] * 5
    assert total.tolist() == [2.0, 4.0, 6.0, 8.0, 10.0]


def test_a_count_is_reached_when_all_seeds_have_reached_it():
    (lane,) = lanes([make_run(20, seed=0), make_run(20, seed=1)])
    times = query_times(lane, [1.0, None, 20.0])

    assert times[[0, 2]] == pytest.approx([0.1, 2.0])
    assert np.isnan(times[1])


def test_the_path_of_a_run_ends_at_its_averages():
    run = make_run(400, regret=lambda i: float(i))
    response, average = response_and_regret(run)

    assert response[-1] == pytest.approx(0.1)
    assert average[-1] == pytest.approx(np.mean(np.arange(15.0, 400.0)))
    assert len(response) == len(average) <= 60
    assert response_and_regret(make_run(20)) is None
