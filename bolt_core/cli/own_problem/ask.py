"""`bolt ask`: the next setting of a problem file."""

from __future__ import annotations

import json
import math
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bolt_core.cli.own_problem import session
from bolt_core.cli.own_problem.setting_text import setting_table
from bolt_core.common.text import duration, listed

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


def ask(problem: session.ProblemFile, as_json: session.AsJson = False) -> None:
    """Print the next setting to try, its number, and how long it is worth using.

    Several settings may be asked for before their results are told; `bolt status` lists them.

    Example: `bolt ask problem.toml`, then set the plant, measure, and `bolt tell problem.toml 71.3`
    """
    with session.opened(problem) as opt:
        next_setting(opt, problem, as_json=as_json)


def next_setting(opt: OnlineOptimizer, problem: Path, *, as_json: bool) -> None:
    """Ask for a setting and print it."""
    last, others = opt.last_setting, [ask.id for ask in opt.pending]
    setting = opt.ask(session.now(opt))
    if as_json:
        typer.echo(json.dumps(_as_json(opt, setting, last, others)))
        return
    spec, status = session.spec_of(opt), opt.status()
    typer.echo(f"Ask {opt.last_id} of {spec.name}, {_clock_time(opt.at)}:")
    typer.echo(setting_table(spec.knobs, setting, last))
    if status.told < status.warmup:
        typer.echo(f"Random setting, {status.told + 1} of {status.warmup} before it learns.")
    typer.echo(_freshness(opt.fresh_for))
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
        "random": opt.status().told < opt.status().warmup,
        "other_pending": others,
    }


def _clock_time(at: float | datetime) -> str:
    """Return a time as the computer shows it."""
    return f"{at.astimezone():%H:%M:%S}" if isinstance(at, datetime) else f"{at:g} s"


def _freshness(seconds: float | None) -> str:
    if seconds is None:
        return "How long it is worth using is not known yet."
    return "It does not age." if math.isinf(seconds) else f"Worth using for {duration(seconds)}."
