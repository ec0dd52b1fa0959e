"""`bolt list`: every benchmark and every algorithm there is."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from bolt_core import algorithms, benchmarks
from bolt_core.cli._parts import console, print_json
from bolt_core.objective import NOISE, BenchmarkSpec
from bolt_core.optimizer import AlgorithmSpec
from bolt_core.options import options_of


def list_all(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the benchmarks (Table 3) and the algorithms (Table 1)."""
    moving = [_benchmark(spec) for spec in benchmarks.catalog().values()]
    solving = [_algorithm(spec) for spec in algorithms.catalog().values()]
    if as_json:
        print_json({"benchmarks": moving, "algorithms": solving})
        return
    for title, rows in (("Benchmarks", moving), ("Algorithms", solving)):
        table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
        for name in rows[0]:
            table.add_column(name, no_wrap=name == "key", overflow="fold")
        for row in rows:
            table.add_row(*(_word(value) for value in row.values()))
        console.print(table)


def _benchmark(spec: BenchmarkSpec) -> dict[str, Any]:
    return {
        "key": spec.key,
        "d": spec.dimension,
        "noise": spec.row.noise_variance,
        "R(0) s": spec.row.cost,
        "H s": spec.row.horizon,
        "l_T s": spec.row.lengthscale_time,
        "quasi-static": spec.row.quasi_static,
        "near-constant": spec.row.near_constant,
        "in the paper": spec.in_paper,
        "options": [option.name for option in (NOISE, *spec.options)],
    }


def _algorithm(spec: AlgorithmSpec) -> dict[str, Any]:
    return {
        "key": spec.key,
        "label": spec.label,
        "kind": spec.kind,
        "assumes of f": spec.assumes_objective,
        "assumes of R(n)": spec.assumes_response_time,
        "stale data": spec.stale_data,
        "guarantee": spec.guarantee,
        "parameters": [option.name for option in options_of(spec.params)],
    }


def _word(value: Any) -> str:  # noqa: ANN401 - a cell
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
