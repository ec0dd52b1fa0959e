"""The status row as data: its words, and the state that decides when a page is run again."""

import json
from dataclasses import replace

import pytest

from bolt_core.charts.status_row import BADGES, has_begun, status_row
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from tests.support.runs import make_run


@pytest.fixture
def race():
    return RaceSnapshot("r", RunStatus.RUNNING, (make_run(40),), t=15.0, horizon=60.0, eta=5.0)


def state(race, run=""):
    return status_row(race, run)["state"]


def test_every_status_has_a_badge_and_a_row_of_json(race):
    for status in RunStatus:
        row = status_row(replace(race, status=status))
        assert row["badge"] == BADGES[status][0]
        assert json.loads(json.dumps(row, allow_nan=False)) == row


def test_the_state_stays_while_only_progress_changes(race):
    later = replace(race, runs=(make_run(60),), t=30.0, eta=2.0, pace=3.0, disturbed=1.6)

    assert state(later) == state(race)
    assert status_row(later)["share"] == 0.5
    assert status_row(later)["progress"] != status_row(race)["progress"]


def test_the_state_differs_for_everything_that_a_page_shows(race):
    waiting = replace(race, runs=(make_run(0),), status=RunStatus.QUEUED, position=1)
    pages = [
        race,
        replace(race, status=RunStatus.PAUSED),
        replace(race, status=RunStatus.FINISHED),
        replace(race, warning="disk full"),
        replace(race, speed=2.0),
        replace(race, runs=(make_run(40, error="broken"),)),
        replace(race, runs=(make_run(0),)),
        waiting,
        replace(waiting, position=None),
    ]

    assert len({state(page) for page in pages}) == len(pages)
    assert state(replace(waiting, position=2)) == state(waiting)  # only the words change


def test_a_queued_race_shows_its_position_without_a_progress_bar(race):
    row = status_row(replace(race, runs=(make_run(0),), status=RunStatus.QUEUED, position=3))

    assert "3" in row["progress"]
    assert row["share"] is None
    assert "three races" in row["waiting"]
    assert not row["soon"]


def test_an_ended_race_shows_no_progress(race):
    row = status_row(replace(race, status=RunStatus.STOPPED))

    assert row["share"] is None
    assert row["progress"] is None
    assert row["waiting"] is None


def test_the_first_chart_follows_soon_after_the_warm_up(race):
    early = replace(race, status=RunStatus.WARMING_UP, runs=(make_run(5),))

    assert status_row(early)["soon"]
    assert "5 of 15" in status_row(early)["waiting"]
    assert not status_row(replace(early, status=RunStatus.PAUSED))["soon"]
    assert not status_row(race)["soon"]


def test_a_page_of_one_run_begins_with_its_first_pass(race):
    early = replace(race, runs=(make_run(5), make_run(0, algorithm="bolt")))

    assert not has_begun(early)
    assert has_begun(early, "random.0")
    assert not has_begun(early, "bolt.0")
    assert not has_begun(early, "nobody.7")  # then the first run is shown, BOLT's


def test_the_progress_of_a_long_race_is_in_its_natural_unit(race):
    running = replace(race, status=RunStatus.RUNNING, t=86_400.0, horizon=299_940.0, position=None)

    assert "24.0 h of 3.47 days" in status_row(running)["progress"]
