"""Pausing, resuming and stepping a race, and the owner check, with a real conductor."""

import threading

import pytest

from bolt_core.common.errors import NotYoursError, UnknownNameError
from bolt_core.common.types import RunStatus
from bolt_core.live import conductor as live
from bolt_core.live.conductor import Conductor
from bolt_core.store.library import Library
from tests.support.live_races import HEAVY, HandClock, ended, lane, passes, paused


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def conductor(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(live, "PAUSE_TIMEOUT_SECONDS", 20.0)  # even on a busy machine
    made = Conductor(tmp_path / "runs", now=clock)
    yield made
    made.shutdown()


@pytest.fixture
def halted(conductor):
    """The id of a race of two runs that is paused after some passes, and not inside one.

    Both algorithms are built in: a pass of another would be computed in a thread of its own, and
    its run could not be stepped until that has answered.
    """
    race_id = conductor.start([lane(seed=0), lane("gpucb", seed=1, clock=HEAVY)])
    conductor.wait(race_id, passes(40))
    conductor.pause(race_id)
    return race_id


def test_a_paused_race_stands_still_and_a_resumed_one_goes_on(conductor, halted):
    before = conductor.snapshot(halted)
    other = conductor.start([lane()])
    conductor.wait(other, passes(60))  # the conductor had many chances to advance the paused one
    after = conductor.snapshot(halted)
    conductor.resume(halted)
    later = conductor.wait(halted, passes(before.version + 20))

    assert before.status == after.status == RunStatus.PAUSED
    assert before.version == after.version
    assert later.status == RunStatus.RUNNING


def test_what_a_pause_interrupts_is_on_disk_at_once(conductor, halted, tmp_path):
    shown = conductor.snapshot(halted)

    assert Library(tmp_path / "runs").open(halted).version == shown.version


def test_a_step_is_one_pass_of_the_run_furthest_behind(conductor, halted):
    before = conductor.snapshot(halted)
    behind = min(range(2), key=lambda k: before.runs[k].columns.ends()[-1])
    conductor.step(halted)
    after = conductor.wait(halted, passes(before.version))

    assert [len(a) - len(b) for a, b in zip(after.runs, before.runs, strict=True)] == [
        int(k == behind) for k in range(2)
    ]
    assert after.status == RunStatus.PAUSED


@pytest.mark.parametrize("place", [0, 1])
def test_a_named_run_can_be_stepped(conductor, halted, place):
    before = conductor.snapshot(halted)
    for _ in range(3):
        conductor.step(halted, before.runs[place].run_id)
    after = conductor.wait(halted, passes(before.version + 2))

    assert len(after.runs[place]) == len(before.runs[place]) + 3
    assert after.version == before.version + 3


def test_a_step_of_a_run_that_is_not_there_is_an_error_that_lists_them(conductor, halted):
    with pytest.raises(UnknownNameError, match=r"unknown run.*one of"):
        conductor.step(halted, "nobody")


def test_a_step_pauses_a_race_that_runs(conductor):
    race_id = conductor.start([lane()])
    conductor.wait(race_id, passes(20))
    conductor.step(race_id)

    assert conductor.snapshot(race_id).status == RunStatus.PAUSED


def test_steps_lead_to_the_end_and_not_beyond(conductor):
    race_id = conductor.start([lane(horizon=0.2)])
    conductor.pause(race_id)
    for _ in range(10):  # four passes of 0.05 s, and one to notice
        conductor.step(race_id)
    race = conductor.wait(race_id, ended)
    conductor.step(race_id)

    assert race.status == RunStatus.FINISHED
    assert conductor.snapshot(race_id).version == race.version == 4


def test_a_paused_race_can_be_stopped(conductor, halted, tmp_path):
    conductor.stop(halted)
    race = conductor.wait(halted, ended)

    assert race.status == RunStatus.STOPPED
    assert Library(tmp_path / "runs").open(halted).status == RunStatus.STOPPED


def test_a_stop_while_starting_ends_the_race(conductor, trouble):
    race_id = conductor.start([lane("sleepy")])
    conductor.stop(race_id)
    trouble.awake.set()
    race = conductor.wait(race_id, ended)
    conductor.pause(race_id)
    conductor.resume(race_id)

    assert race.status == RunStatus.STOPPED
    assert conductor.snapshot(race_id).status == RunStatus.STOPPED


def test_two_threads_that_start_and_stop_get_races_of_their_own(conductor):
    begun, barrier = [], threading.Barrier(4)

    def visit():
        barrier.wait(20)
        race_id = conductor.start([lane(horizon=1.0)])
        conductor.pause(race_id)
        conductor.resume(race_id)
        begun.append(race_id)

    visitors = [threading.Thread(target=visit) for _ in range(4)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(20)

    assert len(set(begun)) == 4
    assert {conductor.wait(race_id, ended).status for race_id in begun} == {RunStatus.FINISHED}


def test_an_unwatched_race_yields_to_one_that_waited_and_comes_back(conductor, clock):
    first, *_ = ids = [conductor.start([lane()]) for _ in range(4)]
    clock.seconds += 121.0
    for race_id in ids[1:]:
        conductor.touch(race_id)
    gone = conductor.wait(first, paused)
    let_in = conductor.wait(ids[3], passes(5))
    conductor.stop(ids[1])
    back = conductor.wait(first, passes(gone.version + 5))

    assert gone.yielded
    assert let_in.position is None
    assert back.status in (RunStatus.WARMING_UP, RunStatus.RUNNING)


def test_a_race_that_lost_its_place_queues_again_when_resumed(conductor, clock):
    ids = [conductor.start([lane()]) for _ in range(4)]
    conductor.pause(ids[0])
    clock.seconds += 121.0
    for race_id in ids:
        conductor.touch(race_id)
    conductor.wait(ids[3], passes(5))
    conductor.resume(ids[0])

    assert conductor.snapshot(ids[0]).status == RunStatus.QUEUED
    assert conductor.snapshot(ids[0]).position == 1


def test_a_queued_race_can_be_paused_and_leaves_the_queue(conductor):
    ids = [conductor.start([lane()]) for _ in range(5)]
    conductor.pause(ids[3])
    conductor.step(ids[4])  # waits for its turn: nothing to step

    assert conductor.snapshot(ids[3]).status == RunStatus.PAUSED
    assert conductor.snapshot(ids[4]).position == 1


ACTS = {
    "stop": lambda c, race_id, by: c.stop(race_id, by=by),
    "pause": lambda c, race_id, by: c.pause(race_id, by=by),
    "resume": lambda c, race_id, by: c.resume(race_id, by=by),
    "step": lambda c, race_id, by: c.step(race_id, by=by),
    "speed": lambda c, race_id, by: c.speed(race_id, 2.0, by=by),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_only_the_owner_may_change_a_race(conductor, act):
    race_id = conductor.start([lane()], owner="alice")
    for stranger in ("bob", None):
        with pytest.raises(NotYoursError, match="another user"):
            act(conductor, race_id, stranger)
    act(conductor, race_id, "alice")

    assert conductor.owns(race_id, "alice")
    assert not conductor.owns(race_id, "bob")
    assert not conductor.owns("no-such-race", "alice")


def test_a_race_without_an_owner_may_be_changed_by_every_user(conductor):
    race_id = conductor.start([lane()])

    assert conductor.owns(race_id, "bob")
    conductor.stop(race_id, by="bob")
    assert conductor.wait(race_id, ended).status == RunStatus.STOPPED


def test_a_token_is_never_written(conductor, tmp_path):
    race_id = conductor.start([lane(horizon=1.0)], owner="a-secret-token")
    conductor.wait(race_id, ended)

    written = b"".join(path.read_bytes() for path in (tmp_path / "runs").iterdir())
    assert b"header" in written
    assert b"a-secret-token" not in written
