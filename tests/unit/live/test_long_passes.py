"""A long pass holds up no other race, and a race that names a file is refused."""

import time

import pytest

from bolt_core.common.errors import ConfigError
from bolt_core.common.permissions import Permissions
from bolt_core.common.types import RunStatus
from bolt_core.gp import exact
from bolt_core.gp.inference import infer
from bolt_core.live.conductor import Conductor
from tests.support.live_races import HEAVY, ended, lane, passes, paused

STRICT = Permissions("the-operators")
LONG = {"algorithm": "gpucb", "clock": HEAVY, "warmup": 5}


@pytest.fixture
def conductor(tmp_path):
    conductor = Conductor(tmp_path, permissions=STRICT)
    yield conductor
    conductor.shutdown()


@pytest.fixture
def long_passes(monkeypatch):
    """Let the inference of every pass compute for 1.5 seconds, in steps of 20 ms."""

    def slow(model, data, request, workspace):
        for _ in range(75):
            workspace.between_evaluations()
            until = time.thread_time() + 0.02
            while time.thread_time() < until:
                pass
        return infer(model, data, request, workspace)

    monkeypatch.setattr(exact, "infer", slow)


def test_a_race_that_names_a_file_is_refused_before_the_file_is_opened(conductor, tmp_path):
    race = [lane(benchmark="temperature", options={"path": str(tmp_path / "never-opened")})]
    for owner in ("visitor", "the-operators"):
        with pytest.raises(ConfigError, match="never-opened"):
            conductor.start(race, owner=owner, confirmed=True)
    assert conductor.statuses() == {}


def test_a_long_pass_does_not_hold_up_the_races_of_others(conductor, long_passes):
    held = conductor.start([lane(**LONG)], owner="one")
    before = conductor.wait(held, passes(5)).version  # the next pass takes 1.5 seconds
    other = conductor.start([lane(horizon=5.0)], owner="two")
    conductor.wait(other, ended)

    assert conductor.snapshot(held).version <= before + 1  # a whole race within about one pass


def test_a_long_pass_is_cut_when_its_race_is_stopped(conductor, long_passes):
    race_id = conductor.start([lane(**LONG)], owner="one")
    before = conductor.wait(race_id, passes(5)).version
    time.sleep(0.3)  # into the next pass
    conductor.stop(race_id, by="one")
    race = conductor.wait(race_id, ended)

    assert race.status == RunStatus.STOPPED
    assert race.version == before  # the pass that was cut left nothing


def test_a_race_paused_inside_a_long_pass_ends_that_pass_and_no_further_one(conductor, long_passes):
    race_id = conductor.start([lane(**LONG)], owner="one")
    before = conductor.wait(race_id, passes(5)).version
    time.sleep(0.3)  # into the next pass
    conductor.pause(race_id, by="one")
    conductor.wait(race_id, passes(before))
    time.sleep(0.2)

    race = conductor.snapshot(race_id)
    assert paused(race)
    assert race.version == before + 1
