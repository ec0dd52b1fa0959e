"""Errors of the commands on a problem file give the remedy of a shell."""

import pytest

from bolt_core.cli.own_problem import session
from bolt_core.common import files
from bolt_core.online.optimizer import Bolt
from tests.support.shell_problem import PROBLEM, SETTING, rows

COMMANDS = ["ask", "status", "log"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("content", ["", "no record\n", '{"kind": "header"}\n'])
def test_a_damaged_state_is_to_be_moved_away(bolt, problem, command, content):
    session.state_path(problem).write_text(content)
    code, _, err = bolt(command, problem)

    assert code == 2
    assert "move" in err
    assert f"bolt ask {problem}" in err
    assert "bolt run" not in err
    assert "tell_all" not in err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_in_place_of_the_state_is_named(bolt, problem, command):
    session.state_path(problem).mkdir()
    code, _, err = bolt(command, problem)

    assert code == 2
    assert "is a folder" in err
    assert "tell_all" not in err


def test_a_state_in_use_is_not_called_damaged(told, bolt, problem, monkeypatch):
    monkeypatch.setattr(session, "WAIT_SECONDS", 0.05)
    state = session.state_path(problem)
    with files.locked(state.with_name(f".{state.name}.lock")):
        _, _, err = bolt("ask", problem)

    assert "another process" in err
    assert "tell_all" not in err
    assert "move" not in err


def test_dropped_and_failed_asks_are_named(call, bolt, problem):
    call("ask")
    call("ask")
    call("skip", "--id", 2, plain=True)
    call("tell", "--failed", "--id", 1)
    dropped, failed = bolt("tell", problem, 3, "--id", 2)[2], bolt("tell", problem, 3, "--id", 1)[2]

    assert "ask 2" in dropped
    assert "dropped" in dropped
    assert "failed" in failed
    assert "nan" not in failed


def test_a_value_outside_is_pointed_out_only_if_it_is_stored(call, bolt, problem):
    setting = [word.replace("feed=3.2", "feed=9") for word in SETTING]
    refused = bolt("tell", problem, 1, *setting, "--id", 7)
    told = bolt("tell", problem, 1, *setting)

    assert (refused[0], told[0]) == (2, 0)
    assert "outside" not in refused[2]
    assert "feed = 9" in told[2]
    assert len(rows(call)) == 1


@pytest.mark.parametrize(
    ("old", "new", "named", "absent"),
    [
        ('unit = "%"', "unit = 3", "unit", "maximize"),
        ('type = "choice"\n', "low = 1\n", "values and low", "unknown"),
        ('["A", "B"]', '[1, "1", true]', "1 = True", "twice"),
        ('"yield"', f'"{"y" * 5000}"', "100 characters", "y" * 100),
    ],
)
def test_a_wrong_line_of_the_problem_is_named(bolt, problem, old, new, named, absent):
    assert old in PROBLEM
    problem.write_text(PROBLEM.replace(old, new))
    code, _, err = bolt("ask", problem)

    assert code == 2
    assert named in err
    assert absent not in err


def test_a_file_that_cannot_be_written_is_named_as_it_was_given(told, bolt, problem):
    folder = problem.with_name("folder")
    folder.mkdir()
    code, _, err = bolt("log", problem, "--out", folder)

    assert code != 0
    assert str(folder) in err
    assert ".part" not in err


def test_what_is_dropped_of_a_state_that_was_cut_is_counted(told, bolt, problem):
    state = session.state_path(problem)
    whole = state.read_bytes()
    state.write_bytes(whole + b'{"kind": "iteration", "i"')
    _, _, first = bolt("ask", problem)
    _, _, second = bolt("ask", problem)

    assert "25 bytes" in first
    assert second == ""
    assert state.read_bytes().startswith(whole)


def test_the_end_of_a_saved_file_is_not_taken_for_a_cut(tmp_path):
    opt = Bolt([(0.0, 1.0)])
    opt.tell(opt.ask(1.0), 2.0, 3.0)
    opt.save(tmp_path / "saved.jsonl")

    assert Bolt.open(tmp_path / "saved.jsonl").dropped_bytes == 0
