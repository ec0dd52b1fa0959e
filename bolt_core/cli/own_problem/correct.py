"""`bolt correct`: another value of an earlier measurement."""

from __future__ import annotations

import math
from typing import Annotated

import typer
from typer import Argument, Option

from bolt_core.cli.own_problem import session
from bolt_core.common.errors import ConfigError
from bolt_core.common.setting_text import number


def correct(
    problem: session.ProblemFile,
    row: Annotated[int, Argument(help="Its row of `bolt log`; the first is 0.")],
    value: Annotated[
        str | None, Argument(help="The right value.", show_default=False, metavar="VALUE")
    ] = None,
    failed: Annotated[bool, Option("--failed", help="The measurement failed.")] = False,
) -> None:
    """Correct the value of an earlier measurement; settings chosen meanwhile stay.

    Example: bolt correct problem.toml 4 71.3
    """
    if (value is None) != failed:
        raise ConfigError("give either the right value or --failed")
    y = math.nan if value is None else number("the value", value, "a failed one is --failed")
    with session.opened(problem) as opt:
        opt.correct(row, y)
    typer.echo(f"Row {row} is {'a failed measurement' if failed else f'{y:g}'} now.")
