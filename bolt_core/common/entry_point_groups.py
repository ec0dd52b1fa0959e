"""What other packages add through an entry-point group, and what of it cannot be used."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, NamedTuple

from bolt_core.common.registry import IMPORT_LIMIT_SECONDS, PluginProblem, reason
from bolt_core.common.time_limit import call_within

COMMANDS = "bolt.commands"  # of the command line: functions with the options of a Typer command
CHECKS = "bolt.checks"  # of `bolt doctor`: functions that return lines of text by name


class Group(NamedTuple):
    """The objects of a group by the name of their entry point, and what was left out."""

    objects: Mapping[str, Any]
    problems: tuple[PluginProblem, ...]


@cache
def load(group: str) -> Group:
    """Import the entry points of a group; one that cannot be imported is left out."""
    objects: dict[str, Any] = {}
    problems = []
    for entry in entry_points(group=group):
        try:
            objects[entry.name] = call_within(IMPORT_LIMIT_SECONDS, entry.load)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - code of others
            origin = f"the entry point {entry.name} = {entry.value}"
            problems.append(PluginProblem(origin, reason(problem)))
    return Group(MappingProxyType(objects), tuple(problems))
