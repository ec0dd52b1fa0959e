"""`bolt status`, `bolt best` and `bolt log`: what is known, without changing anything."""

from __future__ import annotations

import json
import math
import sys
from datetime import UTC, datetime
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from bolt_core.cli.own_problem import session
from bolt_core.common.errors import ConfigError
from bolt_core.common.files import write_atomically
from bolt_core.common.setting_text import setting_line, setting_table, table
from bolt_core.common.text import duration, significant

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer

MAX_COLUMNS = 100  # of a paragraph


def status(problem: session.ProblemFile, as_json: session.AsJson = False) -> None:
    """Print what was told, what has no result yet, and which limit on the dataset holds.

    Example: bolt status problem.toml
    """
    opt = session.loaded(problem)
    spec, state = session.spec_of(opt), opt.status()
    if as_json:
        typer.echo(json.dumps(_status_json(opt)))
        return
    typer.echo(f"{spec.name}: {spec.direction} {spec.outcome}{spec.unit and f' ({spec.unit})'}")
    typer.echo(fill(str(state), min(get_terminal_size().columns, MAX_COLUMNS)))
    drift = opt.lengthscale_time
    rows = [
        ["D", f"{state.kept} of {state.told} observations are kept"],
        ["n*", "no limit" if state.n_star is None else str(state.n_star)],
        ["limit", state.limit or "none"],
        ["l_T", "not known yet" if drift is None else duration(drift)],
    ]
    typer.echo(table(rows))
    if not opt.pending:
        typer.echo("No ask is without a result.")
        return
    typer.echo("Without a result:")
    typer.echo(
        table(
            [
                [f"ask {ask.id}", _age(ask.at), setting_line(spec.knobs, ask.setting)]
                for ask in opt.pending
            ]
        )
    )


def best(problem: session.ProblemFile, as_json: session.AsJson = False) -> None:
    """Print the setting with the best expected outcome now, its mean and standard deviation.

    Example: bolt best problem.toml
    """
    opt = session.loaded(problem)
    spec, found = session.spec_of(opt), opt.best(session.now(opt))
    if as_json:
        shown = {"setting": found.setting, "mean": found.mean, "sd": found.sd}
        typer.echo(json.dumps({**shown, "at": _iso(found.at)}))
        return
    unit = f" {spec.unit}" if spec.unit else ""
    typer.echo(f"The best setting of {spec.name} now, as far as is known:")
    typer.echo(setting_table(spec.knobs, found.setting))
    typer.echo(
        f"Expected {spec.outcome}: {significant(found.mean)}{unit}, standard deviation "
        f"{significant(found.sd)}{unit}"
    )


def log(
    problem: session.ProblemFile,
    out: Annotated[Path | None, Option(help="A file to write; default: standard output.")] = None,
) -> None:
    """Print everything that was told, and what has no result yet, as CSV with times in UTC.

    Example: bolt log problem.toml --out told.csv
    """
    from bolt_core.online.optimizer import OnlineOptimizer

    state = session.state_path(problem)
    if not state.exists():
        session.read_problem(problem)
        raise ConfigError(f"nothing was asked for or told yet: there is no {state}")
    with session.shell_remedy(problem):
        frame = OnlineOptimizer.load(state).log()  # also if the problem file was edited
    frame["time"] = [_iso(t) for t in frame["time"]]
    text = frame.to_csv(index=False, lineterminator="\n")
    if out is None:
        sys.stdout.write(text)
        return
    write_atomically(out, text.encode())
    typer.echo(f"Wrote {len(frame)} rows to {out}.")


def _status_json(opt: OnlineOptimizer) -> dict[str, Any]:
    spec, state = session.spec_of(opt), opt.status()
    fresh = state.fresh_for
    return {
        "name": spec.name,
        "algorithm": state.algorithm,
        "told": state.told,
        "kept": state.kept,
        "warmup": state.warmup,
        "n_star": state.n_star,
        "limit": state.limit,
        "lengthscale_time_seconds": opt.lengthscale_time,
        "fresh_for_seconds": None if fresh is None or math.isinf(fresh) else fresh,
        "think_within_seconds": state.think_within,
        "pending": [
            {"id": ask.id, "setting": ask.setting, "at": _iso(ask.at)} for ask in opt.pending
        ],
    }


def _iso(at: float | datetime) -> str:
    return at.astimezone(UTC).isoformat() if isinstance(at, datetime) else f"{at:.3f}"


def _age(at: float | datetime) -> str:
    if not isinstance(at, datetime):
        return f"{at:g} s"
    seconds = (session.utc_now() - at).total_seconds()
    return f"{at.astimezone():%H:%M:%S}, {duration(max(seconds, 0.0))} ago"
