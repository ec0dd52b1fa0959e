"""What one visitor may have at a time, and what the operator may do beyond it."""

import pytest

from bolt_core.common.errors import ConfirmationError, LimitError
from bolt_core.common.permissions import Permissions
from bolt_core.common.types import RunStatus
from bolt_core.live.admission import OWNER_AWAY_AFTER_SECONDS, AdmissionQueue
from bolt_core.live.conductor import Conductor
from bolt_core.live.race import Race
from bolt_core.runs import limits
from bolt_core.runs.limits import MAX_LIVE_PER_VISITOR, MAX_WAITING_PER_VISITOR
from tests.support.live_races import ended, lane

OPERATOR = "the-operators"
ALLOWED = MAX_LIVE_PER_VISITOR + MAX_WAITING_PER_VISITOR


@pytest.fixture
def conductor(tmp_path):
    made = Conductor(tmp_path, permissions=Permissions(OPERATOR))
    yield made
    made.shutdown()


def test_a_visitor_has_one_live_race_although_slots_are_free(tmp_path):
    queue = AdmissionQueue()
    races = [Race([lane()], tmp_path) for _ in range(4)]
    first, second, other = (
        queue.join(race, float(at), owner)
        for at, (race, owner) in enumerate(zip(races, ("alice", "alice", "bob"), strict=False))
    )
    assert queue.live() == [first, other]
    assert queue.waiting == (second,)

    first.race.end()
    queue.admit(5.0)
    assert queue.live() == [second, other]


def test_races_of_the_operator_are_live_side_by_side(tmp_path):
    queue = AdmissionQueue()
    entries = [
        queue.join(Race([lane()], tmp_path), 0.0, OPERATOR, privileged=True) for _ in range(2)
    ]

    assert queue.live() == entries


def test_a_fourth_race_of_a_visitor_is_refused_and_the_operator_is_asked(conductor):
    for owner in ("alice", OPERATOR):
        for _ in range(ALLOWED):
            conductor.start([lane()], owner)
    for confirmed in (False, True):
        with pytest.raises(LimitError) as refused:
            conductor.start([lane()], "alice", confirmed=confirmed)
        assert not isinstance(refused.value, ConfirmationError)
    with pytest.raises(ConfirmationError):
        conductor.start([lane()], OPERATOR)

    assert conductor.start([lane()], OPERATOR, confirmed=True) in conductor.statuses()
    assert len(conductor.statuses()) == 2 * ALLOWED + 1


@pytest.mark.parametrize(("seconds", "live"), [(0.9, True), (1.1, False)])
def test_a_paused_race_gives_up_its_slot_when_its_owner_has_been_away(tmp_path, seconds, live):
    queue = AdmissionQueue()
    entry = queue.join(Race([lane()], tmp_path), 0.0, "alice")
    queue.pause(entry, 10.0)
    queue.watch(entry.race.race_id, 20.0, "alice")
    later = 20.0 + seconds * OWNER_AWAY_AFTER_SECONDS
    queue.watch(entry.race.race_id, later, "bob")  # another viewer is not the owner
    queue.admit(later)

    assert entry.live is live
    assert entry.status == RunStatus.PAUSED


def test_a_stopped_race_beyond_the_limits_is_not_resumed(conductor, monkeypatch):
    race_id = conductor.start([lane(), lane(seed=1)], "alice")
    conductor.stop(race_id, by="alice")
    conductor.wait(race_id, ended)
    monkeypatch.setattr(limits, "MAX_SEEDS", 1)
    with pytest.raises(LimitError, match="2 seeds"):
        conductor.resume_stored(race_id, "alice", confirmed=True)
    with pytest.raises(ConfirmationError, match="2 seeds"):
        conductor.resume_stored(race_id, OPERATOR)
    conductor.resume_stored(race_id, OPERATOR, confirmed=True)

    assert not conductor.statuses()[race_id].ended


def test_the_operator_may_stop_the_race_of_a_visitor(conductor):
    race_id = conductor.start([lane()], "alice")
    conductor.stop(race_id, by=OPERATOR)

    assert conductor.wait(race_id, ended).status == RunStatus.STOPPED
