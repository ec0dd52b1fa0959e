"""`bolt run`: run one algorithm on one benchmark and record every pass."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn
from typer import Option

from bolt_core.benchmarks.spec import NOISE
from bolt_core.cli import _parts as parts
from bolt_core.cli._parts import assignments, clock_of, notes, number_text, print_json, summary
from bolt_core.common import paths, runtime
from bolt_core.common.errors import ConfigError
from bolt_core.common.text import duration
from bolt_core.common.types import (
    CLOCKS,
    WARMUP,
    EngineConfig,
    IterationRecord,
    RunConfig,
    RunStatus,
)
from bolt_core.live.eta import EtaEstimator
from bolt_core.runs import guarded, loop
from bolt_core.runs.duration_estimate import cpu_seconds_after
from bolt_core.runs.timed_call import TIME_LIMIT_SECONDS
from bolt_core.store import records
from bolt_core.store.ids import new_id

MAX_ITERATIONS = 10**9
log = logging.getLogger("bolt")


def run(
    benchmark: parts.Benchmark,
    algorithm: Annotated[str, Option(help="What optimises it (see `bolt list`).")],
    clock: Annotated[str, Option(help=f"What time means: {', '.join(CLOCKS)}.")] = "cpu",
    seed: Annotated[int, Option(help="Of warm-up, noise and algorithm.")] = 0,
    horizon: Annotated[
        float | None, Option(help="Stop after this many seconds of the run's own clock.")
    ] = None,
    iterations: Annotated[
        int | None, Option(help="Stop after this many iterations, warm-up included.")
    ] = None,
    slowdown: Annotated[
        float, Option(help="cpu clock: how many times slower than this machine.")
    ] = 1.0,
    device: parts.Device = parts.NOMINAL,
    noise: Annotated[
        str, Option(help="Noise variance. paper: Table 3's; 1pct: 1 % of the signal variance.")
    ] = "paper",
    warmup: Annotated[int, Option(help="Random queries before the first ask.")] = WARMUP,
    option: parts.BenchmarkOptions = None,
    param: Annotated[
        list[str] | None, Option(help="Of the algorithm, name=value; may be repeated.")
    ] = None,
    engine: parts.Engine = "exact",
    acquisition: parts.Acquisition = "ucb",
    ard: parts.Ard = False,
    out: Annotated[
        Path | None, Option(help="The record's file; default: the data directory.")
    ] = None,
    plugin_limit: parts.PluginLimit = TIME_LIMIT_SECONDS,
    as_json: parts.SummaryAsJson = False,
) -> None:
    """Run one algorithm on one benchmark and record every iteration.

    The record can be read with `bolt show` at any time, also while it is being written.
    """
    runtime.configure()
    if iterations is not None and not 1 <= iterations <= MAX_ITERATIONS:
        raise ConfigError(f"iterations must be 1 to {MAX_ITERATIONS:,}, got {iterations}")
    config = RunConfig(
        algorithm=algorithm,
        benchmark=benchmark,
        seed=seed,
        warmup=warmup,
        horizon=horizon,
        clock=clock_of(clock, slowdown, device),
        engine=EngineConfig(engine, acquisition, ard),
        params=assignments(param),
        options=({} if noise == NOISE.default else {"noise": noise}) | assignments(option),
    )
    log.debug("config %s: %s", config.key, config)
    result = _recorded(config, iterations, out, plugin_limit)
    _print_outcome(result)
    if as_json:
        print_json(result)
    if result["status"] == RunStatus.STOPPED:
        raise typer.Exit(130)


def _recorded(
    config: RunConfig, iterations: int | None, out: Path | None, plugin_limit: float
) -> dict[str, Any]:
    """Run to the end or to Ctrl-C, write the record, and return its summary."""
    thread = guarded.plugin_thread(config, plugin_limit)
    live = guarded.prepared(config, thread)
    passes = guarded.Passes(live, thread)
    run_id = new_id()
    path = out or paths.runs() / f"{run_id}{records.SUFFIX}"
    with (
        suppress(KeyboardInterrupt),  # the writer closes the record as stopped
        records.RecordWriter(path, config, header=live.header_fields(), run_id=run_id) as writer,
    ):
        log.debug("writing %s", path)
        for record in _with_progress(islice(passes.records(), iterations), live):
            writer.append(record, passes.state)
    return {**summary(records.read(path)), "file": str(path)}


def _print_outcome(result: dict[str, Any]) -> None:
    notes.print(
        f"{result['status']}: {result['iterations']} iterations in "
        f"{number_text(result['seconds'])} s of the {result['clock']['kind']} clock, "
        f"average regret {number_text(result['average_regret']['over_queries'])} without warm-up",
        soft_wrap=True,
    )
    noise = number_text(result["noise_variance"])
    notes.print(f"benchmark: {result['source']}; noise variance {noise}", soft_wrap=True)
    notes.print(f"record: {result['file']}", soft_wrap=True)


def _with_progress(passes: Iterator[IterationRecord], run: loop.Run) -> Iterator[IterationRecord]:
    """Yield the passes and show a progress bar in seconds of the run's clock."""
    eta = EtaEstimator()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} s"),
        TextColumn("{task.fields[left]}"),
        console=notes,
        disable=not notes.is_terminal,
        transient=True,
    ) as bar:
        task = bar.add_task("running", total=run.horizon, left="estimating")
        for record in passes:
            yield record
            now = record.observation.t + record.seconds
            if not record.warmup:  # warm-up passes say nothing about later ones
                eta.note(now, run.horizon, partial(cpu_seconds_after, run.config, now))
            if eta.seconds_left is not None:
                bar.update(task, left=f"{duration(eta.seconds_left)} left")
            bar.update(task, completed=now)
