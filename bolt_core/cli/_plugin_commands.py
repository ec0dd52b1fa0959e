"""Commands of other packages, among them `bolt ui`: the entry-point group `bolt.commands`."""

from collections.abc import Callable
from typing import Any

import typer

from bolt_core.common import entry_point_groups
from bolt_core.common.errors import PluginError
from bolt_core.common.registry import PluginProblem, reason

left_out: list[PluginProblem] = []  # by the last call of `add_to`, for `bolt doctor`


def add_to(app: typer.Typer) -> None:
    """Add the commands to the command line, except those that cannot be used."""
    group = entry_point_groups.load(entry_point_groups.COMMANDS)
    left_out[:] = group.problems
    for name, function in group.objects.items():
        try:
            _check(name, function, _names(app))
        except Exception as problem:  # noqa: BLE001 - code of others
            left_out.append(PluginProblem(f"the command {name}", reason(problem)))
        else:
            app.command(name)(function)


def _check(name: str, function: Callable[..., Any], taken: set[str]) -> None:
    """Raise an exception unless the command can be used: a bad one would break every command."""
    if name in taken:
        raise PluginError(f"there is a command {name} already; choose another name")
    alone = typer.Typer()
    alone.command(name)(function)
    typer.main.get_command(alone)


def _names(app: typer.Typer) -> set[str]:
    commands = {c.name or getattr(c.callback, "__name__", "") for c in app.registered_commands}
    return commands | {group.name for group in app.registered_groups if group.name}
