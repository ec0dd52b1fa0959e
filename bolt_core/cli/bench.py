"""`bolt bench`: measurements of this machine, as ratios within one run."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from bolt_core import runtime
from bolt_core.bench import clock as clock_bench
from bolt_core.cli._parts import console, print_json

bench = typer.Typer(help="Measure this machine: ratios within one run.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@bench.callback()
def options() -> None: ...


@bench.command()
def clock(
    blocks: Annotated[int, typer.Option(help="Blocks of each kind.", min=3)] = clock_bench.BLOCKS,
    as_json: AsJson = False,
) -> None:
    """Is the cpu clock blind to its neighbours? The wall clock is not."""
    runtime.configure()
    found = clock_bench.run(blocks)
    if as_json:
        print_json({**asdict(found), "fair": found.fair})
        return
    table = Table("clock", "beside / alone", title=f"{found.blocks} interleaved blocks each")
    table.add_row("cpu", f"{found.cpu_ratio:.2f}")
    table.add_row("wall", f"{found.wall_ratio:.2f}")
    console.print(table)
    console.print(f"thread_time / process_time of a Cholesky: {found.thread_to_process:.3f}")
    console.print("fair" if found.fair else "[bold red]not fair on this machine[/]")
