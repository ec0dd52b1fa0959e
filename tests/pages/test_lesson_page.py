"""A lesson by its link, in each of its states, on either page: what is asked, told and allowed."""

from dataclasses import replace

import pytest

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunStatus, SpeedChange
from bolt_ui import server_state, session
from bolt_ui.lessons.lesson_catalog import BY_KEY, LESSONS
from tests.support.lesson_runs import sat
from tests.support.live_races import ended
from tests.support.page_kit import RACE, browse, follows, has, healthy, offered, panels, race
from tests.support.panels import drawn, said

FIRST = BY_KEY["metronome"]
BOLT_WINS = ({"queries": 400}, {"queries": 250})
GPUCB_WINS = ({"queries": 100}, {"queries": 250})


@pytest.fixture
def started(open_page, monkeypatch):
    """The configs of every race that is asked for; none is run."""
    asked = []
    monkeypatch.setattr(session, "start", asked.append)
    return asked


def told(page):
    """All that is said, without what Markdown needs."""
    return said(page).replace("\\", "")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_lesson_asks_and_shows_nothing_that_would_answer(open_page, lesson):
    page = open_page(page=lesson.page, lesson=lesson.key)

    assert lesson.question in told(page)
    assert len(page.radio[0].options) == len(lesson.options)
    assert page.radio[0].value is None
    assert page.button(key="lesson_run").disabled
    assert not page.button(key="lesson_skip").disabled
    assert not panels(page)
    assert lesson.reveal not in told(page)
    assert not has(page, "bench")


def test_a_prediction_allows_the_run_and_stays_in_the_address(open_page, started):
    page = open_page(lesson=FIRST.key)
    healthy(page.radio[0].set_value(1).run())

    assert page.query_params["guess"] == "2"
    assert not page.button(key="lesson_run").disabled
    assert not has(page, "lesson_skip")
    healthy(page.button(key="lesson_run").click().run())
    assert started == [FIRST.configs()]


def test_a_link_with_a_prediction_is_ready_to_run(open_page):
    page = open_page(lesson=FIRST.key, guess="3")

    assert page.radio[0].value == 2
    assert not page.button(key="lesson_run").disabled


def test_a_prediction_may_be_skipped(open_page, started):
    page = open_page(lesson=FIRST.key)
    healthy(page.button(key="lesson_skip").click().run())

    assert started == [FIRST.configs()]
    assert page.query_params["guess"] == "skip"


@pytest.mark.parametrize("bad", ["0", "4", "-1", "0010", "x", "<b>"])
def test_a_bad_guess_is_named_and_asked_again(open_page, bad):
    page = open_page(lesson=FIRST.key, guess=bad)

    assert f"guess={bad} is none of the options, 1 to 3" in page.warning[0].value.replace("\\", "")
    assert page.radio[0].value is None
    assert page.button(key="lesson_run").disabled


@pytest.mark.parametrize("where", ["arena", "inside"])
def test_an_unknown_lesson_is_named_and_the_page_is_the_usual_one(open_page, where):
    page = open_page(page=where, lesson="![x](y)")

    assert "There is no lesson called **![x](y)**" in told(page)
    assert r"\!\[x\]" in said(page)
    assert panels(page)


@pytest.mark.parametrize("where", ["arena", "inside"])
def test_under_way_the_prediction_and_the_race_are_shown_but_not_the_answer(open_page, where):
    going = sat(FIRST, *BOLT_WINS, status=RunStatus.RUNNING, t=42.0, eta=5.0)
    page = open_page(going, page=where, lesson=FIRST.key, guess="1")

    assert f"Predicted: **{FIRST.options[0]}**" in told(page)
    assert "0:42 of 3:00" in told(page)
    assert offered(page) == {"stop", "pause"}
    assert panels(page)
    assert follows(page) == RACE
    assert FIRST.reveal not in told(page)


def test_a_lesson_in_line_says_its_place(open_page):
    waiting = sat(FIRST, {"queries": 0}, {"queries": 0}, status=RunStatus.QUEUED, position=2)
    page = open_page(waiting, lesson=FIRST.key, guess="1")

    assert "Number 2 in line" in told(page)
    assert "Yours starts when one of them ends" in told(page)
    assert f"Predicted: **{FIRST.options[0]}**" in told(page)


def test_a_second_viewer_watches_and_may_predict(open_page):
    going = sat(FIRST, *BOLT_WINS, status=RunStatus.RUNNING, t=42.0)
    page = open_page(going, mine=False, lesson=FIRST.key)

    assert "Somebody else runs this lesson" in told(page)
    assert "Watching, read only" in told(page)
    assert offered(page) == {"copy"}
    healthy(page.radio[0].set_value(2).run())
    assert f"Predicted: **{FIRST.options[2]}**" in told(page)


def test_a_full_line_is_said_and_the_prediction_is_kept(open_page):
    page = open_page(lesson=FIRST.key, guess="2")

    def full(configs, owner=None):
        raise ConfigError("20 races wait already; try again when one has ended")

    server_state.server().conductor.start = full
    healthy(page.button(key="lesson_run").click().run())

    assert "20 races wait already" in page.error[0].value
    assert "Your prediction is kept" in page.error[0].value
    assert page.radio[0].value == 1
    assert not page.button(key="lesson_run").disabled


@pytest.mark.parametrize(
    ("guess", "word"),
    [("3", "Your prediction came true"), ("1", "It came out otherwise"), ("skip", "No prediction")],
)
def test_the_reveal_sets_the_prediction_against_the_run(open_page, guess, word):
    page = open_page(sat(FIRST, *BOLT_WINS), lesson=FIRST.key, guess=guess)

    assert word in told(page)
    assert "BOLT made 400 queries and GPUCB 250" in told(page)
    assert FIRST.reveal in told(page)
    assert FIRST.look in told(page)
    assert ("What happened: **BOLT, by far**" in told(page)) == (guess != "3")
    assert [t["y"][-1] for t in drawn(page, "lesson_figure")["data"]] == [400, 250]
    assert not page.warning
    assert panels(page)


def test_a_run_that_disagrees_with_the_lesson_says_so(open_page):
    page = open_page(sat(FIRST, *GPUCB_WINS), lesson=FIRST.key, guess="1")

    assert "Your prediction came true" in told(page)
    assert "This run disagrees with the lesson" in page.warning[0].value
    assert "What usually happens here is: BOLT, by far." in page.warning[0].value


def test_a_device_that_was_changed_on_the_way_is_said(open_page):
    settled = sat(FIRST, *BOLT_WINS)
    faster = [replace(run, speeds=(SpeedChange(20, 10.0, 0.5, 0.5),)) for run in settled.runs]
    page = open_page(race(*faster, status=RunStatus.FINISHED, t=180.0), lesson=FIRST.key)

    assert "speed of the device was changed" in page.warning[0].value


def test_a_run_that_does_not_say_is_no_answer(open_page):
    lesson = BY_KEY["stale-not-old"]
    idle = sat(lesson, {"queries": 60}, {"queries": 60})
    page = open_page(idle, page="inside", lesson=lesson.key, guess="3")

    assert "This run does not say" in told(page)
    assert "This run disagrees with the lesson" in page.warning[0].value


@pytest.mark.parametrize("status", [RunStatus.STOPPED, RunStatus.FAILED, RunStatus.INTERRUPTED])
def test_a_run_that_was_cut_off_settles_nothing(open_page, status):
    page = open_page(sat(FIRST, *BOLT_WINS, status=status, t=42.0), lesson=FIRST.key, guess="3")

    assert f"ended as **{status}** at 0:42 of 3:00" in told(page)
    assert FIRST.reveal not in told(page)
    assert has(page, "lesson_again")


def test_asking_again_begins_with_the_question(open_page):
    page = open_page(sat(FIRST, *BOLT_WINS), lesson=FIRST.key, guess="3")
    healthy(page.button(key="lesson_again").click().run())

    assert "race" not in page.query_params
    assert "guess" not in page.query_params
    assert page.button(key="lesson_run").disabled
    assert page.radio[0].value is None


def test_leaving_keeps_the_race_and_gives_the_page_back(open_page):
    page = open_page(sat(FIRST, *BOLT_WINS), lesson=FIRST.key, guess="3")
    healthy(page.button(key="lesson_leave").click().run())

    assert "lesson" not in page.query_params
    assert has(page, "bench")
    assert follows(page) == RACE
    assert FIRST.reveal not in told(page)


def test_another_race_than_the_lessons_is_not_its_answer(open_page, made):
    other = race(made(40), status=RunStatus.FINISHED, t=4.0, horizon=4.0)
    page = open_page(other, lesson=FIRST.key, guess="3")

    assert not panels(page)
    assert not page.button(key="lesson_run").disabled


def test_a_lesson_goes_along_to_inside_and_ends_elsewhere(open_page):
    page = open_page(sat(FIRST, *BOLT_WINS), lesson=FIRST.key, guess="3")
    healthy(page.switch_page("../../pages/inside.py").run())
    assert FIRST.reveal in told(page)

    healthy(page.switch_page("../../pages/guide.py").run())
    healthy(page.switch_page("../../pages/arena.py").run())
    assert FIRST.reveal not in told(page)
    assert has(page, "bench")


def test_a_lesson_opened_anew_lets_go_of_what_was_watched(open_page):
    page = open_page(sat(FIRST, *BOLT_WINS))
    healthy(page.switch_page("../../pages/guide.py").run())
    page.switch_page("../../pages/arena.py")
    page.query_params.clear()
    page.query_params["lesson"] = FIRST.key
    healthy(page.run())

    assert page.button(key="lesson_run").disabled
    assert not panels(page)


def test_one_device_against_another_runs_to_its_reveal(server):
    """The whole way with a real conductor, in the settings that everybody gets."""
    lesson = BY_KEY["slower-device"]
    page = browse("inside", lesson=lesson.key, guess="1")
    healthy(page.button(key="lesson_run").click().run())
    race_id = page.query_params["race"]
    settled = server.wait(race_id, ended)
    healthy(page.run())

    assert lesson.judge(settled).option == lesson.answer
    assert "Your prediction came true" in told(page)
    assert len(drawn(page, "lesson_figure")["data"]) == 2
    assert not page.warning
