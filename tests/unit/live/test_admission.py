"""Admission: three live races, a queue for the rest, and slots given up after two minutes."""

from types import SimpleNamespace

import pytest

from bolt_core.common.errors import ConfigError, NotYoursError
from bolt_core.common.types import RunStatus
from bolt_core.live import admission
from bolt_core.live.admission import AdmissionQueue
from bolt_core.live.race import Race
from tests.support.live_races import lane


@pytest.fixture
def queue():
    return AdmissionQueue()


@pytest.fixture
def joined(queue, tmp_path):
    """joined(count, now): entries of that many races that joined one second apart from `now` on."""

    def join(count, now=0.0):
        return [queue.join(Race([lane()], tmp_path), now + k) for k in range(count)]

    return join


def watched(queue, entries, times):
    """Note for each entry when it was last watched."""
    for entry, now in zip(entries, times, strict=True):
        queue.watch(entry.race.race_id, now)


def test_no_race_yields_before_two_minutes(queue, joined):
    entries = joined(4)
    queue.admit(3.0 + 119.9)

    assert queue.live() == entries[:3]


def test_the_race_unwatched_longest_yields_when_the_head_has_waited_two_minutes(queue, joined):
    entries = joined(4)
    watched(queue, entries[:3], (40.0, 20.0, 30.0))
    queue.admit(3.0 + 120.0)

    assert queue.live() == [entries[0], entries[2], entries[3]]
    assert entries[1].status == RunStatus.PAUSED
    assert queue.snapshot(entries[1]).yielded


def test_watched_races_keep_their_slots_however_long_others_wait(queue, joined):
    entries = joined(4)
    watched(queue, entries[:3], [995.0] * 3)
    queue.admit(1000.0)

    assert queue.live() == entries[:3]


def test_a_paused_race_yields_even_if_it_is_watched(queue, joined):
    entries = joined(4)
    queue.pause(entries[2], 10.0)
    watched(queue, entries[:3], [999.0] * 3)
    queue.admit(1000.0)

    assert queue.live() == [entries[0], entries[1], entries[3]]
    assert entries[2].status == RunStatus.PAUSED
    assert not queue.snapshot(entries[2]).yielded  # a user paused it, and must resume it


def test_of_a_paused_and_an_unwatched_race_the_one_unattended_longer_yields(queue, joined):
    entries = joined(4)
    watched(queue, entries[:3], (60.0, 199.0, 199.0))
    queue.pause(entries[1], 50.0)
    queue.admit(200.0)

    assert queue.live() == [entries[0], entries[2], entries[3]]


def test_a_race_that_waited_less_than_two_minutes_gets_no_slot(queue, joined):
    entries = joined(3)
    later = joined(2, now=500.0)
    queue.admit(620.0)  # the first of the two has waited 120 s, the second 119 s

    assert later[0] in queue.live()
    assert queue.waiting == (later[1],)
    assert sum(queue.snapshot(entry).yielded for entry in entries) == 1


def test_a_race_just_admitted_is_not_unattended_yet(queue, joined):
    entries = joined(8)
    queue.admit(500.0)  # three yield to three of the five that wait
    queue.admit(505.0)
    assert queue.live() == entries[3:6]

    queue.admit(511.0)  # these three have not been watched either
    assert set(queue.live()) >= set(entries[6:8])


def test_a_race_that_yielded_returns_when_a_slot_is_free_and_no_race_waits(queue, joined):
    entries = joined(4)
    queue.admit(500.0)
    (yielded,) = [entry for entry in entries if queue.snapshot(entry).yielded]
    entries[3].race.end()
    queue.admit(501.0)

    assert yielded in queue.live()
    assert yielded.status != RunStatus.PAUSED


def test_a_paused_race_without_a_slot_does_not_return_by_itself(queue, joined):
    entries = joined(4)
    queue.pause(entries[0], 1.0)
    queue.admit(500.0)
    entries[3].race.end()
    queue.admit(501.0)
    assert entries[0].status == RunStatus.PAUSED

    queue.resume(entries[0], 502.0)
    assert entries[0] in queue.live()


def test_resuming_without_a_free_slot_joins_the_end_of_the_queue(queue, joined):
    entries = joined(5)
    queue.pause(entries[0], 1.0)
    watched(queue, entries[1:3], [130.0] * 2)
    queue.admit(130.0)  # entries[3] takes the slot of the paused one
    assert entries[3] in queue.live()

    queue.resume(entries[0], 131.0)
    assert queue.waiting == (entries[4], entries[0])
    assert queue.snapshot(entries[0]).status == RunStatus.QUEUED
    assert queue.snapshot(entries[0]).position == 2


def test_resuming_is_refused_while_the_queue_is_full(queue, joined, monkeypatch):
    monkeypatch.setattr(admission, "MAX_WAITING_RACES", 1)
    entries = joined(4)
    queue.pause(entries[3], 4.0)
    joined(1, now=5.0)

    with pytest.raises(ConfigError, match="already waiting"):
        queue.resume(entries[3], 6.0)
    assert entries[3].status == RunStatus.PAUSED


def test_resuming_a_race_that_is_not_paused_changes_nothing(queue, joined):
    entries = joined(4)
    queue.resume(entries[0], 5.0)
    queue.resume(entries[3], 5.0)

    assert queue.live() == entries[:3]
    assert queue.waiting == (entries[3],)


def test_a_paused_race_leaves_the_queue(queue, joined):
    entries = joined(5)
    queue.pause(entries[3], 10.0)

    assert queue.waiting == (entries[4],)
    assert entries[3].status == RunStatus.PAUSED


def test_too_many_races_paused_without_a_slot_are_stopped_oldest_first(queue, joined, monkeypatch):
    monkeypatch.setattr(admission, "MAX_PARKED_RACES", 1)
    entries = joined(5)
    queue.pause(entries[3], 10.0)
    queue.pause(entries[4], 11.0)

    assert entries[3].status == RunStatus.STOPPING
    assert entries[4].status == RunStatus.PAUSED


def test_the_race_with_the_least_recent_cpu_time_goes_next(queue, joined):
    first, second, third = joined(3)
    for entry, cpu_seconds in ((first, 0.3), (second, 0.1), (third, 0.2)):
        queue.charge(entry, cpu_seconds)
    assert queue.next_ready() is second

    queue.charge(second, 0.5)
    assert queue.next_ready() is third
    queue.stop(first)
    assert queue.next_ready() is first  # it only has to be ended


def test_cpu_time_of_long_ago_is_forgotten(queue, joined):
    first, second = joined(2)
    queue.charge(first, 10.0)
    for _ in range(20):  # 20 s of CPU time, in which the earlier 10 s fade to about 0.6 s
        queue.charge(second, 1.0)

    assert queue.next_ready() is first


def test_a_race_gets_no_credit_for_the_time_it_waited(queue, joined):
    entries = joined(3)
    for entry in entries:
        queue.charge(entry, 2.0)
    (late,) = joined(1, now=10.0)
    entries[0].race.end()
    queue.admit(11.0)

    assert late.recent_cpu_seconds == min(entry.recent_cpu_seconds for entry in entries[1:])


def test_a_paused_race_is_not_ready_unless_a_step_is_requested(queue, joined):
    (entry,) = joined(1)
    queue.pause(entry, 1.0)
    assert not entry.ready

    entry.race.request_step(None)
    assert queue.next_ready() is entry


def test_only_the_owner_of_a_race_may_change_it(queue, tmp_path):
    mine = queue.join(Race([lane()], tmp_path), 0.0, owner="alice")
    free = queue.join(Race([lane()], tmp_path), 0.0)

    mine.check_owner("alice")
    free.check_owner("bob")
    for token in ("bob", None):
        assert not mine.owned_by(token)
        with pytest.raises(NotYoursError, match=mine.race.race_id):
            mine.check_owner(token)


def test_a_race_that_is_not_saved_yet_is_not_forgotten(queue, joined, monkeypatch):
    monkeypatch.setattr(admission, "MAX_ENDED_RACES_IN_MEMORY", 0)
    unsaved, saved = joined(2)
    unsaved.race.snapshot = lambda *_, **__: SimpleNamespace(warning="the disk is full")
    for entry in (unsaved, saved):
        entry.race.end()
    joined(1)

    assert unsaved in queue.entries.values()
    assert saved not in queue.entries.values()
