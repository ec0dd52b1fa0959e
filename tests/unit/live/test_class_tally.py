"""The predictions of a class: one answer per browser, counts for the lecturer, and limits."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bolt_core.common.errors import ConfigError, LimitError, NotYoursError
from bolt_core.common.permissions import Permissions
from bolt_core.live.class_tally import ClassTallies, TallyState, UnknownTallyError
from bolt_core.runs import limits

LECTURER, OPERATOR = "lecturer", "operator"


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tallies(clock):
    return ClassTallies(Permissions(operator_token=OPERATOR), clock)


@pytest.fixture
def code(tallies):
    return tallies.open("metronome", 3, LECTURER)


def test_a_second_answer_of_a_browser_replaces_the_first(tallies, code):
    tallies.answer(code, 0, "a")
    tallies.answer(code.lower(), 2, "a")
    tallies.answer(code, 2, "b")

    view = tallies.view(code, LECTURER)
    assert (view.answers, view.counts) == (2, (0, 0, 2))
    assert tallies.view(code, "a").own_answer == 2


def test_the_class_sees_the_counts_when_they_are_shown(tallies, code):
    tallies.answer(code, 1, "a")
    assert tallies.view(code, "a").counts is None
    tallies.settle(code, LECTURER, 2)
    assert (tallies.view(code, "a").outcome, tallies.view(code, LECTURER).outcome) == (None, 2)
    tallies.show(code, LECTURER)

    view = tallies.view(code, "a")
    assert (view.state, view.counts, view.outcome) == (TallyState.SHOWN, (0, 1, 0), 2)


def test_a_race_that_has_begun_closes_the_question_and_counts_who_was_right(tallies, code):
    for visitor, option in (("a", 2), ("b", 2), ("c", 0)):
        tallies.answer(code, option, visitor)
    tallies.settle(code, LECTURER, None)
    with pytest.raises(ConfigError, match="closed"):
        tallies.answer(code, 1, "d")
    assert tallies.view(code, LECTURER).summary == ""
    tallies.settle(code, LECTURER, 2)

    assert "2 of 3" in tallies.view(code, LECTURER).summary
    assert tallies.view(code, "a").summary == ""
    tallies.show(code, LECTURER)
    tallies.settle(code, LECTURER, 2)
    assert tallies.view(code, "a").state == TallyState.SHOWN


@pytest.mark.parametrize("action", ["close", "show", "reset", "end"])
def test_only_the_owner_and_the_operator_change_a_tally(tallies, code, action):
    for stranger in ("a", None):
        with pytest.raises(NotYoursError):
            getattr(tallies, action)(code, stranger)
    getattr(tallies, action)(code, OPERATOR)


def test_a_closed_tally_takes_no_answer_until_it_is_reset(tallies, code):
    tallies.answer(code, 1, "a")
    tallies.close(code, LECTURER)
    with pytest.raises(ConfigError, match="closed"):
        tallies.answer(code, 0, "b")
    tallies.reset(code, LECTURER)
    tallies.answer(code, 0, "b")

    assert tallies.view(code, LECTURER).counts == (1, 0, 0)


@pytest.mark.parametrize("option", [-1, 3, True, 1.0, "1", None])
def test_an_answer_outside_the_options_is_refused(tallies, code, option):
    with pytest.raises(ConfigError, match="one of the 3"):
        tallies.answer(code, option, "a")


@pytest.mark.parametrize("bad", ["", "XXXXX", "../..", "<script>", "9" * 100_000, "\0"])
def test_an_unknown_code_is_named_as_such(tallies, code, bad):
    with pytest.raises(UnknownTallyError, match="no question is open"):
        tallies.view(bad, "a")


def test_a_browser_without_a_cookie_cannot_answer(tallies, code):
    with pytest.raises(NotYoursError, match="cookie"):
        tallies.answer(code, 0, None)


def test_a_flood_of_answers_is_refused(tallies, code):
    for k in range(limits.MAX_ANSWERS_PER_TALLY):
        tallies.answer(code, k % 3, f"visitor {k}")
    with pytest.raises(LimitError):
        tallies.answer(code, 0, "one more")

    assert tallies.view(code, LECTURER).answers == limits.MAX_ANSWERS_PER_TALLY


def test_changes_of_an_answer_are_limited(tallies, code):
    for k in range(limits.MAX_ANSWER_CHANGES + 1):
        tallies.answer(code, k % 2, "a")
    with pytest.raises(LimitError):
        tallies.answer(code, 2, "a")


def test_another_question_keeps_the_code_and_forgets_the_answers(tallies, code):
    tallies.answer(code, 2, "a", "metronome")
    assert tallies.open("metronome", 3, LECTURER) == code
    tallies.show(code, LECTURER)
    assert tallies.open("held-regret", 4, LECTURER) == code

    assert tallies.opened_by(LECTURER, "metronome") is None
    view = tallies.view(code, "a")
    assert (view.question, view.state, view.answers) == ("held-regret", TallyState.OPEN, 0)
    with pytest.raises(ConfigError, match="another question"):
        tallies.answer(code, 0, "a", "metronome")
    tallies.answer(code, 3, "a", "held-regret")
    assert tallies.view(code, LECTURER).counts == (0, 0, 0, 1)


def test_a_full_server_drops_the_tally_that_was_left_longest_ago(tallies, clock, code):
    others = [tallies.open("q", 2, f"visitor {k}") for k in range(limits.MAX_TALLIES - 1)]
    with pytest.raises(LimitError):
        tallies.open("q", 2, "late")
    clock.now = limits.TALLY_IDLE_SECONDS
    tallies.view(code, LECTURER)  # attended
    tallies.open("q", 2, "late")

    assert tallies.view(code, LECTURER)
    with pytest.raises(UnknownTallyError):
        tallies.view(others[0], LECTURER)


def test_a_tally_expires(tallies, clock, code):
    clock.now = limits.TALLY_LIFETIME_SECONDS + 1.0
    with pytest.raises(UnknownTallyError):
        tallies.view(code, LECTURER)


def test_answers_from_many_threads_are_all_counted(tallies, code):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: tallies.answer(code, k % 3, f"visitor {k}"), range(300)))

    assert tallies.view(code, LECTURER).counts == (100, 100, 100)
