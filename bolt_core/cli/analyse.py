"""`bolt analyse`: does a log drift, how fast, and what follows from it."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from bolt_core.cli.own_problem.session import AsJson
from bolt_core.cli.own_problem.start_from_log import check_new, start_from_log
from bolt_core.common.errors import DataError
from bolt_core.common.knobs import Choice, Knob
from bolt_core.common.options import split_words
from bolt_core.common.setting_text import range_text, table
from bolt_core.common.text import counted, in_natural_unit

if TYPE_CHECKING:
    from bolt_core.benchmarks.twin import TwinDefinition
    from bolt_core.logs.advice import Advice
    from bolt_core.logs.log import Log
    from bolt_core.logs.verdict import Verdict

MAX_COLUMNS = 100  # of a paragraph
RACERS = "bolt,w-dbo,r-gpucb,gpucb,random"  # in the command that is printed for a twin


def analyse(
    file: Annotated[
        Path,
        typer.Argument(help="A CSV file with times, knobs and one outcome.", show_default=False),
    ],
    time: Annotated[
        str | None, Option(help="The column of times; its heading, or its number in the file.")
    ] = None,
    knobs: Annotated[str | None, Option(help="The columns of knobs, separated by commas.")] = None,
    outcome: Annotated[
        str | None, Option(help="The column of the outcome; its heading or number.")
    ] = None,
    period: Annotated[
        float | None,
        Option(help="Seconds between rows, or that one unit of the time column stands for."),
    ] = None,
    minimize: Annotated[
        bool | None,
        Option(
            "--minimize/--maximize", help="What is better, smaller or larger.", show_default=False
        ),
    ] = None,
    kernel: Annotated[
        str, Option(help="The temporal kernel, which says what l_T means.")
    ] = "matern32",
    cost: Annotated[
        float | None, Option(help="Seconds that one measurement takes; else the usual spacing.")
    ] = None,
    twin: Annotated[
        str | None,
        Option(metavar="NAME", help="Store a twin of the log under this name, to race on it."),
    ] = None,
    twin_seed: Annotated[
        int, Option(help="Which of the functions that agree with the log the twin is.")
    ] = 0,
    start: Annotated[
        Path | None,
        Option(help="Write a problem file there, with a state that has learned from the log."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a log drifts, how fast, and what that means for an optimizer on this machine.

    The columns are guessed, and what was guessed is printed; each guess can be overridden. With
    --start problem.toml, `bolt ask problem.toml` goes on from the log.

    Example: bolt analyse reactor.csv --outcome yield --knobs feed,heat
    """
    from bolt_core.bench.iteration import thinking_time
    from bolt_core.logs.advice import advise
    from bolt_core.logs.analysis import analyse as verdict_on
    from bolt_core.logs.guessing import Overrides
    from bolt_core.logs.reading import read_log_file
    from bolt_core.logs.twin import twin_of

    if start is not None:
        check_new(start)
    words = None if knobs is None else tuple(split_words(knobs))
    maximize = None if minimize is None else not minimize
    try:
        log = read_log_file(file, Overrides(time, words, outcome, period, maximize))
    except DataError as error:
        place = ", " if str(error).startswith("line ") else ": "
        raise DataError(f"{file}{place}{error}") from None
    verdict = verdict_on(log, temporal_kernel=kernel)
    advice = advise(log, verdict, thinking_time(len(log.spec.knobs)), cost=cost)
    told = None if start is None else start_from_log(start, log)
    made = None if twin is None else twin_of(log, verdict, twin_seed, name=twin, period=cost)
    if made is not None:
        _store(made)
    if as_json:
        found = {**_as_json(log, verdict, advice), "told": told, "twin": made and made.key}
        typer.echo(json.dumps(found))
        return
    _print(log, verdict, advice)
    if told is not None:
        typer.echo(f"\nWrote {start}, told of {counted(told, 'row')}. Then: bolt ask {start}")
    if made is not None:
        _print_twin(made)


def _store(definition: TwinDefinition) -> None:
    """Store a twin after it was checked as one from elsewhere is."""
    from bolt_core.benchmarks import stored_twins
    from bolt_core.benchmarks.twin import TwinDefinition

    stored_twins.save(TwinDefinition.from_json(definition.to_json()))


def _as_json(log: Log, verdict: Verdict, advice: Advice) -> dict[str, Any]:
    return {
        "file": log.name,
        "sha256": log.sha256,
        "rows": len(log),
        "origin": None if log.origin is None else log.origin.isoformat(),
        "span_seconds": log.span,
        "spacing_seconds": log.spacing,
        "roles": log.roles.to_json(),
        "reasons": list(log.reasons),
        "notes": list(log.notes),
        "problem": log.spec.to_json(),
        "verdict": verdict.to_json(),
        "advice": advice.to_json(),
    }


def _print(log: Log, verdict: Verdict, advice: Advice) -> None:

    spec = log.spec
    start = "" if log.origin is None else f", from {log.origin:%Y-%m-%d %H:%M} UTC"
    typer.echo(f"{log.name}: {counted(len(log), 'row')} over {in_natural_unit(log.span)}{start}")
    unit = f" ({spec.unit})" if spec.unit else ""
    rows = [["outcome", spec.outcome, f"{spec.direction}{unit}"]]
    rows += [["knob", name, _range(knob)] for name, knob in spec.knobs.items()]
    typer.echo(table(rows))
    for title, texts in (
        ("Guessed", log.reasons),
        ("Read", log.notes),
        ("Drift", verdict.texts),
        ("Advice", advice.texts),
    ):
        if texts:
            typer.echo(f"\n{title}")
            _paragraphs(texts)
    if advice.lab:
        typer.echo(f"  n* lab: /lab?{'&'.join(f'{k}={v}' for k, v in advice.lab.items())}")


def _print_twin(definition: TwinDefinition) -> None:
    """Say how to race on a twin, and how to delete it."""
    key, queries = definition.key, round(definition.horizon / definition.cost)
    typer.echo("\nTwin")
    _paragraphs(
        (
            f"{key} is a sample of the fitted process that passes through "
            f"{len(definition.y):,} rows of the log. A race on it covers "
            f"{in_natural_unit(definition.horizon)}, with a query every "
            f"{in_natural_unit(definition.cost)} "
            f"({queries:,} at most).",
        )
    )
    typer.echo(f"  bolt compare --benchmark {key} --algorithms {RACERS} --clock model")
    typer.echo(f"  dashboard: /?bench={key}")
    typer.echo(f"  bolt list {key} --delete")


def _range(knob: Knob) -> str:
    if isinstance(knob, Choice):
        return ", ".join(map(str, knob.values))
    return f"{range_text(knob)}{', logarithmic' if getattr(knob, 'scale', '') == 'log' else ''}"


def _paragraphs(texts: tuple[str, ...]) -> None:
    width = min(get_terminal_size().columns, MAX_COLUMNS)
    for text in texts:
        typer.echo(fill(text, width, initial_indent="  ", subsequent_indent="  "))
