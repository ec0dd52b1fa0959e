"""Commands and checks of other packages, found through entry points."""

import json

import pytest
import typer

from bolt_core.cli import _plugin_commands
from bolt_core.common import entry_point_groups
from bolt_core.common.entry_point_groups import CHECKS, COMMANDS, Group


def hello(name: str = "you") -> None:
    typer.echo(f"hello {name}")


@pytest.fixture
def groups(monkeypatch):
    """groups(group=objects, ...): what entry points give."""

    def give(**objects):
        by_name = {COMMANDS: objects.get("commands", {}), CHECKS: objects.get("checks", {})}
        monkeypatch.setattr(entry_point_groups, "load", lambda group: Group(by_name[group], ()))

    monkeypatch.setattr(_plugin_commands, "left_out", [])
    return give


def names(app):
    return set(typer.main.get_command(app).commands)


def new_app():
    app = typer.Typer()
    app.command("list")(lambda: None)
    app.add_typer(typer.Typer(), name="bench")
    return app


def test_a_command_is_added(groups):
    groups(commands={"hello": hello})
    app = new_app()
    _plugin_commands.add_to(app)

    assert names(app) >= {"list", "hello"}
    assert _plugin_commands.left_out == []


@pytest.mark.parametrize(
    ("name", "function"), [("list", hello), ("bench", hello), ("x", "no function")]
)
def test_one_that_cannot_be_used_is_left_out_and_named(groups, name, function):
    groups(commands={name: function, "hello": hello})
    app = new_app()
    _plugin_commands.add_to(app)

    assert "hello" in names(app)
    (problem,) = _plugin_commands.left_out
    assert name in str(problem)


def test_what_cannot_be_imported_is_left_out(monkeypatch):
    class Broken:
        name, value = "broken", "no_such_module:command"

        def load(self):
            raise ModuleNotFoundError("no_such_module")

    monkeypatch.setattr(entry_point_groups, "entry_points", lambda group: [Broken()])
    objects, problems = entry_point_groups.load.__wrapped__(COMMANDS)

    assert not objects
    assert "no_such_module" in str(problems[0])


def test_doctor_shows_the_checks_of_others_and_those_that_fail(bolt, groups):
    def fails():
        raise ZeroDivisionError("no answer")

    groups(checks={"one": lambda: {"gauge": "full"}, "two": fails})
    shown = json.loads(bolt("doctor", "--json")[1])

    assert shown["gauge"] == "full"
    assert "no answer" in shown["two"]


def test_doctor_says_whether_the_dashboard_can_start(bolt):
    assert "bolt ui" in json.loads(bolt("doctor", "--json")[1])["dashboard"]


def test_the_shell_is_offered_a_completion_of_commands(bolt, monkeypatch):
    monkeypatch.setenv("_BOLT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "bolt camp")
    monkeypatch.setenv("COMP_CWORD", "1")

    assert bolt()[1].split() == ["campaign"]
