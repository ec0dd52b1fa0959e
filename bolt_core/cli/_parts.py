"""What several commands share: option types, key=value parsing, number formats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.common.options import parse_assignment
from bolt_core.common.types import ACQUISITIONS, ENGINES, Scalar
from bolt_core.runs.snapshot import RunSnapshot

DEVICE_HELP = "model clock: paper, nominal, or c0,c1,c2,c3: seconds, per n, n^2, n^3."
ENGINE_HELP = f"The GP engine: {', '.join(ENGINES)}."
ACQUISITION_HELP = f"What is maximised: {', '.join(ACQUISITIONS)}."

console = Console(markup=False)  # text comes from users: [brackets] in it are brackets
notes = Console(stderr=True, markup=False)  # progress and remarks: pipes get only results


def assignments(pairs: Iterable[str]) -> dict[str, Scalar]:
    """["a=1", "b=x"] -> {"a": 1, "b": "x"}: numbers, true and false are read as such."""
    return dict(map(parse_assignment, pairs))


def figure(value: float | None, digits: int = 3) -> str:
    """A number to `digits` significant digits, without an exponent where a person needs none."""
    if value is None:
        return "-"
    text = f"{value:.{digits}g}"
    return f"{value:,.0f}" if "e+" in text else text


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
        "cumulative_regret": outcome.cumulative_regret,
        "n": outcome.final_size,
        "n_star": outcome.final_n_star,
        "response_time": outcome.response_time,
    }


def print_facts(facts: Mapping[str, str]) -> None:
    """Names in bold, what is said of them beside."""
    grid = Table.grid(padding=(0, 2))
    for name, text in facts.items():
        grid.add_row(Text(name, style="bold"), Text(text))
    console.print(grid)


def print_rows(columns: Mapping[str, str], rows: Sequence[object], title: str = "") -> None:
    """Dataclasses as a table: the fields named in `columns`, under those words."""
    table = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for words in columns.values():
        table.add_column(words, justify="right", min_width=7)
    for row in rows:
        cells = (getattr(row, name) for name in columns)
        table.add_row(
            *(c if isinstance(c, str) else figure(c, 2 if _tiny(c) else 3) for c in cells)
        )
    console.print(table)


def _tiny(value: float | None) -> bool:
    """Two digits will do: a third would not fit a column of seven."""
    return value is not None and abs(value) < 0.01


def print_json(data: object) -> None:
    typer.echo(json.dumps(data))
