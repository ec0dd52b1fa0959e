"""Presenter mode (one chart per chapter) and links that hide parts of a page."""

import pytest

from bolt_core.common.types import RunStatus
from bolt_core.store import bundled_race
from bolt_ui import session
from bolt_ui.presenter import CHAPTERS, chapter_number
from tests.support.page_kit import RACE, has, healthy, offered, race
from tests.support.panels import asked, said
from tests.support.runs import make_run

STAGE = [f"stage_{chart}" for chart in CHAPTERS.values()]


def on_stage(page):
    return [key for key in STAGE if has(page, key)]


def test_the_built_in_recording_plays_in_the_first_chapter(open_page):
    page = open_page(present="1")

    assert asked(page, "chapters")["titles"] == list(CHAPTERS)
    assert on_stage(page) == ["stage_metronome"]
    assert asked(page, "stage_metronome")["race"] == bundled_race.RACE_ID
    assert asked(page, "stage_metronome")["stage"]
    assert asked(page, "headline")["stage"]
    assert asked(page, "transport")["autoplay"]
    assert not has(page, "bench")
    assert not has(page, "leaderboard")
    assert page.button(key="run").label == "Start a live race"


def test_a_link_to_the_recording_shows_it_also_after_another_race(open_page):
    page = open_page(race(make_run(40), t=4.0, horizon=60.0), present="1")
    assert asked(page, "stage_metronome")["race"] == RACE
    page.query_params["race"] = bundled_race.RACE_ID

    assert asked(healthy(page.run()), "stage_metronome")["race"] == bundled_race.RACE_ID
    assert "race" not in page.query_params
    assert "race" not in page.session_state


def test_inside_starts_with_the_chapter_on_n_star(open_page):
    assert on_stage(open_page(page="inside", present="1")) == ["stage_fit"]


@pytest.mark.parametrize("chapter", range(1, 5))
def test_the_url_selects_the_chapter(open_page, chapter):
    page = open_page(present="1", chapter=str(chapter))

    assert on_stage(page) == [STAGE[chapter - 1]]
    assert asked(page, "chapters")["chosen"] == chapter - 1


@pytest.mark.parametrize("text", ["", "0", "5", "x", "1.5", "01"])
def test_an_unknown_chapter_is_the_first(text):
    assert chapter_number(text, 1) == 1


@pytest.mark.parametrize("where", ["arena", "inside"])
def test_a_live_race_is_presented_and_its_owner_can_stop_it(open_page, where):
    page = open_page(race(make_run(40), t=4.0, horizon=60.0), page=where, present="1", chapter="2")

    assert on_stage(page) == ["stage_regret"]
    assert asked(page, "stage_regret")["race"] == RACE
    assert "0:04 of 1:00" in said(page)
    assert offered(page) == {"stop", "pause"}
    assert not has(page, "transport")
    assert asked(page, "status")["live"]


def test_an_ended_race_can_be_started_again(open_page, monkeypatch):
    started = []
    monkeypatch.setattr(session, "start", started.append)
    run = make_run(40)
    page = open_page(race(run, status=RunStatus.FINISHED, t=4.0, horizon=4.0), present="1")
    healthy(page.button(key="run").click().run())

    assert started == [[run.config]]
    assert not asked(page, "transport")["autoplay"]


def test_a_race_without_a_curve_says_what_it_waits_for(open_page):
    page = open_page(race(make_run(0), status=RunStatus.QUEUED, position=2), present="1")

    assert on_stage(page) == []
    assert "Number 2" in said(page)


def test_presenter_mode_can_be_entered_and_left(open_page):
    page = open_page(race(make_run(40), t=4.0, horizon=60.0))
    healthy(page.button(key="present").click().run())
    assert page.query_params["present"] == "1"
    assert on_stage(page) == ["stage_metronome"]

    healthy(page.button(key="leave_presenter").click().run())
    assert "present" not in page.query_params
    assert not on_stage(page)
    assert has(page, "regret")


@pytest.mark.parametrize("value", ["0", "yes", ""])
def test_presenter_mode_needs_the_value_one(open_page, value):
    assert not on_stage(open_page(present=value))


def test_each_chapter_and_each_lesson_has_a_title(open_page):
    titles = {open_page(present="1", chapter=str(k)).title[0].value for k in range(1, 5)}
    page = open_page(present="1", lesson="metronome")

    assert len(titles) == 4
    assert "metronome" in page.title[0].value
    assert has(page, "lesson_run")
    assert has(page, "leave_presenter")
    assert asked(page, "lesson_chapters")["chosen"] == 0
    assert not on_stage(page)


def test_controls_can_be_hidden_in_presenter_mode(open_page):
    page = open_page(race(make_run(40), t=4.0, horizon=60.0), present="1", hide="controls")

    assert offered(page) == set()
    assert has(page, "leave_presenter")


@pytest.mark.parametrize("where", ["arena", "inside"])
def test_a_link_can_hide_the_controls(open_page, where):
    page = open_page(race(make_run(40), t=4.0, horizon=60.0), page=where, hide="controls")

    assert offered(page) == set()
    assert not has(page, "bench")
    assert not has(page, "device_speed")
    assert "0:04 of 1:00" in said(page)
    assert has(page, "regret" if where == "arena" else "fit")


def test_a_link_hides_the_named_pieces_only(open_page):
    shown = race(make_run(40), status=RunStatus.FINISHED, t=4.0, horizon=4.0)
    pieces = {"leaderboard", "size", "landscape", "response", "metronome"}
    for hidden in ({"leaderboard"}, {"leaderboard", "size"}, {"landscape"}, pieces):
        page = open_page(shown, hide=",".join(sorted(hidden)))
        assert {piece for piece in pieces if has(page, piece)} == pieces - hidden
        assert has(page, "regret")
        assert has(page, "bench")


@pytest.mark.parametrize("where", ["arena", "inside"])
@pytest.mark.parametrize("mode", [{}, {"present": "1"}])
def test_an_unknown_piece_is_reported_and_ignored(open_page, where, mode):
    page = open_page(page=where, hide="leaderboard,<b>", **mode)

    assert r"hide=\<b\>" in said(page)
    assert "controls, leaderboard" in said(page)
    assert not has(page, "leaderboard")
