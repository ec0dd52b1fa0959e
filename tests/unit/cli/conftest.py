"""A problem file, a clock that the test sets, and five results."""

import json
from datetime import timedelta

import pytest

from bolt_core.cli.own_problem import session
from tests.support.shell_problem import BEGAN, PROBLEM


@pytest.fixture
def clock(monkeypatch):
    """clock(seconds): the computer's clock goes on by so much."""
    times = [BEGAN]
    monkeypatch.setattr(session, "utc_now", lambda: times[0])

    def advance(seconds):
        times[0] += timedelta(seconds=seconds)

    return advance


@pytest.fixture
def problem(tmp_path, clock):
    path = tmp_path / "problem.toml"
    path.write_text(PROBLEM)
    return path


@pytest.fixture
def call(bolt, problem):
    """call("ask"): JSON of a command on the problem, or its lines without --json."""

    def command(name, *arguments, plain=False):
        code, out, err = bolt(name, problem, *arguments, *([] if plain else ["--json"]))
        assert code == 0, err
        return out if plain else json.loads(out)

    return command


@pytest.fixture
def told(call, clock):
    """Five settings, asked for every minute and told 20 s later."""
    for k in range(5):
        asked = call("ask")
        clock(20)
        call("tell", 50 + k + asked["setting"]["feed"])
        clock(40)
    return call
