"""A long pass holds up no other race, and a race that names a file is refused."""

import threading
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


class Gate:
    """A pass has reached its inference, and may end it."""

    def __init__(self):
        self.reached = threading.Event()
        self.open = threading.Event()


@pytest.fixture
def gate(monkeypatch):
    """Let the inference of every pass go on in steps until the gate is open."""
    gate = Gate()

    def slow(model, data, request, workspace):
        gate.reached.set()
        while not gate.open.is_set():
            workspace.between_evaluations()
            time.sleep(0.002)
        return infer(model, data, request, workspace)

    monkeypatch.setattr(exact, "infer", slow)
    yield gate
    gate.open.set()


def inside_a_pass(conductor, gate):
    """Start a race whose first inference is under way; its id and its passes so far."""
    race_id = conductor.start([lane(**LONG)], owner="one")
    assert gate.reached.wait(60)
    return race_id, conductor.snapshot(race_id).version


def test_a_race_that_names_a_file_is_refused_before_the_file_is_opened(conductor, tmp_path):
    race = [lane(benchmark="temperature", options={"path": str(tmp_path / "never-opened")})]
    for owner in ("visitor", "the-operators"):
        with pytest.raises(ConfigError, match="never-opened"):
            conductor.start(race, owner=owner, confirmed=True)
    assert conductor.statuses() == {}


@pytest.mark.long
def test_a_long_pass_does_not_hold_up_the_races_of_others(conductor, gate):
    held, before = inside_a_pass(conductor, gate)
    other = conductor.start([lane(horizon=5.0)], owner="two")
    conductor.wait(other, ended)

    assert conductor.snapshot(held).version == before  # a whole race within one pass


def test_a_long_pass_is_cut_when_its_race_is_stopped(conductor, gate):
    race_id, before = inside_a_pass(conductor, gate)
    conductor.stop(race_id, by="one")
    race = conductor.wait(race_id, ended)

    assert race.status == RunStatus.STOPPED
    assert race.version == before  # the pass that was cut left nothing


def test_a_race_paused_inside_a_long_pass_ends_that_pass_and_no_further_one(conductor, gate):
    race_id, before = inside_a_pass(conductor, gate)
    conductor.pause(race_id, by="one")
    gate.reached.clear()
    gate.open.set()
    conductor.wait(race_id, passes(before))
    conductor.wait(race_id, paused)

    assert not gate.reached.wait(0.2)
    assert conductor.snapshot(race_id).version == before + 1
