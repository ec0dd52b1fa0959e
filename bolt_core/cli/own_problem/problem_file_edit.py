"""Change values of a knob in the text of a problem file, and leave comments and order alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bolt_core.common.errors import BoltError
from bolt_core.online.problem_toml import scalar

if TYPE_CHECKING:
    from bolt_core.online.problem_spec import ProblemSpec

ASSIGNMENT = r"""(\s*{key}\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^#\s]+)(.*)"""


def with_knob(text: str, name: str, values: Mapping[str, Any], expected: ProblemSpec) -> str | None:
    """Return the text with other values of a knob; a value None removes its line.

    None if the text does not give the `expected` problem then, such as with inline tables.
    """
    from bolt_core.online.problem_spec import ProblemSpec

    lines = text.splitlines()
    block = _block(lines, name)
    if block is None:
        return None
    begin, end = block
    inside = lines[begin + 1 : end]
    for key, value in values.items():
        inside = _with_value(inside, key, value)
    edited = "\n".join([*lines[: begin + 1], *inside, *lines[end:]]) + "\n"
    with suppress(tomllib.TOMLDecodeError, BoltError):
        if ProblemSpec.from_json(tomllib.loads(edited)) == expected:
            return edited
    return None


def _block(lines: list[str], name: str) -> tuple[int, int] | None:
    """Return the line of the heading [knobs.NAME] and the line after its table."""
    headings = [k for k, line in enumerate(lines) if line.lstrip().startswith("[")]
    for k, following in zip(headings, [*headings[1:], len(lines)], strict=True):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(lines[k]) == {"knobs": {name: {}}}:
                return k, following
    return None


def _with_value(lines: list[str], key: str, value: object) -> list[str]:
    """Return the lines of a table with another value of a key."""
    pattern = re.compile(ASSIGNMENT.format(key=re.escape(key)))
    for k, line in enumerate(lines):
        if match := pattern.fullmatch(line):
            new = [] if value is None else [f"{match[1]}{scalar(value)}{match[3]}"]
            return [*lines[:k], *new, *lines[k + 1 :]]
    if value is None:
        return lines
    used = [k for k, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    place = used[-1] + 1 if used else 0
    return [*lines[:place], f"{key} = {scalar(value)}", *lines[place:]]
