"""What one visitor may hold of a server: races, slots, and the time of a pass."""

import time

import pytest

from bolt_core.common.errors import ConfigError, ConfirmationError, LimitError, NotYoursError
from bolt_core.common.permissions import Permissions
from bolt_core.common.types import RunStatus
from bolt_core.gp import exact
from bolt_core.gp.inference import infer
from bolt_core.live import admission
from bolt_core.live.admission import AdmissionQueue
from bolt_core.live.conductor import Conductor
from bolt_core.live.race import Race
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
    """Let the inference of every pass compute for three seconds, in steps of 20 ms."""

    def slow(model, data, request, workspace):
        for _ in range(150):
            workspace.between_evaluations()
            until = time.thread_time() + 0.02
            while time.thread_time() < until:
                pass
        return infer(model, data, request, workspace)

    monkeypatch.setattr(exact, "infer", slow)


def test_a_visitor_has_one_live_race_and_two_that_wait(conductor):
    races = [conductor.start([lane(**LONG)], owner="greedy") for _ in range(3)]
    with pytest.raises(LimitError, match="1 live race and 2 waiting"):
        conductor.start([lane()], owner="greedy")
    other = conductor.start([lane(horizon=5.0)], owner="other")
    conductor.wait(other, ended)  # it did not have to wait for the three

    statuses = conductor.statuses()
    assert statuses[races[0]] != RunStatus.QUEUED
    assert [statuses[race] for race in races[1:]] == [RunStatus.QUEUED] * 2


def test_the_operator_is_asked_before_more_races_and_others_are_never(conductor):
    for _ in range(3):
        conductor.start([lane(**LONG)], owner="the-operators")
    with pytest.raises(ConfirmationError, match="waiting"):
        conductor.start([lane()], owner="the-operators")
    race_id = conductor.start([lane()], owner="the-operators", confirmed=True)

    assert race_id in conductor.statuses()


def test_the_operator_stops_any_race_and_others_only_their_own(conductor):
    race_id = conductor.start([lane(**LONG)], owner="owner")
    with pytest.raises(NotYoursError):
        conductor.stop(race_id, by="other")
    conductor.stop(race_id, by="the-operators")

    assert conductor.wait(race_id, ended).status == RunStatus.STOPPED


def test_a_race_that_names_a_file_is_refused_before_the_file_is_opened(conductor, tmp_path):
    race = [lane(benchmark="temperature", options={"path": str(tmp_path / "never-opened")})]
    for owner in ("visitor", "the-operators"):
        with pytest.raises(ConfigError, match="never-opened"):
            conductor.start(race, owner=owner, confirmed=True)
    assert conductor.statuses() == {}


def test_a_paused_race_gives_up_its_slot_when_its_owner_has_been_away_for_ten_minutes(tmp_path):
    queue = AdmissionQueue()
    entry = queue.join(Race([lane()], tmp_path), 0.0, "owner")
    queue.pause(entry, 0.0)
    queue.watch(entry.race.race_id, 300.0, "owner")
    queue.admit(300.0 + admission.OWNER_AWAY_AFTER_SECONDS - 1.0)
    assert entry.live
    queue.watch(entry.race.race_id, 899.5, "a viewer")
    queue.admit(300.0 + admission.OWNER_AWAY_AFTER_SECONDS)

    assert not entry.live
    assert entry.status == RunStatus.PAUSED


def test_a_long_pass_does_not_hold_up_the_races_of_others(conductor, long_passes):
    held = conductor.start([lane(**LONG)], owner="one")
    before = conductor.wait(held, passes(5)).version  # the next pass takes three seconds
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
