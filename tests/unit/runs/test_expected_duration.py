"""Durations on screen follow this machine; limits do not."""

import pytest
from threadpoolctl import threadpool_limits

from bolt_core.common import runtime
from bolt_core.common.text import duration_range
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.runs import expected_duration, limits, machine_speed
from bolt_core.runs.duration_estimate import cpu_seconds
from bolt_core.runs.expected_duration import ESTIMATE_ERROR, MAX_APART, contention, expected_at
from bolt_core.runs.machine_speed import MAX_AGE_SECONDS, MachineSpeed, SpeedMeter

CONFIG = RunConfig("gpucb", "eggholder", horizon=60.0, clock=ClockConfig("model"))
IDLE = MachineSpeed(1.0, 1.0)


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    """Two cores; machine(load) sets the load average."""

    def busy(load):
        monkeypatch.setattr(machine_speed, "load", lambda: load)

    monkeypatch.setattr(machine_speed, "cores", lambda: 2)
    busy(0.0)
    return busy


def ratio(speed, **rest):
    """Return the ends of the range over those of an idle machine of the reference's speed."""
    ends, idle = expected_at(speed, [CONFIG], **rest), expected_at(IDLE, [CONFIG])
    return ends.low / idle.low, ends.high / idle.high


def test_the_duration_is_the_estimate_times_slowness_waiting_and_turns():
    low, high = expected_at(IDLE, [CONFIG])

    assert low == pytest.approx(cpu_seconds(CONFIG) / ESTIMATE_ERROR)
    assert high == pytest.approx(cpu_seconds(CONFIG) * ESTIMATE_ERROR * MAX_APART)
    assert ratio(MachineSpeed(2.0, 1.0)) == pytest.approx((2.0, 2.0))
    assert ratio(MachineSpeed(1.0, 4.0)) == pytest.approx((4.0 / MAX_APART, 4.0))
    assert ratio(IDLE, live_races=2) == pytest.approx((3.0, 3.0))
    longer = 1.0 + 5.0 / cpu_seconds(CONFIG)
    assert ratio(IDLE, start_up=5.0) == pytest.approx((longer, longer))


def test_load_beyond_the_cores_prolongs_it(machine):
    machine(1.0)
    assert contention(None, 0, 1) == (1.0, 1.0)  # the second core is free
    machine(7.0)
    assert contention(None, 0, 1) == (4.0, 4.0)


@pytest.mark.parametrize("load", [0.0, 7.0])  # the load of programs of lower priority counts too
def test_where_the_wait_for_a_core_was_measured_the_load_average_has_no_part(machine, load):
    machine(load)

    assert contention(1.0, 0, 1) == pytest.approx((1.0, MAX_APART))
    assert contention(3.0, 0, 1) == pytest.approx((3.0 / MAX_APART, 3.0 * MAX_APART))
    assert contention(1.0, 0, 8) == pytest.approx((4.0, 4.0 * MAX_APART))  # 8 on two cores


def test_workers_share_the_runs_but_no_run_is_split():
    one, two = (expected_at(IDLE, [CONFIG] * 4, workers=workers) for workers in (1, 2))

    assert two.low == pytest.approx(one.low / 2)
    assert ratio(IDLE, workers=2) == pytest.approx((1.0, 1.0))


def test_on_the_cpu_clock_a_slow_processor_makes_fewer_passes():
    config = RunConfig("gpucb", "eggholder", horizon=60.0, clock=ClockConfig("cpu", 15.0))

    assert cpu_seconds(config, 4.0) <= 60.0 / 15.0 * 1.2


def test_a_limit_counts_the_same_on_every_machine(monkeypatch, machine):
    fast = ClockConfig("model", device=(1e-4, 0.0, 0.0, 0.0))
    runs = [RunConfig("gpucb", "powell", clock=fast)]
    before = limits.exceeded_cpu(runs)
    meter = SpeedMeter(lambda: MachineSpeed(9.0, 9.0))
    meter.measure_now()
    monkeypatch.setattr(expected_duration, "METER", meter)
    machine(30.0)

    assert expected_duration.expected(runs).low > expected_at(IDLE, runs).low
    assert limits.exceeded_cpu(runs) == before != []


def test_a_measurement_is_repeated_when_it_is_old_but_never_beside_a_race():
    clock, load, measured = [0.0], [0.0], []

    def measure():
        measured.append(clock[0])
        return IDLE

    meter = SpeedMeter(measure, now=lambda: clock[0], load=lambda: load[0])
    assert meter.refresh(computing=True) is None
    assert measured == []
    late = MAX_AGE_SECONDS + 1.0
    for now, busy in ((0.0, 0.0), (1.0, 0.0), (late, 0.0), (late + 10.0, 0.5), (late + 20.0, 3.0)):
        clock[0], load[0] = now, busy
        meter.refresh()
        meter._thread.join(10.0)

    assert measured == [0.0, late, late + 20.0]  # the last one because the load changed
    assert meter.speed == IDLE


def test_the_unit_of_work_gives_a_plausible_speed():
    speed = machine_speed.measure()

    assert 0.05 < speed.slowness < 50.0
    assert speed.waiting >= 1.0


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(0.2, 0.4, "1 s"), (3.2, 4.8, "3-5 s"), (41.0, 58.0, "40-60 s"), (80.0, 130.0, "1-2 min")],
)
def test_a_range_is_written_in_one_unit(low, high, words):
    assert duration_range(low, high) == words.replace("-", "\N{EN DASH}")


def test_the_speed_is_measured_with_one_thread_of_linear_algebra():
    with threadpool_limits(limits=2):
        machine_speed.measure()
        assert runtime.blas_threads() == 1
