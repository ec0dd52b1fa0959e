"""The program `bolt` without commands, and the options that all of them share."""

import logging
from typing import Annotated

import typer

from bolt_core import __version__

Version = Annotated[bool, typer.Option("--version", help="Print the version and leave.")]
Verbose = Annotated[
    bool, typer.Option("-v", "--verbose", help="Log more, and give errors their traceback.")
]


def program() -> typer.Typer:
    """Return a program without commands."""
    app = typer.Typer(
        name="bolt",
        help="Time-varying Bayesian optimization without a metronome.",
        no_args_is_help=True,
    )
    app.callback(invoke_without_command=True)(options)
    return app


def options(version: Version = False, verbose: Verbose = False) -> None:
    """Time-varying Bayesian optimization without a metronome."""
    if version:
        typer.echo(f"bolt {__version__}")
        raise typer.Exit
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING)
    if verbose:
        logging.getLogger("bolt").setLevel(logging.DEBUG)
