"""`bolt compare`: race several algorithms on one benchmark and show their standings."""

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
import typer
from rich.box import SIMPLE_HEAD
from rich.live import Live
from rich.table import Column, Table
from typer import Option

from bolt_core import algorithms, benchmarks
from bolt_core.analysis.held_regret import held_regret
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.analysis.run_outcome import STOPPED_ASKING
from bolt_core.analysis.standings import ranks, standings
from bolt_core.benchmarks.spec import check_horizon
from bolt_core.cli import _parts as parts
from bolt_core.cli._parts import assignments, console, notes, number_text, print_json
from bolt_core.common import devices, runtime
from bolt_core.common.devices import clock_label
from bolt_core.common.errors import ConfigError
from bolt_core.common.options import split_words
from bolt_core.common.permissions import Permissions
from bolt_core.common.text import listed, seed_numbers
from bolt_core.common.types import ClockConfig, EngineConfig, RunConfig, RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.runs.lane_names import label
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

COLUMNS = (
    "rank", "algorithm", "average regret", "+- SE", "held regret", "n", "n*", "R(n) s", "resets",
    "queries", "t s",
)  # fmt: skip
NOT_IN_TABLE = ("algorithm", "failed", "stopped_asking")  # shown beside the name
LEGEND = (
    "Means over seeds, without the warm-up; R(n) over full passes; n and n* at the end. "
    "-: no value."
)
REFRESH_SECONDS = 0.5
MAX_SEEDS = 100
NO_VALUES: Mapping[str, float | None] = MappingProxyType({})


def compare(
    benchmark: parts.Benchmark,
    algorithms_: Annotated[
        str, Option("--algorithms", help="Keys, separated by commas; or: paper, all.")
    ] = "paper",
    seeds: Annotated[int, Option(help="Runs per algorithm: seeds 0, 1, ...")] = 1,
    clock: Annotated[str, Option(help="cpu or model.")] = "cpu",
    horizon: Annotated[float | None, Option(help="Cut at this many seconds.")] = None,
    slowdown: Annotated[float, Option(help="cpu clock: times slower than here.")] = 1.0,
    device: parts.Device = "nominal",
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
            clock=ClockConfig(clock, slowdown, devices.device(device)),
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


def rows_of(
    runs: Sequence[RunSnapshot], held: Mapping[str, float | None] = NO_VALUES
) -> list[dict[str, Any]]:
    """Return one row per lane, as the JSON output and the table show it.

    `held` has the held regret by run id; there is none while a race runs.
    """
    held_by_lane = {lane.label: _mean_held(lane, held) for lane in lanes(runs)}
    rows = standings(runs)
    return [
        {
            "rank": rank,
            "algorithm": row.key,
            "regret": row.average_regret,
            "error": row.regret_error,
            "held_regret": held_by_lane[row.label],
            "n": row.final_size,
            "n_star": row.final_n_star,
            "response": row.response_time,
            "resets": _resets(row.key, runs),
            "queries": row.queries,
            "seconds": row.end_time,
            "failed": row.failed_runs,
            "stopped_asking": row.stopped_runs,
        }
        for row, rank in zip(rows, ranks(rows), strict=True)
    ]


def _held(race: RaceSnapshot) -> dict[str, float | None]:
    """Return the held regret of each run of an ended race by run id."""
    return {run.run_id: held_regret(run) for run in race.runs}


def _mean_held(lane: Lane, held: Mapping[str, float | None]) -> float | None:
    """Return the mean over the seeds of a lane; None unless all of them have a value."""
    values = [held.get(run.run_id) for run in lane.counted_runs]
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def _run_race(configs: Sequence[RunConfig]) -> RaceSnapshot:
    """Run the race to the end or to Ctrl-C, with a live table; return its last state."""
    conductor = Conductor(permissions=Permissions(local=True))
    race_id = conductor.start(configs, confirmed=True)
    try:
        with Live(console=notes, refresh_per_second=2, transient=not notes.is_terminal) as live:
            while not (race := _snapshot(conductor, race_id)).status.ended:
                live.update(_table(race))
                time.sleep(REFRESH_SECONDS)
            live.update(_table(race, _held(race)))
    except KeyboardInterrupt:
        conductor.stop(race_id)
        conductor.wait(race_id, lambda now: now.status.ended, timeout=30.0)
    finally:
        race = _snapshot(conductor, race_id)
        conductor.shutdown()
    if not notes.is_terminal:
        console.print(_table(race, _held(race)))
    if race.warning:
        notes.print(f"warning: {race.warning}", soft_wrap=True)
    for run in race.runs:
        if run.error:
            reason = run.error.splitlines()[0]
            notes.print(f"{run.config.algorithm}, seed {run.config.seed} failed: {reason}")
    return race


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
    return [algorithms.get(key).key for key in dict.fromkeys(split_words(text))]


def _resets(algorithm: str, runs: Sequence[RunSnapshot]) -> float | None:
    """Return the mean number of resets per run."""
    members = [run for run in runs if run.config.algorithm == algorithm and len(run)]
    resets = [sum("reset" in note for note in run.columns.notes[: len(run)]) for run in members]
    return float(np.mean(resets)) if resets else None


def _table(race: RaceSnapshot, held: Mapping[str, float | None] = NO_VALUES) -> Table:
    columns = [Column(name, overflow="fold", min_width=len(name.split()[-1])) for name in COLUMNS]
    table = Table(
        *columns,
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),  # so that words are whole in 80 characters
        title=f"race {race.race_id}: {_conditions(race.runs)}",
        title_justify="left",
        caption=_legend(race.runs),
        caption_justify="left",
    )
    for row in rows_of(race.runs, held):
        failed = f" ({row['failed']} failed)" if row["failed"] else ""
        stopped = f" ({STOPPED_ASKING})" if row["stopped_asking"] else ""
        rank, *numbers = (number_text(row[name]) for name in row if name not in NOT_IN_TABLE)
        table.add_row(rank, row["algorithm"] + failed + stopped, *numbers)
    return table


def _conditions(runs: Sequence[RunSnapshot]) -> str:
    """Return what all runs of the comparison have in common, in words."""
    first = runs[0]
    what = f"{label(first.config.benchmark)}, {seed_numbers(run.config.seed for run in runs)}"
    if horizon := (first.header or {}).get("horizon"):
        what += f", horizon {horizon:g} s"
    return f"{what}. {clock_label(first.config.clock)}."


def _legend(runs: Sequence[RunSnapshot]) -> str:
    """Return what the table's values are, and which rows have no rank."""
    beside = [row.key for row in standings(runs) if row.beside]
    verb = "is a baseline and has" if len(beside) == 1 else "are baselines and have"
    return LEGEND + (f" {listed(beside)} {verb} no rank." if beside else "")
