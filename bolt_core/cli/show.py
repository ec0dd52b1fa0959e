"""`bolt show`: what a record says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bolt_core.cli._parts import console, figure, print_facts, print_json, summary
from bolt_core.common import devices
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import records

COLUMNS = ("i", "t (s)", "x", "y", "f(x, t)", "best f", "regret", "n", "R(n) (s)", "n*")


def show(
    file: Annotated[Path, typer.Argument(help="A record that `bolt run` or the app wrote.")],
    rows: Annotated[int, typer.Option(help="How many of the last iterations to list.", min=0)] = 5,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON summary instead.")
    ] = False,
) -> None:
    """Show a recorded run: what it was, how it went, its last iterations."""
    snapshot = records.read(file)
    if as_json:
        print_json({**summary(snapshot), "file": str(file)})
        return
    _facts(snapshot)
    if rows and len(snapshot):
        console.print(_last(snapshot, rows))


def _facts(snapshot: RunSnapshot) -> None:
    found, header = summary(snapshot), snapshot.header or {}
    regret = found["average_regret"]
    lines = {
        "run": f"{found['run_id']}, started {header.get('started')}",
        "status": found["status"] + (f": {found['error']}" if found["error"] else ""),
        "benchmark": f"{header.get('label')} ({found['source']})",
        "algorithm": f"{found['algorithm']}, seed {found['seed']}",
        "clock": devices.clock_in_words(snapshot.config.clock),
        "noise variance": figure(found["noise_variance"]),
        "iterations": f"{found['iterations']} in {figure(found['seconds'])} s",
        "average regret": f"{figure(regret['over_queries'])} over queries, "
        f"{figure(regret['over_time'])} over time (without warm-up)",
        "with warm-up": f"{figure(regret['over_queries_with_warmup'])} over queries, "
        f"{figure(regret['over_time_with_warmup'])} over time",
        "dataset": f"n = {found['n']}, n* = {found['n_star'] or '-'}",
        "machine": f"{header.get('cpu')}, {header.get('blas_threads')} BLAS thread",
    }
    print_facts(lines)


def _last(snapshot: RunSnapshot, rows: int) -> Table:
    table = Table(*COLUMNS)
    for record in snapshot.records[-rows:]:
        o = record.observation
        table.add_row(
            str(o.i),
            figure(o.t, 4),
            " ".join(f"{c:.3f}" for c in o.x),
            *(figure(v) for v in (o.y, record.value, record.best, record.regret)),
            str(record.n),
            figure(record.seconds),
            figure(record.n_star),
        )
    return table
