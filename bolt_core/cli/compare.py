"""`bolt compare`: race several algorithms on one benchmark and show their standings."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.live import Live
from typer import Option

from bolt_core import algorithms, benchmarks
from bolt_core.analysis.held_regret import held_regret
from bolt_core.benchmarks.spec import check_horizon
from bolt_core.cli import _parts as parts
from bolt_core.cli._parts import assignments, clock_of, console, notes, print_json
from bolt_core.cli._standings_table import rows_of, table_of
from bolt_core.common import runtime
from bolt_core.common.errors import ConfigError
from bolt_core.common.options import split_words
from bolt_core.common.permissions import Permissions
from bolt_core.common.text import counted, listed
from bolt_core.common.types import EngineConfig, RunConfig, RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

REFRESH_SECONDS = 0.5
PROGRESS_SECONDS = 15.0  # between two lines of progress where there is no terminal
MAX_SEEDS = 100


def compare(
    benchmark: parts.Benchmark,
    algorithms_: Annotated[
        str, Option("--algorithms", help="Keys, separated by commas; or: paper, all.")
    ] = "paper",
    seeds: Annotated[int, Option(help="Runs per algorithm: seeds 0, 1, ...")] = 1,
    clock: Annotated[str, Option(help="cpu or model.")] = "cpu",
    horizon: Annotated[float | None, Option(help="Cut at this many seconds.")] = None,
    slowdown: Annotated[float, Option(help="cpu clock: times slower than here.")] = 1.0,
    device: parts.Device = parts.NOMINAL,
    noise: Annotated[str, Option(help="paper or 1pct.")] = "paper",
    engine: parts.Engine = "exact",
    acquisition: parts.Acquisition = "ucb",
    ard: parts.Ard = False,
    option: parts.BenchmarkOptions = None,
    as_json: parts.SummaryAsJson = False,
) -> None:
    """Race algorithms with the same seeds, warm-up and noise, and show their standings.

    Every run is recorded in the data directory.
    """
    runtime.configure()
    if not 1 <= seeds <= MAX_SEEDS:
        raise ConfigError(f"seeds must be 1 to {MAX_SEEDS}, got {seeds}")
    options = {"noise": noise, **assignments(option)}
    check_horizon(horizon, benchmark, benchmarks.load(benchmark, **options).horizon)
    configs = [
        RunConfig(
            algorithm=key,
            benchmark=benchmark,
            seed=seed,
            horizon=horizon,
            clock=clock_of(clock, slowdown, device),
            engine=EngineConfig(engine, acquisition, ard),
            options=options,
        )
        for key in _keys(algorithms_)
        for seed in range(seeds)
    ]
    race = _run_race(configs)
    rows = rows_of(race.runs, _held(race))
    if as_json:
        print_json({"race_id": race.race_id, "status": str(race.status), "rows": rows})
    if race.status == RunStatus.STOPPED:
        raise typer.Exit(130)
    if race.status == RunStatus.FAILED:
        raise typer.Exit(1)


def _held(race: RaceSnapshot) -> dict[str, float | None]:
    """Return the held regret of each run of an ended race by run id."""
    return {run.run_id: held_regret(run) for run in race.runs}


def _run_race(configs: Sequence[RunConfig]) -> RaceSnapshot:
    """Run the race to the end or to Ctrl-C, with a live table; return its last state."""
    conductor = Conductor(permissions=Permissions(local=True))
    race_id = conductor.start(configs, confirmed=True)
    try:
        _watch(conductor, race_id)
    except KeyboardInterrupt:
        conductor.stop(race_id)
        conductor.wait(race_id, lambda now: now.status.ended, timeout=30.0)
    finally:
        race = _snapshot(conductor, race_id)
        conductor.shutdown()
    if not notes.is_terminal:
        console.print(table_of(race, _held(race)))
    for remark in _remarks(race):
        notes.print(remark, soft_wrap=True)
    return race


def _watch(conductor: Conductor, race_id: str) -> None:
    """Show a table until the race has ended; without a terminal, a line from time to time."""
    last_line = time.monotonic()
    with Live(console=notes, refresh_per_second=2, transient=not notes.is_terminal) as live:
        while not (race := _snapshot(conductor, race_id)).status.ended:
            live.update(table_of(race))
            if not notes.is_terminal and time.monotonic() - last_line > PROGRESS_SECONDS:
                last_line = time.monotonic()
                notes.print(_progress(race), soft_wrap=True)
            time.sleep(REFRESH_SECONDS)
        live.update(table_of(race, _held(race)))


def _remarks(race: RaceSnapshot) -> Iterator[str]:
    """Yield what the table of an ended race does not show."""
    if race.status == RunStatus.FINISHED and not any(map(_past_warmup, race.runs)):
        yield _only_warmup(race.runs[0])
    if race.warning:
        yield f"warning: {race.warning}"
    for run in race.runs:
        if run.error:
            reason = run.error.splitlines()[0]
            yield f"{run.config.algorithm}, seed {run.config.seed} failed: {reason}"
    yield f"`bolt show {race.race_id}` lists the records of its runs"


def _progress(race: RaceSnapshot) -> str:
    """Return how far a race is, in a line."""
    ended = sum(run.status.ended for run in race.runs)
    behind = min(race.runs, key=lambda run: run.end)
    horizon = (behind.header or {}).get("horizon")
    until = f" of {horizon:g}" if horizon else ""
    return (
        f"{ended} of {counted(len(race.runs), 'run')} ended; {behind.config.algorithm}, seed "
        f"{behind.config.seed}, is at t = {behind.end:.0f}{until} s with {len(behind)} queries"
    )


def _past_warmup(run: RunSnapshot) -> bool:
    return len(run) > run.config.warmup


def _only_warmup(run: RunSnapshot) -> str:
    """Return why a race has no regret: its horizon ended within the warm-up."""
    cost = benchmarks.get(run.config.benchmark).row.cost
    return (
        f"The horizon ended within the {run.config.warmup} warm-up queries, which take "
        f"{run.config.warmup * cost:g} s here; take a longer --horizon."
    )


def _snapshot(conductor: Conductor, race_id: str) -> RaceSnapshot:
    race = conductor.snapshot(race_id)
    if race is None:
        raise ConfigError(f"race {race_id} no longer exists; were its files deleted?")
    return race


def _keys(text: str) -> list[str]:
    specs = algorithms.catalog()
    if text in ("paper", "all"):
        kinds = ("paper", "control") if text == "paper" else {s.kind for s in specs.values()}
        return [key for key, spec in specs.items() if spec.kind in kinds]
    keys = [algorithms.get(key).key for key in split_words(text)]
    if not keys:
        raise ConfigError(f"--algorithms {text!r} names no algorithm; `bolt list` shows them")
    if twice := [key for key, count in Counter(keys).items() if count > 1]:
        raise ConfigError(f"--algorithms names {listed(twice)} more than once; name each one once")
    return keys
