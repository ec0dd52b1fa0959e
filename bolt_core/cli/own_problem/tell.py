"""`bolt tell`: the result of a setting."""

from __future__ import annotations

import json
import math
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from bolt_core.cli.own_problem import session
from bolt_core.cli.own_problem.ask import next_setting
from bolt_core.common.errors import ConfigError
from bolt_core.common.knobs import Choice
from bolt_core.common.setting_text import moment, number, range_text, setting_line, typed_setting
from bolt_core.common.text import counted
from bolt_core.online.answered import NothingPendingError, answered
from bolt_core.online.wall_clock import measured_at

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


def tell(
    problem: session.ProblemFile,
    value: Annotated[str | None, Argument(help="What was measured.", show_default=False)] = None,
    id: Annotated[  # noqa: A002
        int | None, Option(help="The ask that it answers; default: the oldest without a result.")
    ] = None,
    failed: Annotated[bool, Option("--failed", help="The measurement failed.")] = False,
    at: Annotated[
        str | None,
        Option(help="When it was measured: 14:05, an ISO time or epoch seconds; default: now."),
    ] = None,
    setting: Annotated[
        list[str] | None,
        Option(help="What was really set, name=value, once per knob; with --id, what differed."),
    ] = None,
    key: Annotated[
        str | None, Option(help="A text of your own: a second tell with it is ignored.")
    ] = None,
    ask: Annotated[
        bool, Option("--ask", help="Print the next setting at once, as `bolt ask` does.")
    ] = False,
    plain: session.Plain = False,
    as_json: session.AsJson = False,
) -> None:
    """Tell what was measured at the setting that was asked for.

    Without --id it answers the oldest ask without a result. With --setting for every knob it tells
    a setting that was not asked for.

    For example:

    bolt tell problem.toml 71.3

    bolt tell problem.toml --failed --id 7

    bolt tell problem.toml 64 --id 8 --setting feed=3.2 --at 14:05
    """
    if (value is None) != failed:
        raise ConfigError("give either the value that was measured or --failed")
    if id is not None and key is not None:
        raise ConfigError("give --id or --key, not both: each recognises a repeated tell")
    y = math.nan if value is None else number("the value", value, "a failed one is --failed")
    with session.opened(problem) as opt:
        time = _time(opt, at)
        told = opt.status().told
        x, answers = _answered(opt, setting or [], id, key)
        opt.tell(x, time, y, id=key if key is not None else id)
        is_new = opt.status().told > told
        _note_outside(opt, setting or [])
        if not (ask and (as_json or plain)):  # one result for a script: the next setting
            number_told = answers if is_new or id is not None else None
            _print(opt, y, x, number_told, setting or [], is_new=is_new, as_json=as_json)
        if ask:
            next_setting(opt, problem, plain=plain, as_json=as_json)


def _time(opt: OnlineOptimizer, text: str | None) -> datetime:
    """Return when it was measured."""
    if text is None:
        return session.now(opt)
    return measured_at(moment(text), session.utc_now(), f"--at {text}")


def _answered(
    opt: OnlineOptimizer,
    pairs: list[str],
    id: int | None,  # noqa: A002
    key: str | None,
) -> tuple[dict[str, Any] | None, int | None]:
    """Return the setting that was measured, None for that of `id`, and the ask that it answers."""
    typed = typed_setting(session.spec_of(opt).knobs, pairs)
    try:
        return answered(opt, typed, id, key)
    except NothingPendingError:
        raise ConfigError(
            "no ask is without a result; use `bolt ask` first, --id for a number, or --setting "
            "for a setting that was not asked for"
        ) from None


def _note_outside(opt: OnlineOptimizer, pairs: list[str]) -> None:
    """Point out values outside their range, which were told and may be typing errors."""
    knobs = session.spec_of(opt).knobs
    for name, set_to in typed_setting(knobs, pairs).items():
        knob = knobs[name]
        if not isinstance(knob, Choice) and not knob.low <= float(set_to) <= knob.high:
            session.note(f"{name} = {set_to:g} is outside of {range_text(knob)}; is it right?")


def _print(
    opt: OnlineOptimizer,
    y: float,
    x: dict[str, Any] | None,
    answers: int | None,
    set_otherwise: list[str],
    *,
    is_new: bool,
    as_json: bool,
) -> None:
    spec, status = session.spec_of(opt), opt.status()
    if as_json:
        shown = {"id": answers, "stored": is_new, "told": status.told, "kept": status.kept}
        typer.echo(json.dumps({**shown, "pending": [ask.id for ask in opt.pending]}))
        return
    if not is_new:
        typer.echo("This was told before; nothing has changed.")
        return
    unit = f" {spec.unit}" if spec.unit else ""
    what = "a failed measurement" if math.isnan(y) else f"{spec.outcome} = {y:g}{unit}"
    of = setting_line(spec.knobs, x or {}) if answers is None else f"ask {answers}"
    if answers is not None and set_otherwise:
        changed = {name: spec.knobs[name] for name in typed_setting(spec.knobs, set_otherwise)}
        of = f"{of} with {setting_line(changed, x or {})}"
    typer.echo(f"Told {what} of {of}. {counted(status.told, 'observation')} told.")
