"""A class answers a lesson's question: the lecturer's panel and the page that the class opens."""

import pytest

from bolt_core.common.types import RunStatus
from bolt_core.live.class_tally import TallyState
from bolt_ui import server_state
from bolt_ui.lessons.class_panel import join_link
from bolt_ui.lessons.lesson_catalog import BY_KEY, LESSONS
from tests.support.lesson_runs import lesson_race
from tests.support.page_kit import has, healthy, offered
from tests.support.panels import asked, said

LESSON = BY_KEY["metronome"]


def tallies():
    return server_state.server().tallies


def test_the_lecturer_asks_the_class_closes_shows_and_resets(open_page):
    page = open_page(lesson=LESSON.key)
    healthy(page.button(key="class_open").click().run())
    code = tallies().opened_by(None, LESSON.key)
    tallies().answer(code, 2, "phone")

    healthy(page.run())
    assert asked(page, "class_bars")["view"]["counts"] == [0, 0, 1]
    assert f"join={code}" in page.code[0].value
    for key, state in (("close", "closed"), ("show", "shown"), ("reset", "open")):
        healthy(page.button(key=f"class_{key}").click().run())
        assert asked(page, "class_bars")["view"]["state"] == state
        assert f"{state.capitalize()}:" in said(page)
    healthy(page.button(key="class_end").click().run())
    assert has(page, "class_open")


def test_the_join_page_takes_one_answer_and_starts_nothing(open_page):
    open_page()
    code = tallies().open(LESSON.key, 3, "lecturer")
    server = server_state.server()
    page = open_page(lesson=LESSON.key, join=code)
    server_state.server().tallies = server.tallies
    healthy(page.run())

    assert LESSON.question in page.header[0].value
    assert len(page.button) == len(LESSON.options)
    assert not offered(page)
    for k in (0, 2):
        healthy(page.button(key=f"answer_{k}").click().run())
    assert tallies().view(code, "lecturer").counts == (0, 0, 1)
    tallies().settle(code, "lecturer", None)
    healthy(page.run())
    assert not page.button
    assert "no more answers" in said(page)
    tallies().show(code, "lecturer")
    healthy(page.run())
    assert not page.button
    assert asked(page, "class_result")["view"]["counts"] == [0, 0, 1]


@pytest.mark.parametrize("bad", ["NOONE", "<b>", "x" * 3000])
def test_an_unknown_code_gets_a_sentence(open_page, bad):
    page = open_page(lesson=LESSON.key, join=bad)

    assert "no question is open" in said(page)
    assert not page.button


def test_the_outcome_of_the_race_is_compared_with_the_class(open_page):
    page = open_page(lesson_race(LESSON, {"queries": 400}, {"queries": 250}), lesson=LESSON.key)
    code = tallies().open(LESSON.key, 3, None)
    for k, option in enumerate((2, 2, 2, 0)):
        tallies().answer(code, option, f"phone {k}")
    healthy(page.run())

    view = asked(page, "class_bars")["view"]
    assert (view["outcome"], view["counts"], view["state"]) == (2, [1, 0, 3], "closed")
    assert "3 of 4" in view["summary"]
    assert page.button(key="class_reset").disabled


def test_a_race_that_starts_closes_the_question(open_page):
    going = lesson_race(LESSON, *[{"queries": 60}] * 2, status=RunStatus.RUNNING, t=30.0)
    page = open_page(going, lesson=LESSON.key, guess="1")
    assert not has(page, "class_open")
    code = tallies().open(LESSON.key, 3, None)
    healthy(page.run())

    assert tallies().view(code, None).state == TallyState.CLOSED
    assert "Closed:" in said(page)


def test_phones_follow_the_lecturer_to_the_next_question(open_page):
    open_page()
    code, other = tallies().open(LESSON.key, 3, "lecturer"), LESSONS[-1]
    server = server_state.server()
    page = open_page(lesson=LESSON.key, join=code)
    server_state.server().tallies = server.tallies
    healthy(page.run())
    tallies().open(other.key, len(other.options), "lecturer")
    healthy(page.button(key="answer_0").click().run())

    assert other.question in page.header[0].value
    assert "another question" in said(page)
    assert tallies().view(code, "lecturer").answers == 0


def test_a_link_without_a_code_gets_a_plain_sentence(open_page):
    page = open_page(join="")

    assert "no code" in said(page)
    assert "*" not in said(page)


def test_the_link_for_the_class_is_under_the_address_of_the_lecturer():
    link = join_link(LESSON, "ABCDE", "http://10.0.0.7:8501/inside?x=1")

    assert link == "http://10.0.0.7:8501/?lesson=metronome&join=ABCDE"


def test_next_ends_after_the_last_lesson(open_page):
    last, first = LESSONS[-1], LESSONS[0]
    outcomes = [{"queries": 40}] * len(last.lanes)
    page = open_page(lesson_race(last, *outcomes), lesson=last.key)
    links = [link.proto.query_string for link in page.get("page_link")]

    assert f"lesson={first.key}" not in " ".join(links)
    assert "last lesson" in said(page)
    page.button(key="lesson_own").click().run()
    assert "last lesson" not in said(page)
    assert "lesson" not in page.query_params
    assert "race" not in page.query_params


def test_an_older_link_opens_the_lesson_that_replaced_it(open_page):
    page = open_page(lesson="per-second")

    assert BY_KEY["how-much-data"].title in page.get("html")[0].proto.body
