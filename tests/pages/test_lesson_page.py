"""A lesson opened by its link, in each of its stages and on both pages."""

from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from streamlit.runtime.scriptrunner import ScriptRunContext

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunStatus, SpeedChange
from bolt_ui import server_state, session
from bolt_ui.lessons.lesson_catalog import BY_KEY, LESSONS
from tests.support.lesson_runs import lesson_race
from tests.support.live_races import ended
from tests.support.page_kit import RACE, browse, follows, has, healthy, offered, panels, race
from tests.support.panels import drawn, said
from tests.support.runs import make_run

FIRST = BY_KEY["metronome"]
BOLT_WINS = ({"queries": 400}, {"queries": 250})
GPUCB_WINS = ({"queries": 100}, {"queries": 250})


@pytest.fixture
def started(open_page, monkeypatch):
    """Return the configs of every race that is started; none is run."""
    configs = []
    monkeypatch.setattr(session, "start", configs.append)
    return configs


def text(page):
    """Return the text on the page without Markdown escapes."""
    return said(page).replace("\\", "")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_lesson_asks_without_showing_the_answer(open_page, lesson):
    page = open_page(page=lesson.page, lesson=lesson.key)

    assert lesson.question in text(page)
    assert len(page.radio[0].options) == len(lesson.options)
    assert page.radio[0].value is None
    assert page.button(key="lesson_run").disabled
    assert not page.button(key="lesson_skip").disabled
    assert not panels(page)
    assert lesson.reveal not in text(page)
    assert not has(page, "bench")


def test_a_prediction_enables_the_race_and_is_kept_in_the_url(open_page, started):
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
def test_an_invalid_guess_is_reported_and_ignored(open_page, bad):
    page = open_page(lesson=FIRST.key, guess=bad)

    assert f"guess={bad} " in page.warning[0].value.replace("\\", "")
    assert page.radio[0].value is None
    assert page.button(key="lesson_run").disabled


@pytest.mark.parametrize("where", ["arena", "inside"])
def test_an_unknown_lesson_is_reported_above_the_usual_page(open_page, where):
    page = open_page(page=where, lesson="![x](y)")

    assert "**![x](y)**" in text(page)
    assert r"\!\[x\]" in said(page)
    assert panels(page)


@pytest.mark.parametrize("where", ["arena", "inside"])
def test_while_the_race_runs_the_answer_is_not_shown(open_page, where):
    going = lesson_race(FIRST, *BOLT_WINS, status=RunStatus.RUNNING, t=42.0, eta=5.0)
    page = open_page(going, page=where, lesson=FIRST.key, guess="1")

    assert f"Predicted: **{FIRST.options[0]}**" in text(page)
    assert "0:42 of 3:00" in text(page)
    assert offered(page) == {"stop", "pause"}
    assert panels(page)
    assert follows(page) == RACE
    assert FIRST.reveal not in text(page)


def test_a_queued_lesson_shows_its_position(open_page):
    waiting = lesson_race(
        FIRST, {"queries": 0}, {"queries": 0}, status=RunStatus.QUEUED, position=2
    )
    page = open_page(waiting, lesson=FIRST.key, guess="1")

    assert "Number 2" in text(page)
    assert "three races" in text(page)
    assert f"Predicted: **{FIRST.options[0]}**" in text(page)


def test_a_second_viewer_can_watch_and_predict(open_page):
    going = lesson_race(FIRST, *BOLT_WINS, status=RunStatus.RUNNING, t=42.0)
    page = open_page(going, mine=False, lesson=FIRST.key)

    assert "Another visitor" in text(page)
    assert "Watching, read only" in text(page)
    assert offered(page) == {"copy"}
    healthy(page.radio[0].set_value(2).run())
    assert f"Predicted: **{FIRST.options[2]}**" in text(page)


def test_a_full_queue_is_reported_and_the_prediction_is_kept(open_page):
    page = open_page(lesson=FIRST.key, guess="2")

    def full(configs, owner=None, *, confirmed=False):
        raise ConfigError("20 races wait already; try again when one has ended")

    server_state.server().conductor.start = full
    healthy(page.button(key="lesson_run").click().run())

    assert "20 races wait already" in page.error[0].value
    assert "saved" in page.error[0].value
    assert page.radio[0].value == 1
    assert not page.button(key="lesson_run").disabled


@pytest.mark.parametrize(
    ("guess", "word"), [("3", "came true"), ("1", "disagreed"), ("skip", "No prediction")]
)
def test_the_reveal_compares_the_prediction_with_the_race(open_page, guess, word):
    page = open_page(lesson_race(FIRST, *BOLT_WINS), lesson=FIRST.key, guess=guess)

    assert word in text(page)
    assert "400 queries" in text(page)
    assert FIRST.reveal in text(page)
    assert FIRST.look in text(page)
    assert ("happened: **BOLT, by far" in text(page)) == (guess != "3")
    assert [t["y"][-1] for t in drawn(page, "lesson_figure")["data"]] == [400, 250]
    assert not page.warning
    assert panels(page)


def test_a_race_that_disagrees_with_the_lesson_is_marked(open_page):
    page = open_page(lesson_race(FIRST, *GPUCB_WINS), lesson=FIRST.key, guess="1")

    assert "came true" in text(page)
    assert "disagrees" in page.warning[0].value
    assert "BOLT, by far" in page.warning[0].value


def test_a_change_of_the_device_speed_is_mentioned(open_page):
    settled = lesson_race(FIRST, *BOLT_WINS)
    faster = [replace(run, speeds=(SpeedChange(20, 10.0, 0.5, 0.5),)) for run in settled.runs]
    page = open_page(race(*faster, status=RunStatus.FINISHED, t=180.0), lesson=FIRST.key)

    assert "was changed" in page.warning[0].value


def test_a_race_that_decides_nothing_is_marked(open_page):
    lesson = BY_KEY["stale-not-old"]
    idle = lesson_race(lesson, {"queries": 60}, {"queries": 60})
    page = open_page(idle, page="inside", lesson=lesson.key, guess="3")

    assert "does not decide" in text(page)
    assert "disagrees" in page.warning[0].value


@pytest.mark.parametrize("status", [RunStatus.STOPPED, RunStatus.FAILED, RunStatus.INTERRUPTED])
def test_a_race_that_ended_early_gives_no_answer(open_page, status):
    page = open_page(
        lesson_race(FIRST, *BOLT_WINS, status=status, t=42.0), lesson=FIRST.key, guess="3"
    )

    assert f"**{status}**) at 0:42 of 3:00" in text(page)
    assert FIRST.reveal not in text(page)
    assert has(page, "lesson_again")


def test_trying_again_returns_to_the_question(open_page):
    page = open_page(lesson_race(FIRST, *BOLT_WINS), lesson=FIRST.key, guess="3")
    healthy(page.button(key="lesson_again").click().run())

    assert "race" not in page.query_params
    assert "guess" not in page.query_params
    assert page.button(key="lesson_run").disabled
    assert page.radio[0].value is None


def test_leaving_a_lesson_keeps_its_race(open_page):
    page = open_page(lesson_race(FIRST, *BOLT_WINS), lesson=FIRST.key, guess="3")
    healthy(page.button(key="lesson_leave").click().run())

    assert "lesson" not in page.query_params
    assert has(page, "bench")
    assert follows(page) == RACE
    assert FIRST.reveal not in text(page)


def test_a_race_with_other_settings_does_not_answer_the_lesson(open_page):
    other = race(make_run(40), status=RunStatus.FINISHED, t=4.0, horizon=4.0)
    page = open_page(other, lesson=FIRST.key, guess="3")

    assert not panels(page)
    assert not page.button(key="lesson_run").disabled


def test_a_lesson_is_kept_on_inside_and_ends_on_other_pages(open_page):
    page = open_page(lesson_race(FIRST, *BOLT_WINS), lesson=FIRST.key, guess="3")
    healthy(page.switch_page("../../pages/inside.py").run())
    assert FIRST.reveal in text(page)

    healthy(page.switch_page("../../pages/guide.py").run())
    healthy(page.switch_page("../../pages/arena.py").run())
    assert FIRST.reveal not in text(page)
    assert has(page, "bench")


def test_a_newly_opened_lesson_ignores_the_race_watched_before(open_page):
    page = open_page(lesson_race(FIRST, *BOLT_WINS))
    healthy(page.switch_page("../../pages/guide.py").run())
    page.switch_page("../../pages/arena.py")
    page.query_params.clear()
    page.query_params["lesson"] = FIRST.key
    healthy(page.run())

    assert page.button(key="lesson_run").disabled
    assert not panels(page)


def test_the_link_to_the_next_lesson_on_the_same_page_forgets_the_last_one(open_page, started):
    page = open_page(lesson_race(FIRST, *BOLT_WINS), lesson=FIRST.key, guess="3")
    second = LESSONS[1]
    link = next(k for k in page.get("page_link") if "Next" in k.proto.label)
    page.query_params.clear()  # what a click on the link does
    page.query_params.update(parse_qsl(link.proto.query_string))
    healthy(page.run())

    assert set(page.query_params) == {"lesson"}
    assert page.session_state["lesson"] == second.key
    assert "race" not in page.session_state
    assert "guess" not in page.session_state
    healthy(page.radio[0].set_value(1).run())
    assert page.query_params["guess"] == "2"
    assert page.query_params["lesson"] == second.key
    healthy(page.button(key="lesson_run").click().run())
    assert started == [second.configs()]


def test_a_lesson_that_is_opened_is_written_into_the_address(open_page, monkeypatch):
    """A link to another lesson on the same page leaves the old address in the browser."""
    page = open_page(lesson_race(FIRST, *BOLT_WINS), lesson=FIRST.key, guess="3")
    sent = []
    enqueue = ScriptRunContext.enqueue
    monkeypatch.setattr(
        ScriptRunContext, "enqueue", lambda self, msg: (sent.append(msg), enqueue(self, msg))
    )
    page.query_params.clear()
    page.query_params["lesson"] = LESSONS[1].key
    healthy(page.run())

    addresses = [m.page_info_changed.query_string for m in sent if m.HasField("page_info_changed")]
    assert addresses[-1:] == [f"lesson={LESSONS[1].key}"]


@pytest.mark.long
def test_the_slower_device_lesson_runs_to_its_reveal(server):
    """With a real conductor and the default settings."""
    lesson = BY_KEY["slower-device"]
    page = browse("inside", lesson=lesson.key, guess="1")
    healthy(page.button(key="lesson_run").click().run())
    race_id = page.query_params["race"]
    settled = server.wait(race_id, ended)
    healthy(page.run())

    assert lesson.judge(settled).option == lesson.answer
    assert "came true" in text(page)
    assert len(drawn(page, "lesson_figure")["data"]) == 2
    assert not page.warning
