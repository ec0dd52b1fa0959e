"""`bolt ask`: the next setting of a problem file."""

from __future__ import annotations

import json
import math
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bolt_core.cli.own_problem import session
from bolt_core.common.setting_text import setting_table, shown_choice
from bolt_core.common.text import counted, duration, listed

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


def ask(
    problem: session.ProblemFile, plain: session.Plain = False, as_json: session.AsJson = False
) -> None:
    """Print the next setting to try, its number, and how long it is worth using.

    Several settings may be asked for before their results are told; `bolt status` lists them.

    Example: bolt ask problem.toml; then set the plant, measure, and use `bolt tell`.
    """
    with session.opened(problem) as opt:
        next_setting(opt, problem, plain=plain, as_json=as_json)


def next_setting(
    opt: OnlineOptimizer, problem: Path, *, plain: bool = False, as_json: bool = False
) -> None:
    """Ask for a setting and print it."""
    last, others = opt.last_setting, [ask.id for ask in opt.pending]
    setting = opt.ask(session.now(opt))
    if as_json:
        typer.echo(json.dumps(_as_json(opt, setting, last, others)))
        return
    spec = session.spec_of(opt)
    if plain:
        for name in spec.knobs:
            typer.echo(f"{name}={shown_choice(setting[name])}")
        return
    typer.echo(f"Ask {opt.last_id} of {spec.name}, {_clock_time(opt.at)}:")
    typer.echo(setting_table(spec.knobs, setting, last))
    if _explores(opt):
        typer.echo("It explores: a random setting among those that may still be the best.")
    typer.echo(_worth(opt))
    if others:
        numbers = listed([str(number) for number in others])
        typer.echo(f"Without a result: {numbers} as well. `tell` answers {others[0]} first.")
    unit = f" in {spec.unit}" if spec.unit else ""
    option = f" --id {opt.last_id}" if others else ""
    typer.echo(f"Then: bolt tell {problem} VALUE{option}   ({spec.outcome}{unit})")


def _as_json(
    opt: OnlineOptimizer, setting: dict[str, Any], last: dict[str, Any] | None, others: list[int]
) -> dict[str, Any]:
    fresh = opt.fresh_for
    at = opt.at
    return {
        "id": opt.last_id,
        "setting": setting,
        "last_setting": last,
        "at": at.isoformat() if isinstance(at, datetime) else at,
        "fresh_for_seconds": None if fresh is None or math.isinf(fresh) else fresh,
        "random": opt.status().warmup_left > 0,
        "explores": _explores(opt),
        "other_pending": others,
    }


def _clock_time(at: float | datetime) -> str:
    """Return a time as the computer shows it."""
    return f"{at.astimezone():%H:%M:%S}" if isinstance(at, datetime) else f"{at:g} s"


def _explores(opt: OnlineOptimizer) -> bool:
    return any(ask.explores for ask in opt.pending if ask.id == opt.last_id)


def _worth(opt: OnlineOptimizer) -> str:
    """Return how long a suggestion is worth using, in words."""
    status, seconds = opt.status(), opt.fresh_for
    if status.warmup_left:
        left = counted(status.warmup_left, "more observation")
        return f"A random setting; settings are chosen after {left}."
    if seconds is None:
        return "How long it is worth using is not known."
    return "It does not age." if math.isinf(seconds) else f"Worth using for {duration(seconds)}."
