"""`bolt show` of a problem of the user's own."""

import pytest
from typer.testing import CliRunner

from bolt_core.cli import app
from bolt_core.online.optimizer import Bolt
from bolt_core.runs.own_problem import OWN_CLOCK


@pytest.fixture
def shown(tmp_path):
    opt = Bolt(bounds=[(700.0, 1100.0), (0.0, 2.0)], minimize=True, warmup=3, name="kiln")
    for k in range(6):
        opt.tell(opt.ask(2.0 * k), 2.0 * k, 50.0 + k)
    opt.save(tmp_path / "kiln.jsonl")
    result = CliRunner().invoke(app, ["show", str(tmp_path / "kiln.jsonl")], env={"COLUMNS": "200"})
    return result.output, opt.to_frame().iloc[-1]


def test_it_prints_the_units_and_the_sign_of_the_user(shown):
    text, last = shown

    assert f"{last.x_1:.1f} {last.x_2:.3f}" in text
    assert " 55 " in text
    assert "-55" not in text


def test_a_duration_that_is_not_known_is_a_dash_and_regret_has_no_column(shown):
    rows = [line.split("\u2502")[1:-1] for line in shown[0].splitlines() if "\u2502" in line]
    response_times = [row[-2].strip() for row in rows]

    assert response_times[-2:] == ["2", "-"]
    assert "best f" not in shown[0]


def test_its_clock_is_that_of_the_dashboard(shown):
    assert OWN_CLOCK.lower() in shown[0]
