"""The simulated plant, and the thread that measures it."""

import time
from datetime import timedelta

import pytest

from bolt_core.common.errors import ConfigError, LimitError, StateError
from bolt_core.problems import plant_driver, simulated_plant
from tests.support.problems import ME, SPEC


@pytest.fixture
def fast(problems, monkeypatch):
    monkeypatch.setattr(problems._drivers, "_step_seconds", 0.0)
    return problems


def wait(problems, id):
    deadline = time.monotonic() + 30.0
    while problems.is_running(id) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not problems.is_running(id)


def test_the_best_setting_is_the_best_and_drifts():
    knobs = list(simulated_plant.SPEC.knobs)
    best = dict(zip(knobs, simulated_plant.best_setting(1000.0), strict=True))
    assert simulated_plant.true_yield(best, 1000.0) == simulated_plant.BEST_YIELD
    assert simulated_plant.true_yield(best, 3000.0) < simulated_plant.BEST_YIELD - 5.0
    noisy = [simulated_plant.measured_yield(best, 1000.0, seed) for seed in (1, 1, 2)]
    assert noisy[0] == noisy[1] != noisy[2]


def test_a_plant_is_measured_once_per_minute_up_to_the_present(fast, monkeypatch):
    monkeypatch.setattr(plant_driver, "PLANT_MEASUREMENTS", 8)
    id, _ = fast.create_simulated(ME)
    with pytest.raises(StateError):
        fast.ask(id, ME)
    wait(fast, id)
    view = fast.view(id)

    assert (view.told, view.simulated, view.pending) == (8, True, ())
    assert set(view.log["time"].diff().dropna()) == {timedelta(minutes=1)}
    assert view.log["time"].iloc[-1] < view.changed
    fast.start_plant(id, ME)
    wait(fast, id)
    assert fast.view(id).told == 16
    fast.tell(id, 70.0, ME, ask_id=fast.next_setting(id, ME).id)


def test_plants_are_bounded_and_can_be_stopped(problems, monkeypatch):
    monkeypatch.setattr(plant_driver, "MAX_PLANTS", 1)
    id, _ = problems.create_simulated(ME)
    with pytest.raises(LimitError):
        problems.create_simulated(ME)
    assert [row.running for row in problems.rows(ME)] == [True]
    problems.stop_plant(id, ME)
    wait(problems, id)
    problems.delete(id, ME)
    other = problems.create(SPEC, ME).id
    with pytest.raises(ConfigError):
        problems.start_plant(other, ME)
