"""The page "Your problem" without a browser: doors, form, loop, list, and who may do what."""

from dataclasses import replace

import pytest

from bolt_core.common.permissions import Permissions
from bolt_core.common.setting_text import setting_line
from bolt_core.problems.problems import Caller
from bolt_ui import server_state
from bolt_ui.problem import actions, selection
from tests.support.page_kit import browse, has, healthy
from tests.support.panels import asked, said
from tests.support.problems import SPEC, drive

ME, OTHER = Caller("me"), Caller("another")


@pytest.fixture
def problems(home, monkeypatch):
    """The problems of the server that the pages show to a visitor whose cookie is "me"."""
    monkeypatch.setattr(selection, "token", lambda: "me")  # AppTest has no cookies
    state = server_state.server(Permissions())
    yield state.problems
    state.shutdown()


def row(page):
    return asked(page, "operator")["row"]


def test_nothing_yet_has_three_doors_and_a_plant(problems):
    page = browse("problem")

    assert [title.value for title in page.title] == ["Your problem"]
    for key in ("door_describe", "door_log", "door_file", "door_plant"):
        assert page.button(key=key)
    assert not has(page, "operator")


def test_the_example_of_the_form_starts_a_problem(problems):
    page = browse("problem", door="describe")
    healthy(page.button(key="form_start").click().run())

    (problem_id,) = problems.ids()
    assert page.query_params["id"] == problem_id
    assert [knob["name"] for knob in row(page)["next"]["knobs"]] == ["feed", "stages", "catalyst"]
    assert row(page)["next"]["knobs"][0]["unit"] == "l/min"
    assert row(page)["warmup"]["made"] == 0
    assert asked(page, "operator")["may"]


def test_mistakes_name_the_knob_and_nothing_typed_is_lost(problems):
    page = browse("problem", door="describe")
    low, second = "knob_0_low", "knob_1_name"
    page.text_input(key=low).set_value("nine")
    page.text_input(key=second).set_value("feed")
    healthy(page.button(key="form_start").click().run())
    errors = [error.value for error in page.error]

    assert problems.ids() == []
    assert len(errors) == 2
    assert all("feed" in error for error in errors)
    assert "nine" in errors[0]
    assert page.text_input(key=low).value == "nine"
    assert page.text_input(key=second).value == "feed"


def test_knobs_are_added_and_removed_and_the_form_is_cleared(problems):
    page = browse("problem", door="describe")
    healthy(page.button(key="form_add").click().run())
    assert page.text_input(key="knob_3_name").value == ""
    healthy(page.button(key="form_remove_0").click().run())
    assert not has(page, "knob_0_name")
    healthy(page.button(key="form_clear").click().run())

    assert page.text_input(key="form_name").value == ""
    assert "example is filled in" not in said(page)
    assert [field.value for field in page.text_input if field.key.endswith("_low")] == [""]


def test_a_problem_that_has_learned_shows_its_charts(problems):
    problem_id = problems.create(SPEC, ME).id
    drive(problems, problem_id, 5, ME)
    page = browse("problem", id=problem_id)

    assert [title.value for title in page.title] == ["Reactor"]
    for key in ("measured", "knob_chart_0", "knob_chart_2", "drift", "scores", "fit", "results"):
        assert asked(page, key)["race"] == f"problem-{problem_id}"
    assert asked(page, "knob_chart_2")["view"] == "knob:2"
    assert asked(page, "results")["editable"]
    assert row(page)["best"]
    assert row(page)["told"] == 5
    assert {"Knobs", "Share and export"} <= {box.proto.popover.label for box in page.get("popover")}


def test_before_the_warm_up_has_ended_the_page_says_what_is_missing(problems):
    problem_id = problems.create(SPEC, ME).id
    drive(problems, problem_id, 1, ME)
    page = browse("problem", id=problem_id)

    assert not has(page, "drift")
    assert "3 measurements" in said(page)
    assert row(page)["warmup"] == {"made": 1, "of": 3}


def test_others_watch_and_may_change_nothing(problems):
    problem_id = problems.create(SPEC, OTHER).id
    drive(problems, problem_id, 4, OTHER)
    page = browse("problem", id=problem_id)
    refused = actions.perform(problems, problem_id, {"do": "save", "text": "1", "key": "k"}, ME)

    assert not asked(page, "operator")["may"]
    assert not asked(page, "results")["editable"]
    assert "watching" in said(page)
    assert not has(page, "problem_rename")
    assert "error" in refused
    assert problems.view(problem_id).status.told == 4


def test_problems_of_one_name_are_listed_with_the_time_they_were_created(problems):
    view = problems.view(problems.create(SPEC, ME).id)
    created = f"{view.created:%Y-%m-%d}"
    assert not [caption for caption in browse("problem").caption if created in caption.value]
    problems.create(SPEC, ME)
    assert len([c for c in browse("problem").caption if created in c.value]) == 2


def test_where_everyone_may_change_everything_nothing_is_called_yours(problems, monkeypatch):
    problem_id = problems.create(SPEC, ME).id
    assert "yours" in said(browse("problem"))
    assert "may watch" in said(browse("problem", id=problem_id))
    monkeypatch.setattr(server_state.server(), "permissions", Permissions(local=True))

    assert "yours" not in said(browse("problem"))
    assert "may watch" not in said(browse("problem", id=problem_id))


def test_names_are_shown_literally(problems):
    evil = "![x](http://example.com/a.png)"
    spec = replace(SPEC, name=evil, knobs={evil: SPEC.knobs["feed"]}, outcome=f"{evil} out")
    problem_id = problems.create(spec, ME).id
    ask = problems.next_setting(problem_id, ME)
    problems.tell(problem_id, 1.0, ME, ask_id=ask.id)
    running, listed = browse("problem", id=problem_id), browse("problem")

    texts = [*running.title, *running.markdown, *running.caption, *listed.markdown, *listed.caption]
    assert [text.value for text in texts if "![x](" in text.value] == []
    assert all("![x](" not in str(link.proto) for link in listed.get("page_link"))


def test_a_change_of_a_range_says_that_the_next_setting_was_replaced(problems):
    problem_id = problems.create(SPEC, ME).id
    drive(problems, problem_id, 1, ME)
    asked = problems.next_setting(problem_id, ME)
    page = browse("problem", id=problem_id)
    high = asked.setting["feed"] / 2
    page.text_input(key="change_feed_high").set_value(f"{high:g}")
    (change,) = [button for button in page.button if button.label == "Change"]
    healthy(change.click().run())

    assert problems.view(problem_id).next.id != asked.id
    knobs = problems.view(problem_id).spec.knobs
    assert setting_line(knobs, asked.setting) in said(page)
    assert not problems.view(problem_id).can_undo


def test_a_link_to_an_unknown_problem_says_so_and_shows_the_doors(problems):
    page = browse("problem", id="20200101T000000Z-zzzz")

    assert "zzzz" in page.warning[0].value
    assert page.button(key="door_describe")
    assert "id" not in page.query_params


def test_a_problem_is_deleted_from_the_list_and_restored(problems):
    mine, other = problems.create(SPEC, ME).id, problems.create(SPEC, OTHER).id
    page = browse("problem")
    assert not has(page, f"problem_delete_{other}")
    healthy(page.button(key=f"problem_delete_{mine}").click().run())
    assert problems.ids() == [other]
    healthy(page.button(key="problem_restore").click().run())

    assert set(problems.ids()) == {mine, other}
    assert not has(page, "problem_restore")


@pytest.mark.parametrize(
    ("text", "value"), [("71.3", 71.3), (" 71,3 ", 71.3), ("\N{MINUS SIGN}2", -2.0), ("1e3", 1e3)]
)
def test_save_tells_the_value_and_the_next_setting_is_there(problems, text, value):
    problem_id = problems.create(SPEC, ME).id
    ask = problems.next_setting(problem_id, ME)
    message = {"do": "save", "text": text, "ask": ask.id, "key": "press"}
    answer = actions.perform(problems, problem_id, message, ME)
    view = problems.view(problem_id)

    assert answer == {"key": "press"}
    assert view.log[SPEC.outcome][0] == value
    assert view.next is not None
    assert view.next.id != ask.id


def test_a_setting_that_was_applied_otherwise_is_told_as_it_was(problems):
    problem_id = problems.create(SPEC, ME).id
    ask = problems.next_setting(problem_id, ME)
    message = {"do": "save", "text": "1", "ask": ask.id, "setting": ["2,5", "4", "B"]}

    assert "error" not in actions.perform(problems, problem_id, message, ME)
    log = problems.view(problem_id).log
    assert log[list(SPEC.knobs)].iloc[0].tolist() == [2.5, 4, "B"]
    message |= {"ask": problems.view(problem_id).next.id, "setting": ["2,5", "4", "Z"]}
    assert "catalyst" in actions.perform(problems, problem_id, message, ME)["error"]


def test_a_value_of_a_setting_that_others_answered_is_refused(problems):
    problem_id = problems.create(SPEC, ME).id
    ask = problems.next_setting(problem_id, ME)
    message = {"do": "save", "text": "80.1", "ask": ask.id}
    actions.perform(problems, problem_id, message | {"text": "79"}, ME)  # another browser
    answer = actions.perform(problems, problem_id, message, ME)

    assert answer["changed"]
    assert problems.view(problem_id).status.told == 1
    repeated = actions.perform(problems, problem_id, message | {"text": "79"}, ME)
    assert "error" not in repeated
    assert problems.view(problem_id).status.told == 1
    assert "error" in actions.perform(problems, problem_id, {"do": "undo", "told": 2}, ME)


@pytest.mark.parametrize("text", ["", "abc", "71 %", "1.234,5", "nan", "inf"])
def test_a_value_that_is_no_number_is_refused_and_the_setting_stays(problems, text):
    problem_id = problems.create(SPEC, ME).id
    ask = problems.next_setting(problem_id, ME)
    message = {"do": "save", "text": text, "ask": ask.id, "key": "press"}

    assert "measurement" in actions.perform(problems, problem_id, message, ME)["error"]
    assert problems.view(problem_id).next.id == ask.id


def test_failed_skip_and_undo(problems):
    problem_id = problems.create(SPEC, ME).id
    first = problems.next_setting(problem_id, ME)
    actions.perform(problems, problem_id, {"do": "failed", "ask": first.id}, ME)
    assert problems.view(problem_id).status.failed == 1
    second = problems.view(problem_id).next
    actions.perform(problems, problem_id, {"do": "skip", "ask": second.id}, ME)
    assert problems.view(problem_id).next.id not in (first.id, second.id)
    actions.perform(problems, problem_id, {"do": "undo"}, ME)

    assert problems.view(problem_id).status.told == 0
    assert problems.view(problem_id).next.id == first.id


@pytest.mark.parametrize("message", [None, 3, "save", {}, {"do": "delete"}, {"do": ["save"]}])
def test_messages_that_no_button_sends_change_nothing(problems, message):
    problem_id = problems.create(SPEC, ME).id
    before = problems.view(problem_id).version

    assert "error" in actions.perform(problems, problem_id, message, ME)
    assert problems.view(problem_id).version == before


def test_a_value_of_the_table_is_corrected(problems):
    problem_id = problems.create(SPEC, ME).id
    drive(problems, problem_id, 4, ME)

    assert actions.correct(problems, problem_id, {"row": 1, "text": "12,5"}, ME) is None
    assert actions.correct(problems, problem_id, {"row": 2, "text": "failed"}, ME) is None
    assert "many" in actions.correct(problems, problem_id, {"row": 0, "text": "many"}, ME)
    assert actions.correct(problems, problem_id, {"row": "0", "text": "1"}, ME)
    log = problems.view(problem_id).log
    assert log[SPEC.outcome][1] == 12.5
    assert bool(log["failed"][2])
