"""Options, the settings of a run, number formats and tables that several commands share."""

import json
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer import Option

from bolt_core.analysis.held_regret import held_regret
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.bench.timing import headings
from bolt_core.common import devices
from bolt_core.common.errors import ConfigError
from bolt_core.common.options import parse_assignment
from bolt_core.common.text import significant
from bolt_core.common.types import ACQUISITIONS, ENGINES, ClockConfig, Scalar
from bolt_core.runs.snapshot import RunSnapshot

NOMINAL = "nominal"  # the device where none is given
ENGINE_HELP = f"The GP engine: {', '.join(ENGINES)}."
Benchmark = Annotated[str, Option(help="What to optimise (see `bolt list`).")]
Device = Annotated[
    str, Option(help="model clock: paper, nominal, or c0,c1,c2,c3: seconds, per n, n^2, n^3.")
]
Engine = Annotated[str, Option(help=ENGINE_HELP)]
Acquisition = Annotated[str, Option(help=f"What is maximised: {', '.join(ACQUISITIONS)}.")]
Ard = Annotated[bool, Option("--ard", help="Learn one spatial lengthscale per coordinate.")]
BenchmarkOptions = Annotated[
    list[str] | None, Option(help="Of the benchmark, name=value; may be repeated.")
]
PluginLimit = Annotated[
    float, Option(min=0.1, help="Seconds that one call of a plug-in's code may take.")
]
ChosenAlgorithms = Annotated[
    str | None, Option("--algorithms", help="Only these of the plan, separated by commas.")
]
ChosenBenchmarks = Annotated[
    str | None, Option("--benchmarks", help="Only these of the plan, separated by commas.")
]
FirstSeeds = Annotated[
    int | None, Option("--seeds", help="Only the first so many seeds of the plan.")
]
AsJson = Annotated[bool, Option("--json", help="Print one JSON object.")]
SummaryAsJson = Annotated[bool, Option("--json", help="Print one JSON summary as the last line.")]

console = Console(markup=False)  # users' texts may hold [brackets]: print them as they are
notes = Console(stderr=True, markup=False)  # progress and remarks, so that a pipe gets only results


def assignments(pairs: Iterable[str] | None) -> dict[str, Scalar]:
    """Return {"a": 1, "b": "x"} for ["a=1", "b=x"]; numbers, true and false are read as such."""
    return dict(map(parse_assignment, pairs or ()))


def clock_of(kind: str, slowdown: float, device: str) -> ClockConfig:
    """Return the clock that options choose; one that the clock would ignore is a ConfigError."""
    clock = ClockConfig(kind, slowdown, devices.device(device))
    if slowdown != 1.0 and kind != "cpu":
        raise ConfigError(
            f"--slowdown {slowdown:g} is for the cpu clock, not for {kind!r}; a slower --device "
            "does the same for the model clock"
        )
    if device != NOMINAL and kind != "model":
        raise ConfigError(
            f"--device {device} is for the model clock, not for {kind!r}; add --clock model"
        )
    return clock


def number_text(value: float | None) -> str:
    """Return a whole number in full, another to three digits, and a dash for None."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if float(value).is_integer() else significant(value)


def summary(snapshot: RunSnapshot) -> dict[str, Any]:
    """Return the outcome of a run as a JSON-ready dict."""
    config, outcome = snapshot.config, RunOutcome(snapshot)
    header = snapshot.header or {}
    return {
        "run_id": snapshot.run_id,
        "status": str(snapshot.status),
        "error": snapshot.error,
        "benchmark": config.benchmark,
        "source": header.get("source"),
        "algorithm": config.algorithm,
        "seed": config.seed,
        "clock": asdict(config.clock),
        "noise_variance": header.get("noise_variance"),
        "iterations": outcome.queries,
        "seconds": outcome.end_time,
        "average_regret": asdict(outcome.averages),
        "held_regret": held_regret(snapshot),
        "stopped_asking": outcome.stopped_asking,
        "cumulative_regret": outcome.cumulative_regret,
        "n": outcome.final_size,
        "n_star": outcome.final_n_star,
        "response_time": outcome.response_time,
        "corner_share": outcome.corner_share,
        "no_structure_share": outcome.no_structure_share,
    }


def print_facts(facts: Mapping[str, str], json_instead: object = None) -> None:
    """Print one line per fact: its name in bold, then its text; or JSON if it is given."""
    if json_instead is not None:
        print_json(json_instead)
        return
    grid = Table.grid(padding=(0, 2))
    for name, text in facts.items():
        grid.add_row(Text(name, style="bold"), Text(text))
    console.print(grid)


def print_rows(rows: Sequence[Any]) -> None:
    """Print dataclasses of one kind as a table, under the headings of their fields."""
    lines = [
        [cell if isinstance(cell, str) else number_text(cell) for cell in asdict(row).values()]
        for row in rows
    ]
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    add_lines(table, list(headings(type(rows[0])).values()), lines, justify="right")
    console.print(table)


def add_lines(
    table: Table,
    names: Sequence[str],
    lines: Sequence[Sequence[str]],
    *,
    justify: Literal["left", "right"] = "left",
) -> None:
    """Add columns and their cells; lines are broken between words as long as the words fit."""
    columns = list(zip(names, *lines, strict=True))
    widths = [max(len(word) for cell in cells for word in cell.split()) for cells in columns]
    longest = [max(map(len, cells[1:]), default=0) for cells in columns]
    room = console.width - 2 * len(columns) - 2 - sum(widths)
    while room > 0 and any(map(operator.lt, widths, longest)):
        narrowest = min((w, i) for i, w in enumerate(widths) if w < longest[i])[1]
        widths[narrowest] += 1
        room -= 1
    for name, width in zip(names, widths, strict=True):
        table.add_column(name, justify=justify, width=width, overflow="fold")
    for line in lines:
        table.add_row(*line)


def print_json(data: object) -> None:
    """Print one line of JSON on standard output."""
    typer.echo(json.dumps(data))
