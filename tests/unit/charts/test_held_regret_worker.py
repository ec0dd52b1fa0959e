"""Held regret in a thread of its own: at once what is known, and no harm by a plug-in."""

import threading
import time
from dataclasses import replace

import pytest

from bolt_core.analysis import held_regret
from bolt_core.charts import held_regret_worker
from bolt_core.charts.held_regret_worker import HeldRegrets
from bolt_core.common.errors import ConfigError
from tests.support.runs import make_run, real_run


@pytest.fixture
def worker():
    made = HeldRegrets()
    yield made
    made.shutdown()


def test_a_reader_gets_what_is_known_and_later_the_whole_curve(worker):
    run = real_run("gpucb", 40)
    part = run.upto(30)

    assert worker.newest([part]) == {}
    first = worker.wait([part])[part.run_id]
    whole = worker.wait([run])[run.run_id]

    assert first.passes == 30
    assert whole.average() == pytest.approx(held_regret.held_regret(run), rel=1e-9)
    assert worker.complete([run])
    assert worker.newest([part])[run.run_id] is whole  # a replay reads the same curve


def test_a_run_of_an_unknown_benchmark_is_complete_without_a_curve(worker):
    run = replace(make_run(40, benchmark="nowhere"), run_id="x")

    assert worker.wait([run]) == {}
    assert worker.complete([run])


def test_a_plug_in_that_hangs_keeps_no_other_run_waiting(worker, monkeypatch):
    released = threading.Event()

    def hang(run, previous=None):
        if run.config.benchmark == "mine":
            released.wait(20.0)
            raise ConfigError("it was released")
        return

    monkeypatch.setattr(held_regret_worker, "curve_of", hang)
    monkeypatch.setattr(held_regret_worker, "PLUG_IN_SECONDS", 0.2)
    stuck, sound = make_run(40, benchmark="mine", run_id="a"), make_run(40, run_id="b")
    began = time.monotonic()

    worker.wait([stuck, sound], timeout=15.0)

    assert worker.complete([stuck, sound])
    assert time.monotonic() - began < 10.0
    released.set()
