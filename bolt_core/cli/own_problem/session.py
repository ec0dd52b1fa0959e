"""A problem file and its state, `problem.toml.state.jsonl`, opened for one command.

Commands are separate processes, so times are read from the computer's clock, as datetimes in UTC:
they survive a reboot, and the spacing of asks is that of the wall clock. If the clock was set back,
the latest known time is used until the clock has passed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.knobs import Choice
from bolt_core.common.setting_text import range_text, with_unit
from bolt_core.common.text import duration
from bolt_core.online import wall_clock

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer
    from bolt_core.online.problem_spec import ProblemSpec

STATE_SUFFIX = ".state.jsonl"
WAIT_SECONDS = 10.0  # for another shell that uses the same state

ProblemFile = Annotated[
    Path, typer.Argument(help="The problem file (`bolt new` writes one).", show_default=False)
]
Plain = Annotated[
    bool, typer.Option("--plain", help="Print a setting as name=value, one line per knob.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def state_path(problem: Path) -> Path:
    """Return the file with the state of a problem file."""
    return problem.with_name(problem.name + STATE_SUFFIX)


def read_problem(problem: Path) -> ProblemSpec:
    """Return the problem of a file; the error says how to get one."""
    from bolt_core.online.problem_spec import ProblemSpec

    if problem.name.endswith(STATE_SUFFIX):
        name = problem.name.removesuffix(STATE_SUFFIX)
        raise ConfigError(f"{problem} is the state; give the problem file, {name}")
    if not problem.is_file():
        raise ConfigError(f"there is no file {problem}; write one with `bolt new {problem}`")
    return ProblemSpec.from_toml(problem)


@contextmanager
def opened(problem: Path) -> Iterator[OnlineOptimizer]:
    """Yield the optimizer of a problem file, which no other process changes meanwhile."""
    from bolt_core.online.optimizer import OnlineOptimizer
    from bolt_core.online.rebuilding import opening_note

    spec, state = read_problem(problem), state_path(problem)
    with shell_remedy(problem):
        if state.exists():
            opt = OnlineOptimizer.open(state, wait_seconds=WAIT_SECONDS)
        else:
            opt = OnlineOptimizer(spec, journal=state)
    if (opening := opening_note(opt, str(state))) is not None:
        note(f"{opening} Compare `bolt log {problem}` with what was told.")
    try:
        for change in adopt_problem(opt, problem):  # read again: another shell may have changed it
            note(f"applied a change of {problem}: {change}")
        yield opt
    finally:
        _close(opt, state)


@contextmanager
def shell_remedy(problem: Path) -> Iterator[None]:
    """Give the remedy of a shell if the state of a problem file cannot be read."""
    from bolt_core.online.saved_record import DamagedFileError

    state = state_path(problem)
    if state.is_dir():
        raise RecordError(f"{state} is a folder; the state is kept in a file there, so rename it")
    try:
        yield
    except DamagedFileError as damage:
        raise RecordError(
            f"{damage.reason}; move {state} away, or put a copy in its place: without it, "
            f"`bolt ask {problem}` starts anew"
        ) from None


def _close(opt: OnlineOptimizer, state: Path) -> None:
    """Sync and release the state; a RecordError if it could not be written."""
    try:
        opt.close()
    except OSError as problem:
        raise RecordError(
            f"cannot write {state}: {problem.strerror}; free some space and repeat the command"
        ) from None


def loaded(problem: Path) -> OnlineOptimizer:
    """Return the optimizer of a problem file, to look at; nothing is locked or written."""
    from bolt_core.online.optimizer import OnlineOptimizer

    spec, state = read_problem(problem), state_path(problem)
    if not state.exists():
        return OnlineOptimizer(spec)
    with shell_remedy(problem):
        opt = OnlineOptimizer.load(state)
    for change in adopt_problem(opt, problem):
        note(f"{problem} was edited: {change}; the next ask or tell stores this")
    return opt


def adopt_problem(opt: OnlineOptimizer, problem: Path) -> list[str]:
    """Apply what was edited in a problem file; return the changes in words."""
    from bolt_core.online.problem_change import adopt

    spec = read_problem(problem)
    try:
        changes = adopt(opt, spec)
    except ConfigError as reason:
        state = state_path(problem)
        raise ConfigError(
            f"{problem} differs from its state: {reason}; take the edit back, or start anew: keep "
            f"what was told with `bolt log {problem} --out told.csv`, then rename {state}"
        ) from None
    if changes:
        _note_asks_outside(opt)
    return changes


def _note_asks_outside(opt: OnlineOptimizer) -> None:
    """Point out asks without a result whose setting is outside of a new range."""
    for ask in opt.pending:
        for name, knob in spec_of(opt).knobs.items():
            value = ask.setting[name]
            if isinstance(knob, Choice) or knob.low <= float(value) <= knob.high:
                continue
            note(
                f"ask {ask.id} has {name} {with_unit(knob, value)}, outside of {range_text(knob)}; "
                f"drop it with `bolt skip --id {ask.id}`, or tell its result"
            )


def spec_of(opt: OnlineOptimizer) -> ProblemSpec:
    """Return the problem of an optimizer, which has names."""
    if opt.spec is None:
        raise ConfigError("the saved optimizer has plain bounds and no names; use Bolt.open")
    return opt.spec


def utc_now() -> datetime:
    """Return the time of the computer's clock."""
    return wall_clock.utc_now()


def now(opt: OnlineOptimizer) -> datetime:
    """Return the present time, or the latest known one if the clock was set back."""
    clock = utc_now()
    present = wall_clock.present(opt, clock)
    behind = (present - clock).total_seconds()
    if behind > wall_clock.CLOCK_TOLERANCE_SECONDS:
        note(
            f"the clock of this computer is {duration(behind)} behind the latest known time, "
            f"{present:%Y-%m-%d %H:%M:%S} UTC, which is used instead; check the clock"
        )
    return present


def note(text: str) -> None:
    """Print a remark on standard error, so that a pipe gets only results."""
    typer.echo(f"bolt: {text}", err=True)
