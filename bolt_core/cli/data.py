"""`bolt data`: recordings that benchmarks can use instead of what is embedded."""

from __future__ import annotations

import typer

data = typer.Typer(help="Recordings for benchmarks.", no_args_is_help=True)


@data.callback()
def options() -> None: ...
