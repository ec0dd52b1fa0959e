"""The pace of a race, and the estimated time left."""

from itertools import pairwise

import pytest

from bolt_core.live.eta import EtaEstimator


@pytest.fixture
def watch():
    """watch(speed, seconds, horizon): go on at that speed, looked at once a second."""
    state = {"real": 0.0, "t": 0.0}
    pace = EtaEstimator(lambda: state["real"])
    pace.note(0.0)

    def go(speed, seconds, horizon=None, step=1.0):
        estimates = []
        for _ in range(round(seconds / step)):
            state["real"] += step
            state["t"] += speed * step
            pace.note(state["t"], None if horizon is None else horizon)
            estimates.append(pace.seconds_left)
        return estimates

    go.pace, go.state = pace, state
    return go


@pytest.mark.parametrize(
    ("left", "estimates"), [(100.0, 25.0), (90.0, 25.0), (81.0, 25.0), (0.0, 0.0)]
)
def test_time_left_is_remaining_over_median_speed_in_steps_of_five(watch, left, estimates):
    assert watch(4.0, 10, horizon=40.0 + left)[-1] == estimates
    assert watch.pace.pace == 4.0


def test_nothing_is_given_in_the_first_three_seconds(watch):
    estimates = watch(4.0, 4.0, horizon=1000.0, step=0.5)

    assert estimates[:5] == [None] * 5
    assert estimates[5] is not None


def test_only_the_last_thirty_seconds_count(watch):
    watch(1.0, 60)
    watch(10.0, 40)

    assert watch.pace.pace == 10.0


def test_one_slow_second_does_not_change_the_pace(watch):
    watch(6.2, 10)
    watch(0.0, 1)
    watch(6.2, 5)

    assert watch.pace.pace == pytest.approx(6.2)


def test_time_left_never_grows_by_less_than_a_tenth(watch):
    estimates = [value for value in watch(4.0, 20, horizon=2000.0) if value is not None]
    for speed in (3.9, 3.8, 3.7, 3.5, 3.0, 2.0, 1.0, 4.0):
        estimates += watch(speed, 40, horizon=2000.0)

    grown = [(a, b) for a, b in pairwise(estimates) if b > a]
    assert grown  # it did become slower
    assert all(b >= 1.1 * a for a, b in grown)


def test_a_rest_does_not_change_the_pace(watch):
    watch(4.0, 20, horizon=200.0)
    watch.pace.rest()
    assert watch.pace.seconds_left is None

    watch.state["real"] += 25.0
    assert watch(4.0, 2, horizon=200.0)[-1] == 30.0  # (200 - 88) / 4 = 28
    assert watch.pace.pace == 4.0


def test_a_race_that_stands_still_has_no_estimate(watch):
    assert watch(0.0, 10, horizon=100.0)[-1] is None


def test_a_busy_machine_corrects_the_estimate_of_the_work():
    """Passes cost more and more; the machine gives this race a quarter of its time."""
    real, pace, estimates = [0.0], None, []
    pace = EtaEstimator(lambda: real[0])
    horizon, work = 100.0, lambda t: 25.0 * (1.0 - (t / 100.0) ** 2)
    while (t := 100.0 * (real[0] / 100.0) ** 0.5) < 99.9:  # 25 s of work take 100 s
        pace.note(t, horizon, lambda t=t: work(t))
        estimates.append((real[0], pace.seconds_left))
        real[0] += 1.0

    assert [left for at, left in estimates if at < 3.0] == [None] * 3
    for at, left in estimates[4:]:
        assert abs(left - (100.0 - at)) <= 5.0 + 1e-6
