"""Objectives of plug-in packages: called in a thread, and abandoned after a time limit."""

import threading

import numpy as np
import pytest

from bolt_core import benchmarks
from bolt_core.common.errors import ObjectiveError
from bolt_core.common.types import RunStatus
from bolt_core.live import conductor as live
from bolt_core.live.conductor import Conductor
from bolt_core.runs import loop, timed_call
from bolt_core.runs.timed_call import ObjectiveThread
from tests.conftest import _board
from tests.support.live_races import ended, lane, passes
from tests.support.wording import in_order


class Plugin:
    """A benchmark that blocks after t = 1 s until it is released."""

    def __init__(self):
        self.hangs, self.release, self.threads = threading.Event(), threading.Event(), set()

    def __call__(self, x, t):
        self.threads.add(threading.current_thread().name)
        if np.any(t > 1.0):
            self.hangs.set()
            self.release.wait(30)
        return 0.0 * x[..., 0]


@pytest.fixture
def plugin(monkeypatch):
    made = Plugin()
    known = dict(benchmarks.catalog()) | {"plugin": _board("plugin", made)}
    monkeypatch.setattr(benchmarks, "catalog", lambda: known)
    yield made
    made.release.set()


@pytest.fixture
def conductor(tmp_path, monkeypatch):
    monkeypatch.setattr(live, "PAUSE_TIMEOUT_SECONDS", 20.0)  # even on a busy machine
    made = Conductor(tmp_path)
    yield made
    made.shutdown()


def test_a_hung_objective_fails_its_run_with_where_and_when(conductor, plugin, monkeypatch):
    monkeypatch.setattr(
        timed_call, "TIME_LIMIT_SECONDS", 2.0
    )  # seconds: a busy machine answers within them
    race = conductor.wait(conductor.start([lane(benchmark="plugin", horizon=10.0)]), ended)

    first = race.runs[0].error.splitlines()[0]
    assert race.status == RunStatus.FAILED
    assert in_order(first, "objective", "not answer", "within 2 s", "x = (")
    assert first.endswith("t = 1 s")
    assert len(race.runs[0]) == 20  # at 0.05 s each, those before t = 1 s


def test_others_go_on_while_an_objective_hangs(conductor, plugin):
    hung = conductor.start([lane(benchmark="plugin", horizon=10.0)])
    assert plugin.hangs.wait(20)
    other = conductor.wait(conductor.start([lane()]), passes(50))

    assert other.version > 50
    assert conductor.snapshot(hung).status == RunStatus.RUNNING


def test_other_lanes_go_on_while_one_waits_for_its_objective(conductor, plugin):
    short = lane(benchmark="plugin", horizon=0.9, seed=9)
    race_id = conductor.start([lane(benchmark="plugin", horizon=10.0), short])
    race = conductor.wait(race_id, lambda race: race.runs[1].status.ended)

    assert race.runs[1].status == RunStatus.FINISHED
    assert not race.status.ended


def test_an_answer_that_comes_late_but_in_time_counts(conductor, plugin):
    race_id = conductor.start([lane(benchmark="plugin", horizon=2.0)])
    assert plugin.hangs.wait(20)
    plugin.release.set()
    race = conductor.wait(race_id, ended)

    assert race.status == RunStatus.FINISHED
    assert list(race.runs[0].records) == list(loop.iterate(loop.prepare(race.runs[0].config)))


def test_a_step_waits_for_the_answer_and_is_one_pass(conductor, plugin):
    race_id = conductor.start([lane(benchmark="plugin", horizon=9.0)])
    assert plugin.hangs.wait(20)
    conductor.pause(race_id)  # within the pass
    conductor.step(race_id)
    before = conductor.snapshot(race_id)
    plugin.release.set()
    after = conductor.wait(race_id, passes(before.version))

    assert before.status == after.status == RunStatus.PAUSED
    assert after.version == before.version + 1


def test_a_race_whose_objective_hangs_stops_and_shuts_down_at_once(conductor, plugin, monkeypatch):
    monkeypatch.setattr(live, "SHUTDOWN_TIMEOUT_SECONDS", 20.0)  # less than the objective hangs
    stopped = conductor.start([lane(benchmark="plugin", horizon=10.0)])
    assert plugin.hangs.wait(20)
    conductor.stop(stopped)
    assert conductor.wait(stopped, ended).status == RunStatus.STOPPED

    plugin.hangs.clear()
    before = objective_threads()
    conductor.start([lane(benchmark="plugin", horizon=10.0, seed=1)])
    assert plugin.hangs.wait(20)
    conductor.shutdown()
    alive = {thread.name for thread in threading.enumerate()}
    assert objective_threads() - before  # its end was not waited for
    assert "bolt-conductor" not in alive


def test_a_benchmark_that_hangs_while_it_is_built_fails_too(conductor, plugin, monkeypatch):
    monkeypatch.setattr(timed_call, "TIME_LIMIT_SECONDS", 0.05)
    monkeypatch.setattr(loop, "prepare", lambda config: plugin.release.wait(30))
    race = conductor.wait(conductor.start([lane(benchmark="plugin")]), ended)

    assert in_order(race.runs[0].error, "within 0.05 s", "prepared")


def objective_threads():
    """Return the threads of plug-ins; those that other tests abandoned are among them."""
    return {thread for thread in threading.enumerate() if thread.name == "bolt-objective"}


def test_plug_in_code_runs_in_a_daemon_thread(conductor, plugin):
    before = objective_threads()
    race_id = conductor.start([lane(benchmark="plugin", horizon=10.0)])
    assert plugin.hangs.wait(20)
    ours = objective_threads() - before
    conductor.stop(race_id)

    assert plugin.threads == {"bolt-objective"}
    assert ours
    assert all(thread.daemon for thread in ours)
    plugin.release.set()
    for thread in ours:
        thread.join(20)
        assert not thread.is_alive()


def test_built_in_benchmarks_are_called_without_a_thread(conductor):
    assert {"eggholder", "wlan", "temperature"} <= benchmarks.built_in()
    before = objective_threads()
    conductor.wait(conductor.start([lane(horizon=1.0)]), ended)

    assert not objective_threads() - before


def finished(call):
    """Drive a call to its end."""
    while True:
        try:
            next(call)
        except StopIteration as over:
            return over.value


def test_a_call_elsewhere_gives_its_value_or_its_error():
    here = ObjectiveThread(limit=20.0)

    assert finished(here.call(lambda: 42, "there")) == 42
    with pytest.raises(ZeroDivisionError):
        finished(here.call(lambda: 1 / 0, "there"))
    here.close()


def test_a_call_that_takes_too_long_is_given_up():
    release = threading.Event()
    here = ObjectiveThread(limit=0.02)
    with pytest.raises(ObjectiveError, match=r"within 0\.02 s there"):
        finished(here.call(lambda: release.wait(30), "there"))
    release.set()
    here.close()
