"""`bolt new`: write a problem file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from bolt_core.cli.own_problem import session
from bolt_core.cli.own_problem.commented_file import commented
from bolt_core.cli.own_problem.questions import asked_problem
from bolt_core.common.errors import ConfigError
from bolt_core.common.files import write_atomically
from bolt_core.common.knobs import Choice, Integer, Real

if TYPE_CHECKING:
    from bolt_core.online.problem_spec import ProblemSpec


def new(
    problem: Annotated[
        Path, typer.Argument(help="The file to write, such as problem.toml.", show_default=False)
    ],
    example: Annotated[
        bool, Option("--example", help="Write a filled-in example instead of asking.")
    ] = False,
    source: Annotated[
        Path | None, Option("--from", help="Take the problem from a VOCS file, yaml or JSON.")
    ] = None,
    force: Annotated[bool, Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Ask for the knobs and the outcome of a problem, and write a problem file.

    For example:

    bolt new problem.toml

    bolt new problem.toml --example

    bolt new problem.toml --from vocs.yaml
    """
    if example and source is not None:
        raise ConfigError("give one of --example and --from, not both")
    if problem.is_dir() or not problem.name:
        raise ConfigError(f"{problem} is a folder; give the name of a file, such as problem.toml")
    if problem.exists() and not force:
        raise ConfigError(f"{problem} exists; choose another name, or overwrite it with --force")
    if example:
        spec = example_problem()
    elif source is not None:
        spec = _from_vocs(source, problem)
    else:
        spec = asked_problem(problem.stem)
    write_atomically(problem, commented(spec, problem).encode())
    typer.echo(f"Wrote {problem}. Look it through, then: bolt ask {problem}")
    if (state := session.state_path(problem)).exists():
        session.note(f"{state} exists and will be continued; rename it to start anew")


def example_problem() -> ProblemSpec:
    """Return a problem with a knob of each kind."""
    from bolt_core.online.problem_spec import ProblemSpec

    return ProblemSpec(
        {
            "feed": Real(0, 8, unit="l/min", max_step=1),
            "rate": Real(1e-4, 1e-1, scale="log"),
            "stages": Integer(1, 6),
            "catalyst": Choice("A", "B", "C"),
        },
        "yield",
        unit="%",
        name="Reactor",
    )


def _from_vocs(source: Path, problem: Path) -> ProblemSpec:
    """Return the problem of a VOCS, which has no name of its own."""
    from dataclasses import replace

    from bolt_core.online.problem_spec import ProblemSpec

    return replace(ProblemSpec.from_vocs(source), name=problem.stem)
