"""`bolt ask`, `bolt tell` and the other commands on a problem file."""

from datetime import datetime

import pytest

from bolt_core.cli.own_problem import session
from bolt_core.online.optimizer import OnlineOptimizer
from tests.support.shell_problem import BEGAN, SETTING, rows


def test_times_are_those_of_the_clock_and_asks_are_a_minute_apart(told, problem):
    opt = OnlineOptimizer.load(session.state_path(problem))
    times = [datetime.fromisoformat(row["time"]) for row in rows(told)]

    assert [(t - BEGAN).total_seconds() for t in times] == [60 * k + 20 for k in range(5)]
    assert {record.seconds for record in list(opt._inner.records)[:-1]} == {60.0}


def test_thinking_time_is_that_of_tell_and_ask_of_separate_processes(told, problem):
    told("ask")
    load = OnlineOptimizer.load(session.state_path(problem))
    samples = load._thinking.state()

    assert len(samples) == 3  # of passes after the warm-up: asks 4, 5 and 6
    told("tell", 60)
    assert OnlineOptimizer.load(session.state_path(problem))._thought > 0


def test_a_table_has_units_and_changes(told):
    text = told("ask", plain=True)

    assert "l/min" in text
    assert "(+" in text or "(-" in text
    assert "Ask 6" in text


def test_plain_output_is_what_setting_takes(told, bolt, problem):
    lines = told("ask", "--plain", plain=True).split()
    told("tell", 61, *(word for line in lines for word in ("--setting", line)))

    assert rows(told)[-1]["ask"] == "6"
    assert told("status")["pending"] == []


def test_plain_output_is_what_setting_takes_with_equals_signs(call, problem):
    text = problem.read_text().replace("[knobs.feed]", '[knobs."feed=a=b"]')
    problem.write_text(text.replace('["A", "B"]', '["A=1", "B=2"]'))
    lines = call("ask", "--plain", plain=True).splitlines()
    call("tell", 61, *(word for line in lines for word in ("--setting", line)))

    assert lines[0].startswith("feed=a=b=")
    assert rows(call)[-1]["ask"] == "1"
    assert call("status")["pending"] == []


def test_a_tell_may_ask_for_the_next_setting(call):
    call("ask")
    lines = call("tell", 5, "--ask", "--plain", plain=True).splitlines()

    assert [line.partition("=")[0] for line in lines] == ["feed", "stages", "catalyst"]
    assert call("tell", 6, "--ask")["id"] == 3
    assert call("status")["told"] == 2


def test_tell_answers_the_oldest_or_the_id(call):
    first, second, third = call("ask"), call("ask"), call("ask")

    assert third["other_pending"] == [1, 2]
    assert call("tell", 1.0, "--id", 2)["pending"] == [1, 3]
    assert call("tell", -2.5)["id"] == 1
    assert [(row["ask"], row["yield"]) for row in rows(call)] == [
        ("2", "1.0"),
        ("1", "-2.5"),
        ("3", ""),
    ]
    assert float(rows(call)[0]["feed"]) == second["setting"]["feed"] != first["setting"]["feed"]


def test_a_repeated_tell_is_stored_once(call):
    call("ask")
    call("ask")

    assert [call("tell", 7.0, "--id", 1)["stored"] for _ in range(2)] == [True, False]
    assert [call("tell", 8.0, "--key", "shift 2")["stored"] for _ in range(2)] == [True, False]
    assert [call("tell", 9.0, "--key", "b", *SETTING)["stored"] for _ in range(2)] == [True, False]
    assert call("status")["told"] == 3
    assert call("status")["pending"] == []


def test_failed_unasked_and_late_measurements(call, clock):
    asked = call("ask")
    clock(600)
    call("tell", "--failed")
    call("tell", 64, *SETTING, "--at", "2026-05-03T12:01:00+00:00")
    call("tell", 65, *SETTING, "--at", BEGAN.timestamp() + 5)
    call("ask")
    printed = call("tell", 66, "--id", 2, "--setting", "feed=1.5", plain=True)

    log = rows(call)
    assert [row["failed"] for row in log] == ["True", "False", "False", "False"]
    assert log[1]["time"].startswith("2026-05-03T12:01:00")
    assert log[2]["time"].startswith("2026-05-03T12:00:05")
    assert (log[1]["feed"], log[1]["stages"], log[1]["catalyst"]) == ("3.2", "4", "B")
    assert log[3]["feed"] == "1.5"
    assert "feed 1.5" in printed
    assert "stages" not in printed
    assert asked["id"] == 1


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["tell", "71,3"], "71.3"),
        (["tell", "5%"], "5%"),
        (["tell", "nan"], "--failed"),
        (["tell"], "--failed"),
        (["tell", "1", "--failed"], "--failed"),
        (["tell", "1"], "bolt ask"),
        (["tell", "1", "--id", "4"], "4"),
        (["tell", "1", "--setting", "feed=x"], "'x'"),
        (["tell", "1", "--setting", "fed=1"], "feed"),
        (["tell", "1", "--setting", "feed"], "feed"),
        (["tell", "1", "--setting", "feed=1"], "stages"),
        (["tell", "1", "--setting", "catalyst=D"], "A, B"),
        (["tell", "1", *SETTING, "--at", "noon"], "noon"),
        (["tell", "1", *SETTING, "--at", "90"], "90"),
        (["tell", "1", *SETTING, "--at", "2026-05-03T12:00:02+00:00"], "future"),
        (["tell", "1", "--idd", "3"], "--idd"),
        (["skip"], "skip"),
        (["skip", "--id", "3"], "skip"),
        (["undo"], "take back"),
        (["best"], "3 are needed"),
        (["change", "feed"], "max_step"),
        (["change", "feed", "--high", "-1"], "low < high"),
        (["change", "fed", "--high", "1"], "feed"),
        (["change", "catalyst", "--high", "1"], "catalyst"),
        (["log"], "problem.toml"),
    ],
)
def test_bad_input_is_one_line_with_the_reason(bolt, problem, words, named):
    code, out, err = bolt(words[0], problem, *words[1:])

    assert code == 2
    assert out == ""
    assert named in err
    assert len(err.strip().splitlines()) == 1


def test_a_missing_file_and_the_state_instead_of_the_problem(bolt, told, problem):
    missing = bolt("ask", problem.with_name("other.toml"))
    state = bolt("ask", session.state_path(problem))

    assert missing[0] == state[0] == 2
    assert "bolt new" in missing[2]
    assert "problem.toml" in state[2]


def test_undo_and_skip(call, clock, bolt, problem):
    call("ask")
    call("tell", 1.0)
    call("ask")
    call("undo", plain=True)

    assert [ask["id"] for ask in call("status")["pending"]] == [1]
    call("ask")
    assert bolt("skip", problem)[0] == 2  # which one?
    call("skip", "--id", 1, plain=True)
    assert [ask["id"] for ask in call("status")["pending"]] == [2]


def test_best_and_status_after_the_warm_up(told):
    best, status = told("best"), told("status")

    assert set(best["setting"]) == {"feed", "stages", "catalyst"}
    assert best["sd"] > 0
    assert status["told"] == 5
    assert status["lengthscale_time_seconds"] > 0
    assert "l_T" in told("status", plain=True)
