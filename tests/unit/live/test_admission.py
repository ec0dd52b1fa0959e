"""Places: three live, the rest in line, and who yields when others have waited."""

import pytest

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunStatus
from bolt_core.live import admission
from bolt_core.live.admission import Places
from bolt_core.live.race import Race
from tests.support.live_races import lane


@pytest.fixture
def joined(tmp_path):
    """joined(count, now): that many races that joined one second apart from `now` on."""
    held = Places()

    def join(count, now=0.0):
        races = [Race([lane()], tmp_path) for _ in range(count)]
        for k, race in enumerate(races):
            held.join(race, now + k)
        return held, races

    return join


def who(held):
    return [race.race_id for race in held.live()]


def ids(*races):
    return [race.race_id for race in races]


def test_nobody_yields_before_two_minutes(joined):
    held, races = joined(4)
    held.admit(3.0 + 119.9)

    assert who(held) == ids(*races[:3])


def test_the_race_unwatched_longest_yields_when_the_head_has_waited_two_minutes(joined):
    held, races = joined(4)
    for race, touched in zip(races, (40.0, 20.0, 30.0), strict=False):
        race.touched = touched
    held.admit(3.0 + 120.0)

    assert who(held) == ids(races[0], races[2], races[3])
    assert races[1].status == RunStatus.PAUSED
    assert races[1].snapshot().yielded


def test_watched_races_keep_their_places_however_long_others_wait(joined):
    held, races = joined(4)
    for race in races[:3]:
        race.touched = 995.0
    held.admit(1000.0)

    assert who(held) == ids(*races[:3])


def test_a_paused_race_yields_even_if_somebody_looks_at_it(joined):
    held, races = joined(4)
    held.pause(races[2], 10.0)
    for race in races[:3]:
        race.touched = 999.0
    held.admit(1000.0)

    assert who(held) == ids(races[0], races[1], races[3])
    assert races[2].status == RunStatus.PAUSED
    assert not races[2].snapshot().yielded  # it was paused by somebody, who must resume it


def test_of_a_paused_and_an_unwatched_race_the_one_left_alone_longer_yields(joined):
    held, races = joined(4)
    races[0].touched, races[1].touched, races[2].touched = 60.0, 199.0, 199.0
    held.pause(races[1], 50.0)
    held.admit(200.0)

    assert races[1].admitted is None
    assert races[0].admitted is not None


def test_who_waits_less_than_two_minutes_takes_no_place(joined):
    held, races = joined(3)
    later = joined(2, now=500.0)[1]
    held.admit(620.0)  # the first of the two has waited 120 s, the second 119 s

    assert later[0].admitted == 620.0
    assert held.queue == (later[1],)
    assert sum(race.yielded for race in races) == 1


def test_a_race_just_let_in_is_not_alone_yet(joined):
    held, races = joined(8)
    held.admit(500.0)  # three yield to three of the five that wait
    held.admit(505.0)
    assert who(held) == ids(*races[3:6])

    held.admit(511.0)  # nobody looked at these three either
    assert set(who(held)) >= set(ids(*races[6:8]))


def test_a_race_that_yielded_comes_back_when_a_place_is_free_and_nobody_waits(joined):
    held, races = joined(4)
    held.admit(500.0)
    (gone,) = [race for race in races if race.yielded]
    races[3].end()
    held.admit(501.0)

    assert gone.admitted == 501.0
    assert gone.status != RunStatus.PAUSED


def test_a_paused_race_without_a_place_does_not_come_back_by_itself(joined):
    held, races = joined(4)
    held.pause(races[0], 1.0)
    held.admit(500.0)
    races[3].end()
    held.admit(501.0)
    assert races[0].status == RunStatus.PAUSED

    held.resume(races[0], 502.0)
    assert races[0].admitted == 502.0


def test_resuming_without_room_joins_the_end_of_the_line(joined):
    held, races = joined(5)
    held.pause(races[0], 1.0)
    for race in races[1:3]:
        race.touched = 130.0
    held.admit(130.0)  # races[3] takes the place of the paused one
    assert races[3].admitted == 130.0

    held.resume(races[0], 131.0)
    assert held.queue == (races[4], races[0])
    assert races[0].status == RunStatus.QUEUED


def test_resuming_is_refused_while_the_line_is_full(joined, monkeypatch):
    monkeypatch.setattr(admission, "QUEUE", 1)
    held, races = joined(4)
    held.pause(races[3], 4.0)
    joined(1, now=5.0)

    with pytest.raises(ConfigError, match="1 races wait already"):
        held.resume(races[3], 6.0)
    assert races[3].status == RunStatus.PAUSED


def test_a_paused_race_leaves_the_line(joined):
    held, races = joined(5)
    held.pause(races[3], 10.0)

    assert held.queue == (races[4],)
    assert races[3].status == RunStatus.PAUSED


def test_too_many_races_paused_without_a_place_are_stopped_oldest_first(joined, monkeypatch):
    monkeypatch.setattr(admission, "PARKED", 1)
    held, races = joined(5)
    held.pause(races[3], 10.0)
    held.pause(races[4], 11.0)

    assert races[3].stopping
    assert not races[4].stopping
