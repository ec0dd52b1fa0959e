"""Clocks: what is charged, and what is free."""

import threading
import time

import pytest

from bolt_core.bench.clock import thread_to_process
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.types import ClockConfig
from bolt_core.runs import clocks
from bolt_core.runs.clocks import CpuClock, ModelClock, WallClock, make_clock


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("kind", ["wall", "cpu", "model"])
def test_what_stands_outside_computing_is_free(kind):
    clock = make_clock(ClockConfig(kind))
    burn(0.02)

    assert clock.now() == 0.0


def test_the_cpu_clock_charges_cpu_seconds_times_slowdown():
    clock = CpuClock(slowdown=10.0)
    with clock.computing(5):
        burn(0.02)

    assert clock.now() >= 0.2


def test_the_cpu_clock_does_not_see_a_sleep():
    clock = CpuClock()
    with clock.computing(5):
        time.sleep(0.2)

    assert clock.now() < 0.1  # a sleep of 0.2 s costs a few microseconds of CPU


def test_the_wall_clock_sees_a_sleep():
    clock = WallClock()
    with clock.computing(5):
        time.sleep(0.05)

    assert clock.now() >= 0.05


def test_the_cpu_clock_charges_whichever_thread_computes():
    clock = CpuClock()

    def work():
        with clock.computing(1):
            burn(0.02)

    for _ in range(2):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    assert clock.now() >= 0.04


def test_time_is_charged_even_when_the_computation_fails():
    clock = CpuClock()

    def crash():
        with clock.computing(1):
            burn(0.01)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        crash()
    assert clock.now() >= 0.01


@pytest.mark.parametrize("clock", [CpuClock(), ModelClock((0.0, 0.0, 0.0, 0.0))])
def test_spending_passes_declared_seconds_without_sleeping(clock):
    clock.spend(1000.0)

    assert clock.now() == 1000.0


def test_a_stop_ends_a_wall_clocks_wait_at_once():
    stop = threading.Event()
    stop.set()
    clock = WallClock(stop=stop)
    clock.spend(60.0)

    assert clock.now() < 10.0


def test_a_model_clock_is_its_polynomial():
    clock = ModelClock((0.1, 1e-3, 1e-4, 1e-5))
    with clock.computing(10):
        burn(0.01)
    clock.spend(0.5)
    clock.end_pass(10)

    assert clock.now() == pytest.approx(0.5 + 0.1 + 0.01 + 0.01 + 0.01)


def test_a_clock_can_start_where_another_stopped():
    assert make_clock(ClockConfig("model"), start=12.5).now() == 12.5


def test_the_cpu_clock_refuses_more_than_one_blas_thread(monkeypatch):
    monkeypatch.setattr(clocks, "blas_threads", lambda: 2)

    with pytest.raises(ConfigError, match="one BLAS thread, found 2"):
        CpuClock()


def test_one_thread_does_all_of_a_large_factorisation():
    # 10 %: both read the kernel's own accounting; with two BLAS threads the ratio is 0.5
    assert thread_to_process() == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("slowdown", [0.0, -1.0, float("inf"), float("nan")])
def test_a_slowdown_that_is_no_speed_is_an_error(slowdown):
    with pytest.raises(ConfigError, match="slowdown"):
        ClockConfig("cpu", slowdown)


@pytest.mark.parametrize("device", [(1.0,), (1.0, 2.0, 0.0, -3.0), (float("nan"), 0.0, 0.0, 0.0)])
def test_a_device_is_four_non_negative_numbers(device):
    with pytest.raises(ConfigError, match="a device is four numbers"):
        ClockConfig("model", device=device)


def test_an_unknown_clock_is_an_error_that_lists_them():
    with pytest.raises(UnknownNameError, match="unknown clock 'sun'"):
        ClockConfig("sun")
