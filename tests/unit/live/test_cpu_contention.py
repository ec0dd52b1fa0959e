"""CPU contention: real seconds against CPU seconds of the race's thread."""

import pytest

from bolt_core.common.types import ClockConfig
from bolt_core.live.cpu_contention import MAX_SLICES, MIN_SLICES, CpuContention
from bolt_core.live.race import Race
from tests.support.live_races import lane


@pytest.fixture
def machine():
    """machine(real, cpu, times): so many slices of that length."""
    contention = CpuContention()

    def go(seconds, of_cpu, times=1):
        for _ in range(times):
            contention.note(seconds, of_cpu)

    go.contention = contention
    return go


def test_no_ratio_is_given_before_there_are_enough_slices(machine):
    machine(0.1, 0.05, MIN_SLICES - 1)
    assert (machine.contention.recent, machine.contention.overall) == (None, None)

    machine(0.1, 0.05)
    assert machine.contention.recent == pytest.approx(2.0)  # sums of decimals
    assert machine.contention.overall == pytest.approx(2.0)


def test_a_single_slow_slice_is_ignored_and_old_contention_is_forgotten(machine):
    machine(0.05, 0.05, MAX_SLICES - 1)
    machine(3.0, 0.05)
    assert machine.contention.recent == pytest.approx(1.0)

    machine(0.2, 0.05, MAX_SLICES)
    assert machine.contention.recent == pytest.approx(4.0)
    machine(0.05, 0.05, MAX_SLICES)
    assert machine.contention.recent == pytest.approx(1.0)
    assert machine.contention.overall > 1.5  # of the whole race it was a third


def test_a_slice_without_computing_does_not_count(machine):
    machine(5.0, 0.0, 2 * MIN_SLICES)

    assert machine.contention.recent is None


@pytest.mark.parametrize(("kind", "times"), [("cpu", 2.0), ("model", None)])
def test_only_a_race_on_the_cpu_clock_can_be_disturbed(tmp_path, machine, kind, times):
    race = Race([lane(clock=ClockConfig(kind))], tmp_path, contention=machine.contention)
    assert race.snapshot().disturbed is None

    machine(0.1, 0.05, MIN_SLICES)
    assert race.snapshot().disturbed == (times and pytest.approx(times))
    race.end()
    assert race.snapshot().disturbed == (times and pytest.approx(times))


def test_a_race_that_was_alone_is_not_called_disturbed(tmp_path, machine):
    race = Race([lane(clock=ClockConfig("cpu"))], tmp_path, contention=machine.contention)
    machine(0.052, 0.05, MAX_SLICES)

    assert race.snapshot().disturbed is None
