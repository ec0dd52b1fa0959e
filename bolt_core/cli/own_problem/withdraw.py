"""`bolt undo` and `bolt skip`: take back a tell, drop an ask."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Option

from bolt_core.cli.own_problem import session
from bolt_core.common.text import counted, listed
from bolt_core.online.answered import ask_to_skip


def undo(problem: session.ProblemFile) -> None:
    """Take back the last tell; the ask that it answered is without a result again.

    Up to 20 tells can be taken back, one after another, but none from before a change of ranges.

    Example: bolt undo problem.toml
    """
    with session.opened(problem) as opt:
        before = [ask.id for ask in opt.pending]
        opt.undo()
        after = [ask.id for ask in opt.pending]
        told = opt.status().told
    typer.echo(f"Took back the last tell. {counted(told, 'observation')} told.")
    if again := [str(number) for number in after if number not in before]:
        typer.echo(f"Without a result again: ask {listed(again)}.")
    if gone := [str(number) for number in before if number not in after]:
        typer.echo(f"Dropped, because it was asked for after that tell: ask {listed(gone)}.")


def skip(
    problem: session.ProblemFile,
    id: Annotated[  # noqa: A002
        int | None, Option(help="The ask to drop; needed if several are without a result.")
    ] = None,
) -> None:
    """Drop an ask that will have no result, such as a setting that cannot be used now.

    Example: bolt skip problem.toml; then `bolt ask problem.toml` prints another setting.
    """
    with session.opened(problem) as opt:
        dropped = ask_to_skip(opt, id, "--id")
        opt.withdraw(dropped)
        typer.echo(f"Dropped ask {dropped}.")
