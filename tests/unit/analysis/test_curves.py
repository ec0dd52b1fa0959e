"""Curves: where their points are drawn, and the mean over seeds with its step rule."""

import numpy as np
import pytest

from bolt_core.analysis import curves, regret
from tests.support.runs import make_record, make_run


def run(*seconds, waited=0.0):
    """A warm-up pass, then others; each pass begins when the one before ended."""
    began = np.concatenate([[0.0], np.cumsum(seconds)[:-1]])
    return make_run(
        make_record(i, t=t + waited, seconds=s, waited=waited, warmup=i == 0, regret=float(i))
        for i, (t, s) in enumerate(zip(began, seconds, strict=True))
    )


def test_points_are_drawn_at_the_ends_of_their_passes():
    x, y = curves.regret_curve(run(1.0, 2.0, 4.0))
    assert (x.tolist(), y.tolist()) == ([3.0, 7.0], [1.0, 1.5])

    x, y = curves.regret_curve(run(1.0, 2.0, 4.0), regret.cumulative)
    assert (x.tolist(), y.tolist()) == ([3.0, 7.0], [1.0, 3.0])

    x, y = curves.size_curve(run(1.0, 2.0, 4.0, waited=0.5))
    assert (x.tolist(), y.tolist()) == ([1.0, 3.0, 7.0], [1.0, 2.0, 3.0])


def test_an_observation_told_out_of_order_is_drawn_after_those_before_it():
    late = make_run([make_record(0, t=5.0, seconds=0.0), make_record(1, t=2.0, seconds=0.0)])

    assert curves.point_times(late.columns).tolist() == [5.0, 5.0]


def test_the_mean_covers_what_all_curves_cover():
    short, long = ([1.0, 2.0], [0.0, 1.0]), ([0.0, 4.0], [0.0, 4.0])
    x, mean, error = curves.mean_curve([short, long, ([], [])])

    assert (x[0], x[-1]) == (1.0, 2.0)
    assert mean.tolist() == pytest.approx(((x - 1.0) / 2 + x / 2).tolist())
    assert error is None


def test_a_step_holds_until_the_next_point():
    steps = ([0.0, 1.0, 2.0], [1.0, 5.0, 9.0])
    x, mean, _ = curves.mean_curve([steps, steps], stepped=True)

    assert set(mean[(x >= 1.0) & (x < 2.0)]) == {5.0}


def test_from_three_curves_on_the_mean_has_a_standard_error():
    three = [([0.0, 1.0], [level, level]) for level in (1.0, 2.0, 3.0)]

    assert curves.mean_curve(three).error == pytest.approx(3**-0.5)
    assert curves.mean_curve(three[:2]).error is None


def test_one_curve_is_returned_unchanged_and_none_is_empty():
    x, mean, _ = curves.mean_curve([([0.0, 3.0], [1.0, 2.0])])

    assert (x.tolist(), mean.tolist()) == ([0.0, 3.0], [1.0, 2.0])
    assert len(curves.mean_curve([]).x) == 0


def test_grid_points_stay_while_the_runs_grow():
    shorter, longer = curves._grid(0.0, 100.0, 50), curves._grid(0.0, 110.0, 50)

    assert set(shorter[:-1]) <= set(longer)
    assert len(longer) <= 50
