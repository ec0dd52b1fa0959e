"""A problem file that changes while it is used, the computer's clock, and several shells."""

import json
import resource
import subprocess
import sys

import pytest

from bolt_core.cli.own_problem import session
from bolt_core.common import files
from bolt_core.online.optimizer import Bolt, OnlineOptimizer
from tests.support.project import ROOT
from tests.support.shell_problem import PROBLEM, SETTING, rows


def test_a_change_is_made_in_the_file_and_in_the_state(told, problem):
    before = rows(told)
    told("change", "feed", "--high", 6, "--max-step", 0.5, plain=True)

    text = problem.read_text()
    assert "6.0        # its limit" in text
    assert "]      # of the pump" in text
    assert rows(told)[0]["stages"] == before[0]["stages"]
    last = float(before[-1]["feed"])
    assert abs(told("ask")["setting"]["feed"] - min(last, 6.0)) <= 0.5 + 1e-9 or last > 6.5
    told("change", "feed", "--max-step", "none", plain=True)
    assert "max_step" not in problem.read_text()


def test_the_shell_says_which_setting_explores(told, clock, problem):
    explorations = 0  # how many were seen: the first as a text, the second as JSON
    for k in range(60):
        clock(20 * (5 + k))  # the asks come ever later, so that n* falls
        as_json = explorations > 0
        answer = told("ask", plain=not as_json)
        explores = session.loaded(problem).pending[-1].explores
        assert (answer["explores"] if as_json else "explores" in answer) == explores
        explorations += explores
        if explorations == 2:
            break
        told("tell", 50.0 + k % 3)

    assert explorations == 2


def test_an_edited_range_is_applied_and_said(told, bolt, problem):
    problem.write_text(PROBLEM.replace("high = 8.0", "high = 2.0").replace('"%"', '"kg"'))
    code, out, err = bolt("ask", problem, "--json")

    assert code == 0
    assert "feed: high 8" in err
    assert json.loads(out)["setting"]["feed"] <= 2.0
    assert bolt("ask", problem)[2] == ""


def test_asks_outside_of_a_narrowed_range_are_pointed_out(told, bolt, problem):
    feed = told("ask")["setting"]["feed"]
    wide = bolt("change", problem, "feed", "--high", 9)[2]
    ends = ["--low", feed + 0.5] if feed < 4 else ["--high", feed - 0.5]
    narrow = bolt("change", problem, "feed", *ends)[2]

    assert "ask 6" not in wide
    assert "ask 6" in narrow
    assert "outside" in narrow


@pytest.mark.parametrize("command", ["status", "best"])
def test_looking_names_an_edit_and_stores_nothing(told, bolt, problem, command):
    problem.write_text(PROBLEM.replace("high = 8.0", "high = 2.0"))
    state = session.state_path(problem).read_bytes()
    code, _, err = bolt(command, problem)

    assert code == 0
    assert "feed: high 8" in err
    assert session.state_path(problem).read_bytes() == state


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("[knobs.stages]", "[knobs.steps]", "'steps' added"),
        ('type = "integer"\n', "", "type of knob 'stages'"),
        ('["A", "B"]', '["A", "C"]', "values of knob 'catalyst'"),
        ("maximize", "minimize", "direction"),
        ("warmup = 3", "warmup = 4", "warmup"),
        ("warmup = 3\n", "seed = 1\n[knobs.other]\nlow = 0\nhigh = 1\n", "'other' added"),
    ],
)
def test_another_problem_is_refused_with_the_remedy(told, bolt, problem, old, new, named):
    problem.write_text(PROBLEM.replace(old, new))
    state = session.state_path(problem).read_bytes()
    code, _, err = bolt("ask", problem)

    assert code == 2
    assert named in err
    assert "bolt log" in err
    assert session.state_path(problem).read_bytes() == state
    assert len(rows(told)) == 5


def test_knobs_in_another_order_are_the_same_problem(told, bolt, problem):
    feed = PROBLEM[PROBLEM.index("[knobs.feed]") : PROBLEM.index("[knobs.stages]")]
    problem.write_text(PROBLEM.replace(feed, "") + feed)

    assert bolt("ask", problem)[0] == 0
    assert [row["catalyst"] in "AB" for row in rows(told)] == [True] * 6


def test_a_clock_that_was_set_back_is_said_and_nothing_is_refused(told, bolt, problem, clock):
    clock(-3600)
    code, out, err = bolt("ask", problem, "--json")

    assert code == 0
    assert "clock" in err
    assert json.loads(out)["at"] >= rows(told)[-2]["time"]


def test_another_process_that_holds_the_state_is_named(told, bolt, problem, monkeypatch):
    monkeypatch.setattr(session, "WAIT_SECONDS", 0.05)
    state = session.state_path(problem)
    lock = state.with_name(f".{state.name}.lock")
    with files.locked(lock):
        lock.write_text("process 4711 (since 12:00:00 UTC)")
        code, _, err = bolt("tell", problem, 3, *SETTING)
        assert bolt("status", problem)[0] == 0  # looking is always possible

    assert code == 2
    assert "process 4711" in err


def test_a_full_disk_is_said_and_the_state_is_as_before(told, bolt, problem):
    before = session.state_path(problem).read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, limits[1]))
    try:
        code, _, err = bolt("tell", problem, 3, *SETTING)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert code == 2
    assert "free some space" in err
    assert len(rows(told)) == 5
    assert told("tell", 3, *SETTING)["told"] == 6


def test_python_continues_the_state_of_a_shell(told, problem, clock):
    opt = Bolt.open(session.state_path(problem))
    opt.tell(opt.ask(session.utc_now()), session.utc_now(), 70.0)
    opt.close()

    assert rows(told)[-1]["yield"] == "70.0"


@pytest.mark.long
def test_shells_at_the_same_time_lose_nothing(problem):
    """Two processes begin with the same new state."""
    command = [sys.executable, "-m", "bolt_core", "tell", str(problem), "5", *SETTING]
    shells = [subprocess.Popen(command, cwd=ROOT) for _ in range(2)]

    assert [shell.wait() for shell in shells] == [0, 0]
    assert len(OnlineOptimizer.load(session.state_path(problem)).log()) == 2


def test_a_command_loads_nothing_of_the_others(problem):
    probe = (
        "import sys\nfrom bolt_core.cli import main\n"
        f"try: main(['ask', {str(problem)!r}])\n"
        "except SystemExit: pass\n"
        "print(sorted({'torch', 'streamlit', 'pandas', 'dask', 'plotly', 'rich'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines()[-1] == "[]"


def test_a_row_is_corrected(told, bolt, problem):
    told("correct", 1, "-2.5", plain=True)
    told("correct", 0, "--failed", plain=True)
    assert [row["yield"] for row in rows(told)][:2] == ["", "-2.5"]
    code, _, err = bolt("tell", problem, 7, "--id", 2)
    assert code == 2
    assert "row 1" in err
    assert bolt("correct", problem, 1)[0] == bolt("correct", problem, 99, 1)[0] == 2
