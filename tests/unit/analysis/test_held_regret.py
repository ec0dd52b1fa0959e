"""Held regret: an analytic objective, brute force on a fine grid, and properties."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core import benchmarks
from bolt_core.analysis import optimum_grid
from bolt_core.analysis.held_regret import held_curve
from bolt_core.benchmarks import oracle
from bolt_core.common.types import RunStatus
from tests.support.runs import make_record, make_run, real_run

HORIZON = 100.0
GRID = np.linspace(0.0, HORIZON, 2001)
STEP = HORIZON / 2000
WARMUP = 3


def moving_top(t):
    """The optimum of the toy objective."""
    return 0.5 + 0.3 * np.sin(2.0 * np.pi * t / HORIZON)


def toy(x, t):
    """f = -(x - x*_t)^2: its regret is the square itself, and f* is 0."""
    return -((x[..., 0] - moving_top(t)) ** 2)


def lost_between(x, a, b):
    """The integral of (x - x*_t)^2 from a to b, in closed form."""
    w, level = 2.0 * math.pi / HORIZON, x - 0.5

    def primitive(t):
        square = t / 2.0 - math.sin(2.0 * w * t) / (4.0 * w)
        return level**2 * t + 0.6 * level * math.cos(w * t) / w + 0.09 * square

    return primitive(b) - primitive(a)


def toy_run(times, xs, *, status=RunStatus.FINISHED, seconds=1.0, notes=None, **changes):
    """A run that asks x_i at t_i; the first three queries are its warm-up."""
    records = [
        make_record(
            i, t=float(t), x=(float(x),), regret=-float(toy(np.array([x]), t)), seconds=seconds,
            warmup=i < WARMUP, notes=(notes or {}).get(i, {}),
        )
        for i, (t, x) in enumerate(zip(times, xs, strict=True))
    ]  # fmt: skip
    header = {"horizon": HORIZON, "dimension": 1}
    return make_run(records, status=status, header=header, **changes)


def toy_curve(run, previous=None):
    return held_curve(run, toy, (GRID, np.zeros(len(GRID))), previous)


TIMES = np.array([0.0, 1.0, 2.0, 3.0, 17.3, 18.0, 40.25, 77.7])
XS = np.array([0.1, 0.9, 0.3, 0.6, 0.2, 0.8, 0.75, 0.4])


def test_the_toy_objective_has_the_held_regret_of_its_closed_form():
    bounds = [*TIMES[WARMUP:], HORIZON]
    spans = zip(XS[WARMUP:], bounds, bounds[1:], strict=False)
    expected = sum(lost_between(x, a, b) for x, a, b in spans) / (HORIZON - 3.0)
    # |d2/dt2 (x - x*)^2| < 0.006 here, so the trapezoidal rule is off by at most h^2 / 12 of it
    found = toy_curve(toy_run(TIMES, XS)).average()
    assert found == pytest.approx(expected, abs=0.006 * STEP**2 / 12)


def test_a_run_that_stopped_asking_is_charged_for_its_rest():
    run = toy_run(TIMES[:5], XS[:5])
    full = lost_between(0.6, 3.0, 17.3) + lost_between(0.2, 17.3, HORIZON)
    assert toy_curve(run).average() == pytest.approx(full / (HORIZON - 3.0), abs=1e-5)


def test_an_unfinished_run_is_counted_up_to_the_end_of_its_last_pass():
    curve = toy_curve(toy_run(TIMES[:5], XS[:5], status=RunStatus.RUNNING))
    expected = lost_between(0.6, 3.0, 17.3) + lost_between(0.2, 17.3, 18.3)
    assert curve.times[-1] == 18.3
    assert curve.average() == pytest.approx(expected / 15.3, abs=1e-5)


def test_a_failed_query_holds_nothing_new():
    failed = toy_run(TIMES, XS, notes={4: {"failed": True}})
    without = toy_run(np.delete(TIMES, 4), np.delete(XS, 4))
    assert toy_curve(failed).average() == pytest.approx(toy_curve(without).average(), rel=1e-12)


def test_there_is_none_in_the_warm_up_and_without_an_optimum():
    assert toy_curve(toy_run(TIMES[:3], XS[:3], status=RunStatus.RUNNING)) is None
    records = [make_record(i, best=math.nan, warmup=i < 3) for i in range(9)]
    assert toy_curve(make_run(records, header={"horizon": HORIZON})) is None


def test_a_later_snapshot_continues_the_curve_of_an_earlier_one():
    whole, curve = toy_curve(toy_run(TIMES, XS)), None
    for passes in range(1, len(TIMES) + 1):
        status = RunStatus.FINISHED if passes == len(TIMES) else RunStatus.RUNNING
        curve = toy_curve(toy_run(TIMES[:passes], XS[:passes], status=status), curve)
    assert np.array_equal(curve.times, whole.times)
    assert curve.integral == pytest.approx(whole.integral, rel=1e-12, abs=1e-15)
    for until in (3.5, 17.3, 30.0, 99.0):
        part = whole.average(until) * (until - 3.0)
        assert part == pytest.approx(float(np.interp(until, whole.times, whole.integral)))
    assert whole.averages(np.array([3.0, 50.0])) == pytest.approx(
        [math.nan, whole.average(50.0)], nan_ok=True
    )


@pytest.mark.parametrize("key", ["schwefel", "ackley"])
def test_a_real_run_agrees_with_brute_force_on_a_fine_grid(key):
    run = real_run("gpucb", 40, key)
    benchmark = benchmarks.load(key)
    optimum = optimum_grid.known(benchmark)
    curve = held_curve(run, benchmark.value, (optimum_grid.grid_times(benchmark), optimum))
    t, x = run.columns["t"], run.columns["x"]
    begin, end = run.columns.ends()[14], run.end
    fine = begin + (end - begin) * (np.arange(1500) + 0.5) / 1500  # midpoints
    held = x[np.searchsorted(t, fine, side="right") - 1]
    best = np.array([oracle.best(benchmark, float(s))[1] for s in fine])
    expected = float(np.mean(best - benchmark.value(held, fine)))
    # a midpoint cell that holds a change of setting is off by up to half of it, times the jump
    jumps = np.abs(np.diff(run.columns["value"][14:])).sum()
    assert curve.average() == pytest.approx(expected, abs=jumps / 1500 + 1e-3 * expected)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(3.0, 99.0), min_size=1, max_size=8, unique=True),
    st.floats(0.0, 1.0),
    st.floats(0.0, 5.0),
)
def test_a_constant_regret_is_itself_however_its_hold_is_split(splits, x, best):
    times = [0.0, 1.0, 2.0, *sorted(splits)]
    records = [
        make_record(i, t=t, x=(x,), regret=best + x, best=best, warmup=i < 3)
        for i, t in enumerate(times)
    ]
    run = make_run(records, status=RunStatus.FINISHED, header={"horizon": HORIZON})
    curve = held_curve(run, lambda x, _: -x[..., 0], (GRID, np.full(len(GRID), best)))
    assert curve.average() == pytest.approx(best + x, rel=1e-9, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.floats(4.0, 99.0))
def test_asking_the_held_setting_again_changes_nothing(t):
    plain = toy_run([0.0, 1.0, 2.0, 3.0], [0.1, 0.9, 0.3, 0.6])
    split = toy_run([0.0, 1.0, 2.0, 3.0, t], [0.1, 0.9, 0.3, 0.6, 0.6])
    assert toy_curve(split).average() == pytest.approx(toy_curve(plain).average(), abs=1e-6)
