"""`bolt new`: questions, examples and VOCS files."""

import json

import pytest

from bolt_core.common.knobs import Choice, Integer, Real
from bolt_core.online.problem_spec import ProblemSpec

ANSWERS = [
    *("", "feed", "minimise", "EUR/h"),  # name, outcome, direction, unit
    *("pump", "", "0", "8", "l/min", "2"),
    *("rate", "real", "1e-4", "0.1", "", "", "3"),
    *("stages", "int", "1", "6", "", ""),
    *("catalyst", "c", "A, B ,C"),
    "",
]


@pytest.fixture
def asked(bolt, tmp_path, monkeypatch):
    """asked(answers): exit code, output and the problem file of `bolt new`."""

    def run(answers, *options):
        given = iter(answers)

        def answer(prompt):
            print(prompt)  # noqa: T201
            try:
                return next(given)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        path = tmp_path / "kiln.toml"
        code, out, err = bolt("new", path, *options)
        return code, out + err, path

    return run


def test_the_answers_are_the_problem(asked):
    code, _, path = asked(ANSWERS)
    spec = ProblemSpec.from_toml(path)

    assert code == 0
    assert (spec.name, spec.outcome, spec.maximize, spec.unit) == ("kiln", "feed", False, "EUR/h")
    assert spec.knobs == {
        "pump": Real(0, 8, unit="l/min", max_step=2),
        "rate": Real(1e-4, 0.1, scale="log", max_step=3),
        "stages": Integer(1, 6),
        "catalyst": Choice("A", "B", "C"),
    }
    assert path.read_text().count("#") > 5


def test_either_end_of_a_range_that_is_not_valid_can_be_corrected(asked):
    _, out, path = asked([*ANSWERS[:6], "9", "8", "-1", *ANSWERS[7:]])

    assert "low < high" in out
    assert "[9]" in out
    assert ProblemSpec.from_toml(path).knobs["pump"] == Real(-1, 8, unit="l/min", max_step=2)


def test_a_scale_that_is_not_asked_for_and_a_step_that_limits_nothing_are_named(asked):
    _, out, path = asked([*ANSWERS[:9], "200", *ANSWERS[10:]])

    assert "log scale" in out
    assert "200 limits nothing" in out
    assert ProblemSpec.from_toml(path).knobs["pump"].max_step == 200


@pytest.mark.parametrize(
    ("position", "wrong", "reason"),
    [
        (1, "time", "column"),
        (2, "sideways", "sideways"),
        (4, "feed", "both a knob"),
        (4, "", "name of a knob"),
        (5, "complex", "complex"),
        (6, "low", "'low'"),
        (9, "-1", "above 0"),
        (10, "pump", "already"),
        (19, "1.5", "whole"),
        (25, "A", "2 to"),
    ],
)
def test_a_wrong_answer_is_asked_for_again_with_the_reason(asked, position, wrong, reason):
    code, out, path = asked([*ANSWERS[:position], wrong, *ANSWERS[position:]])

    assert code == 0
    assert reason in out
    assert len(ProblemSpec.from_toml(path).knobs) == 4


def test_answers_that_end_early_write_nothing(asked):
    code, out, path = asked(ANSWERS[:8])

    assert code == 2
    assert "--example" in out
    assert not path.exists()


def test_the_example_is_a_problem_and_is_not_overwritten(asked):
    code, out, path = asked([], "--example")
    again, why, _ = asked([], "--example")

    assert code == 0
    assert "bolt ask" in out
    assert len(ProblemSpec.from_toml(path).knobs) == 4
    assert again == 2
    assert "--force" in why
    assert asked([], "--example", "--force")[0] == 0


def test_a_vocs_file_is_the_problem(asked, tmp_path):
    vocs = tmp_path / "vocs.json"
    vocs.write_text(json.dumps({"variables": {"x": [0, 1]}, "objectives": {"f": "MINIMIZE"}}))
    code, _, path = asked([], "--from", vocs)
    spec = ProblemSpec.from_toml(path)

    assert code == 0
    assert (spec.name, spec.outcome, spec.maximize) == ("kiln", "f", False)
    assert asked([], "--from", tmp_path / "none.yaml", "--force")[0] == 2
    assert asked([], "--from", vocs, "--example", "--force")[0] == 2
