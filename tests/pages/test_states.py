"""Every status of a race on the Arena and Inside pages: what is shown, which buttons work."""

import sys
from dataclasses import replace

import pytest

from bolt_core.charts.status_row import BADGES
from bolt_core.common.types import EngineConfig, RunStatus
from bolt_core.store import bundled_race
from bolt_ui import server_state
from tests.support.page_kit import ELSEWHERE, RACE, follows, has, offered, panels, race
from tests.support.panels import asked, chart, said, words
from tests.support.runs import make_run

PAGES = ("arena", "inside")
LIVE = [s for s in RunStatus if not s.ended]
ENDED = [s for s in RunStatus if s.ended]
BUTTONS = {
    RunStatus.QUEUED: {"stop", "pause"},
    RunStatus.STARTING: {"stop", "pause"},
    RunStatus.WARMING_UP: {"stop", "pause"},
    RunStatus.RUNNING: {"stop", "pause"},
    RunStatus.PAUSED: {"stop", "resume", "step"},
    RunStatus.STOPPING: set(),
    RunStatus.FINISHED: {"run"},
    RunStatus.STOPPED: {"run", "go_on"},
    RunStatus.FAILED: {"run"},
    RunStatus.INTERRUPTED: {"run", "go_on"},
}

pytestmark = pytest.mark.parametrize("page", PAGES)


@pytest.mark.parametrize("status", RunStatus)
def test_the_owner_sees_the_buttons_of_the_status(open_page, page, status):
    shown = open_page(race(make_run(40), status=status, t=4.0, horizon=60.0), page=page)

    assert offered(shown) == BUTTONS[status]
    assert BADGES[status][0] in said(shown)
    assert has(shown, "freeze") == (not status.ended)
    assert has(shown, "transport") == status.ended
    assert has(shown, "device_speed") == (not status.ended)
    assert panels(shown)
    assert follows(shown) == RACE


@pytest.mark.parametrize("status", LIVE)
def test_other_visitors_can_only_watch_or_start_their_own_race(open_page, page, status):
    shown = open_page(race(make_run(40), status=status, horizon=60.0), page=page, mine=False)

    assert offered(shown) == {"copy"}
    assert shown.button(key="copy").label == "Start my own"
    assert "Watching, read only" in said(shown)
    assert not has(shown, "device_speed")
    assert has(shown, "freeze")


@pytest.mark.parametrize("status", ENDED)
def test_a_race_that_has_ended_still_shows_its_curves(open_page, page, status):
    shown = open_page(race(make_run(40), status=status, t=4.0, horizon=4.0), page=page)
    found = panels(shown)

    assert "Watching, read only" not in said(shown)
    assert found["regret" if page == "arena" else "history"]["kind"] == "plot"


def test_without_a_race_the_built_in_recording_is_shown(open_page, page):
    shown = open_page(page=page)
    found = panels(shown)

    assert follows(shown) == bundled_race.RACE_ID
    assert offered(shown) == {"run"}
    assert shown.button(key="run").label == "Start a live race"
    assert bundled_race.label() in said(shown)
    assert found["regret" if page == "arena" else "fit"]["kind"] == "plot"
    assert has(shown, "transport")
    assert not has(shown, "freeze")


def test_an_unknown_race_is_named_and_the_recording_is_shown(open_page, page):
    shown = open_page(page=page, race=ELSEWHERE)

    assert "not on this server" in said(shown)
    assert shown.code[0].value == ELSEWHERE
    assert offered(shown) == {"run"}
    assert panels(shown)
    assert follows(shown) == bundled_race.RACE_ID


def test_a_starting_race_says_what_it_waits_for(open_page, page):
    shown = open_page(race(make_run(0), status=RunStatus.STARTING), page=page)

    assert "15 queries" in said(shown)
    assert "stop" in offered(shown)
    assert not panels(shown)


def test_pytorch_is_mentioned_only_if_it_has_to_be_loaded(open_page, page, monkeypatch):
    run = make_run(0)
    heavy = replace(run, config=replace(run.config, engine=EngineConfig("botorch")))
    starting = race(heavy, status=RunStatus.STARTING)
    monkeypatch.delitem(sys.modules, "botorch", raising=False)
    assert "PyTorch" in said(open_page(starting, page=page))

    monkeypatch.setitem(sys.modules, "botorch", object())
    assert "PyTorch" not in said(open_page(starting, page=page))


def test_a_queued_race_shows_its_position_and_what_it_waits_for(open_page, page):
    shown = open_page(race(make_run(0), status=RunStatus.QUEUED, position=2), page=page)

    assert "Number 2" in said(shown)
    assert "three races" in said(shown)
    assert not panels(shown)


def test_a_live_race_shows_its_progress(open_page, page):
    going = race(make_run(40), t=42.0, horizon=60.0, eta=5.0, pace=6.23)
    shown = open_page(going, page=page)

    assert "0:42 of 1:00 \N{MIDDLE DOT} 5 s left" in said(shown)
    assert "6.2\N{MULTIPLICATION SIGN} real speed" in said(shown)
    assert "estimating" in said(open_page(replace(going, eta=None), page=page))
    assert "1:48 left" in said(open_page(replace(going, eta=108.0), page=page))
    assert "2.9 h left" in said(open_page(replace(going, eta=10_300.0), page=page))


def test_one_key_starts_a_race_and_stops_it(open_page, page):
    shown = [open_page(page=page), open_page(race(make_run(40), t=42.0), page=page)]
    with_key = [[b.key for b in one.button if b.proto.shortcut == "s"] for one in shown]

    assert with_key == [["run"], ["stop"]]


def test_a_paused_race_shows_no_remaining_time(open_page, page):
    halted = race(make_run(40), status=RunStatus.PAUSED, t=42.0, horizon=60.0, yielded=True)
    shown = open_page(halted, page=page)

    assert "resumes automatically" in said(shown)
    assert "estimating" not in said(shown)
    assert "resumes" not in said(open_page(replace(halted, yielded=False), page=page))


def test_a_stopping_race_cannot_be_stopped_twice(open_page, page):
    shown = open_page(race(make_run(40), status=RunStatus.STOPPING, horizon=60.0), page=page)

    assert shown.button(key="stop").disabled


def test_a_failed_run_has_a_card_and_the_others_continue(open_page, page):
    broken = make_run(20, algorithm="bolt", error="Cholesky failed\n\nTraceback: no surrogate")
    shown = open_page(race(make_run(40), broken, horizon=60.0), page=page)
    card = shown.error[0].value

    assert card.startswith("**BOLT** failed")
    assert "at 1.9 s" in card
    assert "(seed 0)" in card
    assert card.endswith(": Cholesky failed")
    assert "Traceback: no surrogate" in [code.value for code in shown.code]
    assert offered(shown) == {"stop", "pause"}
    assert panels(shown)


def test_the_reason_of_a_failure_is_escaped(open_page, page):
    shown = open_page(race(make_run(20, error="![x](http://evil.example/p.png)")), page=page)

    assert r"\!\[x\]\(http" in shown.error[0].value


def test_seeds_that_failed_for_one_reason_share_a_card(open_page, page):
    broken = [make_run(20, seed=s, error="no memory") for s in range(3)]
    shown = open_page(race(*broken, status=RunStatus.FAILED, horizon=60.0), page=page)
    (card,) = shown.error

    assert card.value.startswith("**Random** failed")
    assert "at 1.9 s" in card.value
    assert "(seeds 0 to 2)" in card.value
    assert card.value.endswith(": no memory")
    assert offered(shown) == {"run", "again"}
    assert panels(shown)


def test_a_race_that_failed_at_once_has_a_card_and_no_axes(open_page, page):
    failed = race(make_run(0, error="unknown algorithm 'x'"), status=RunStatus.FAILED)
    shown = open_page(failed, page=page)

    assert "failed" in shown.error[0].value
    assert "before its first query" in shown.error[0].value
    assert "No query was made" in said(shown)
    assert not panels(shown)


def test_a_full_disk_is_shown_as_a_caption_and_once_as_a_toast(open_page, page):
    shown = open_page(
        race(make_run(40), warning="run.jsonl is not being saved: disk full."), page=page
    )

    assert "disk full" in said(shown)
    assert not shown.error
    assert panels(shown)
    assert "disk full" in shown.toast[0].value
    assert not shown.run().toast  # only once; the caption stays


def test_disturbed_timings_are_marked_and_explained(open_page, page):
    quiet = open_page(race(make_run(40), t=4.0, horizon=60.0), page=page)
    busy = open_page(race(make_run(40), t=4.0, horizon=60.0, disturbed=1.84), page=page)

    assert asked(quiet, "status")["row"]["disturbed"] is None
    assert "1.8 s" in said(busy)
    assert "15 to 20 ms" in said(busy)


@pytest.mark.parametrize("status", RunStatus)
def test_the_browser_follows_a_race_until_its_end_and_no_timer_does(open_page, page, status):
    shown = open_page(race(make_run(40), status=status, t=4.0, horizon=60.0), page=page)
    request = asked(shown, "status")

    assert (request["race"], request["live"]) == (RACE, not status.ended)
    assert request["run"] == ("" if page == "arena" else "random.0")
    assert server_state.server().conductor.touched == []  # a poll of the browser does


def test_invalid_link_parameters_fall_back_to_defaults(open_page, page):
    bad = {"bench": "EVIL", "seeds": "999", "cut": "-1", "x": "z", "show": "<b>", "slowdown": "nan"}
    shown = open_page(race(make_run(40), t=4.0, horizon=60.0), page=page, **bad)

    assert panels(shown)
    assert chart(shown, "regret" if page == "arena" else "history")["kind"] == "plot"
    notices = " ".join(warning.value for warning in shown.warning)
    assert "EVIL" not in words(shown).replace(notices, "")
