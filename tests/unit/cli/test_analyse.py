"""`bolt analyse`: what is printed, as text and as JSON, and how bad input ends."""

import json

import pytest

from bolt_core.bench import iteration
from tests.support.simulated_logs import simulated_log


@pytest.fixture
def log_file(tmp_path, monkeypatch):
    monkeypatch.setattr(iteration, "thinking_time", lambda dimension: (0.01, 0.0, 0.0, 1e-9))
    log = simulated_log(0, n=80, l_T=600.0)
    rows = zip(log.times.tolist(), log.X.tolist(), log.y.tolist(), strict=True)
    lines = [
        "t (s),feed (l/min),heat,cost",
        *(f"{t:.3f},{a:.5f},{b:.5f},{y:.5f}" for t, (a, b), y in rows),
    ]
    path = tmp_path / "plant.csv"
    path.write_text("\n".join(lines))
    return path


def test_the_guess_the_verdict_and_the_advice_are_printed(bolt, log_file):
    code, out, err = bolt("analyse", log_file)
    assert (code, err) == (0, "")
    for word in ("plant.csv", "feed", "minimize", "Guessed", "Drift", "l_T", "n*", "/lab?"):
        assert word in out


def test_json_and_overrides(bolt, log_file):
    words = ("--knobs", "feed", "--outcome", "cost", "--maximize", "--cost", "2", "--json")
    code, out, _ = bolt("analyse", log_file, *words)
    found = json.loads(out)
    assert code == 0
    assert found["roles"]["knobs"] == ["feed (l/min)"]
    assert found["roles"]["maximize"] is True
    assert found["verdict"]["drift"] in ("yes", "no", "cannot tell")
    assert found["rows"] == 80
    assert set(found["problem"]["knobs"]) == {"feed"}


def test_an_optimizer_goes_on_from_the_log(bolt, log_file, tmp_path):
    problem = tmp_path / "plant.toml"
    code, out, err = bolt("analyse", log_file, "--start", problem, "--json")
    assert (code, err, json.loads(out)["told"]) == (0, "", 80)
    code, out, err = bolt("ask", problem, "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert set(answer["setting"]) == {"feed", "heat"}
    assert answer["random"] is False
    assert bolt("analyse", log_file, "--start", problem)[0] == 2  # it exists


@pytest.mark.parametrize(
    ("words", "phrase"),
    [
        (("--outcome", "yild"), "unknown column"),
        (("--kernel", "cubic"), "cubic"),
        (("--period", "0"), "period"),
        (("--cost", "-1"), "cost"),
        (("--knobs", ""), "knob"),
    ],
)
def test_bad_options_are_one_line(bolt, log_file, words, phrase):
    code, out, err = bolt("analyse", log_file, *words)
    assert (code, out) == (2, "")
    assert phrase in err
    assert err.count("\n") == 1


def test_a_bad_file_is_named_with_its_line(bolt, log_file):
    log_file.write_text("time,feed,yield\n")
    code, _, err = bolt("analyse", log_file)
    assert code == 2
    assert "plant.csv, line 1: " in err
    log_file.write_text("")
    code, _, err = bolt("analyse", log_file)
    assert code == 2
    assert "plant.csv: " in err
    assert bolt("analyse", log_file.with_name("none.csv"))[0] == 2
