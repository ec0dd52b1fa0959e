"""The state of a problem as its page gets it with every poll, and its charts under its race id."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from bolt_core import Choice, Real
from bolt_core.charts import ChartRequest, ChartServer
from bolt_core.charts.problem_row import beyond_range, estimate, page_state, problem_row, row_of
from bolt_core.common.permissions import Permissions
from bolt_core.problems.problems import Problems
from tests.support.problems import ME, SPEC, drive


@pytest.fixture
def problems(tmp_path):
    problems = Problems(tmp_path / "problems", Permissions())
    yield problems
    problems.shutdown()


def shown(problems, problem_id, now=None):
    return problem_row(problems.view(problem_id), False, now or datetime.now(UTC))


def test_the_next_setting_has_units_and_what_changes(problems):
    problem_id = problems.create(SPEC, ME).id
    assert shown(problems, problem_id)["next"] is None
    problems.next_setting(problem_id, ME)
    assert [knob["change"] for knob in shown(problems, problem_id)["next"]["knobs"]] == [""] * 3
    drive(problems, problem_id, 5)
    ask = problems.next_setting(problem_id, ME)
    feed, stages, catalyst = shown(problems, problem_id)["next"]["knobs"]

    assert (feed["name"], feed["unit"], catalyst["unit"]) == ("feed", "l/min", "")
    assert float(feed["value"]) == pytest.approx(ask.setting["feed"], abs=1e-3)
    change = ask.setting["stages"] - ask.previous["stages"]
    assert stages["change"] == (f"{change:+d}".replace("-", "\N{MINUS SIGN}") if change else "same")


def test_freshness_is_counted_from_the_ask(problems):
    problem_id = problems.create(SPEC, ME).id
    drive(problems, problem_id, 6)
    problems.next_setting(problem_id, ME)
    view = problems.view(problem_id)
    at = view.next.at
    later = shown(problems, problem_id, at + timedelta(seconds=5))["next"]["fresh"]

    assert later == pytest.approx(view.fresh_for - 5.0, abs=1e-6)
    assert shown(problems, problem_id, at + timedelta(days=900))["next"]["fresh"] < 0


def test_an_old_last_measurement_is_said_to_say_nothing_about_now(problems):
    problem_id = problems.create(SPEC, ME).id
    drive(problems, problem_id, 6)
    view = problems.view(problem_id)
    now = view.to_time(float(view.run.columns["t"][-1]))

    assert shown(problems, problem_id, now)["best"]["age"] == ""
    assert "258 days" in shown(problems, problem_id, now + timedelta(days=258))["best"]["age"]


def test_a_setting_that_is_still_outside_a_new_range_says_why():
    knobs = {"inlet": Real(70, 85, unit="C", max_step=5), "kind": Choice("A", "B")}

    assert beyond_range(knobs, {"inlet": 84.9, "kind": "A"}) == ""
    words = beyond_range(knobs, {"inlet": 85.47, "kind": "A"})
    assert "above 85 C" in words
    assert "step is 5" in words
    assert "below 70" in beyond_range(knobs, {"inlet": 69.0, "kind": "A"})


def test_the_state_changes_with_what_the_page_itself_shows_and_not_with_each_tell(problems):
    problem_id = problems.create(SPEC, ME).id
    drive(problems, problem_id, 4)
    before = page_state(problems.view(problem_id), False)
    drive(problems, problem_id, 1)
    assert page_state(problems.view(problem_id), False) == before
    assert page_state(problems.view(problem_id), True) != before
    problems.change(problem_id, ME, "feed", {"high": 6.0})

    assert page_state(problems.view(problem_id), False) != before


def test_polls_bring_the_row_and_charts_of_a_problem(problems):
    problem_id = problems.create(SPEC, ME).id
    drive(problems, problem_id, 4)
    race_id = f"problem-{problem_id}"
    server = ChartServer(problems.find_race, lambda race: row_of(problems, race))
    first = json.loads(server.page(race_id, [ChartRequest("results"), ChartRequest("measured")]))
    problems.correct(problem_id, ME, 0, 99.0)
    second = json.loads(server.page(race_id, [ChartRequest("results")]))
    server.shutdown()

    assert first["row"]["told"] == 4
    assert first["frames"]["results;"]["chart"]["rows"][-1]["y"] != 99.0
    assert second["row"]["version"] > first["row"]["version"]
    assert row_of(problems, "20200101T000000Z-zzzz") is None
    assert row_of(problems, "problem-unknown") is None


@pytest.mark.parametrize(
    ("mean", "sd", "words"),
    [
        (63.04, 0.258, "63.04 \N{PLUS-MINUS SIGN} 0.26"),
        (-1234.5, 12.0, "\N{MINUS SIGN}1,234 \N{PLUS-MINUS SIGN} 12"),
        (5.0, 0.0, "5.00"),
    ],
)
def test_an_estimate_has_two_digits_of_its_deviation(mean, sd, words):
    assert estimate(mean, sd) == words
