"""`bolt bench`: measurements of this machine, as ratios within one run."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from bolt_core.bench import (
    ard,
    ask_quality,
    campaign,
    clock,
    decision,
    engine,
    frames,
    iteration,
    peers,
    quality,
    real_passes,
    w2,
)
from bolt_core.cli._parts import (
    AsJson,
    console,
    notes,
    number_text,
    print_facts,
    print_json,
    print_rows,
)
from bolt_core.common import runtime
from bolt_core.common.options import split_words

bench = typer.Typer(help="Measure this machine: ratios within one run.", no_args_is_help=True)
Largest = Annotated[int, typer.Option(help="Leave out sizes above this n.", min=50)]
Seed = Annotated[int, typer.Option(help="Seed of the synthetic data.", min=0)]


@bench.callback()
def options() -> None:
    runtime.configure()


@bench.command("clock")
def bench_clock(
    blocks: Annotated[int, typer.Option(help="Blocks of each kind.", min=3)] = clock.BLOCKS,
    as_json: AsJson = False,
) -> None:
    """Measure how much other load changes what the cpu and the wall clock charge."""
    result = clock.run(blocks)
    facts = {
        "cpu clock, beside / alone": f"{result.cpu_ratio:.2f}",
        "wall clock, beside / alone": f"{result.wall_ratio:.2f}",
        "thread_time / process_time": f"{result.thread_to_process:.3f}",
        "charged to short calls": f"{1e3 * result.charged:.0f} ms per second of other work",
        "verdict": "fair" if result.fair else "NOT fair on this machine now",
    }
    print_facts(facts, {**asdict(result), "fair": result.fair} if as_json else None)


@bench.command("engine")
def bench_engine(largest: Largest = 400, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Compare inference and acquisition with stock BoTorch. Takes half a minute."""
    _show(engine.run(_sizes(engine.SIZES, largest), seed=seed), {}, as_json)


@bench.command("w2")
def bench_w2(
    datasets: Annotated[int, typer.Option(help="To check the removal choice.", min=1)] = 40,
    largest: Largest = 400,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Compare removal scores with the public wdbo-criterion, and check the removal choice."""
    rows = w2.run(_sizes(w2.SIZES, largest), seed=seed)
    facts = {
        f"right within 2 % ({datasets} datasets{note})": decision.share_within(
            decision.run(datasets, seed=seed, ard=per_input)
        )
        for note, per_input in (("", False), (", a lengthscale per input", True))
    }
    _show(rows, facts, as_json)


@bench.command("iteration")
def bench_iteration(
    cost: Annotated[float, typer.Option(help="R(0) for n*, seconds.", min=0.0, max=1e6)] = 0.1,
    largest: Annotated[int, typer.Option(help="Leave out sizes above this n.", min=200)] = 800,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Measure a whole BOLT pass, R(n) of this machine and the n* it implies."""
    real = list(real_passes.run(_sizes(real_passes.SIZES, largest), seed=seed))
    if not as_json:
        console.print("A pass of a run on Powell, with restarts and removal:")
        print_rows(real)
        console.print("A pass on synthetic data:")
    rows = iteration.run(_sizes(iteration.SIZES, largest), seed=seed)
    device = iteration.calibrate(rows, cost)
    facts: dict[str, Any] = {
        "growth: R(n) ~ n^p, p": iteration.growth(rows),
        "c0,c1,c2,c3 (--device)": ",".join(f"{c:.3g}" for c in device.coefficients),
        f"with a lengthscale per input, n = {ard.SIZE}: times R(n)": ard.run(seed=seed).whole,
    }
    for l_T, n_star in device.recommended.items():
        facts[f"n* for l_T = {l_T:g} s, R(0) = {cost:g} s"] = n_star or "no limit"
    if as_json:
        facts["real_passes"] = [asdict(row) for row in real]
    _show(rows, facts, as_json)


@bench.command("frames")
def bench_frames(
    lanes: Annotated[int, typer.Option(help="Algorithms in the race.", min=1, max=9)] = 9,
    passes: Annotated[int, typer.Option(help="Passes per algorithm.", min=20)] = 5000,
    as_json: AsJson = False,
) -> None:
    """Measure the cost of a dashboard tick per chart: CPU of the server, bytes per viewer."""
    _show(frames.run(lanes, passes), {}, as_json)


@bench.command("campaign")
def bench_campaign(
    workers: Annotated[int, typer.Option(help="Processes, one thread each.", min=2)] = 2,
    each: Annotated[int, typer.Option(help="Runs per worker.", min=1)] = 4,
    as_json: AsJson = False,
) -> None:
    """Measure the speedup of several campaign workers over one. Takes a minute or two."""
    result = campaign.run(workers, each)
    facts = {
        "one worker, s": result.one,
        f"{workers} workers, s": result.several,
        "speedup": result.speedup,
        "efficiency": result.efficiency,
    }
    if as_json:
        print_json({**asdict(result), **facts, "quiet": result.quiet})
        return
    print_facts({name: number_text(value) for name, value in facts.items()})
    if not result.quiet:
        console.print(f"The machine was busy (load {result.load:.1f}): discard these figures.")


@bench.command("quality")
def bench_quality(
    datasets: Annotated[int, typer.Option(help="Number of datasets.", min=1)] = quality.DATASETS,
    benchmark: Annotated[
        list[str] | None, typer.Option(help="Only this benchmark; may be repeated.")
    ] = None,
    runs: Annotated[int, typer.Option(help="Runs per benchmark.", min=1)] = ask_quality.RUNS,
    moments: Annotated[int, typer.Option(help="Surrogates per run.", min=1)] = ask_quality.MOMENTS,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Compare the optima of both engines; and how often each reaches the largest UCB in runs.

    Takes half an hour; with one benchmark, some minutes.
    """
    keys = benchmark or ask_quality.BENCHMARKS
    rows = list(ask_quality.run(keys, runs=runs, moments=moments, seed=seed))
    _show(rows, quality.summarise(quality.run(datasets, seed=seed)), as_json)


@bench.command("peers")
def bench_peers(
    seconds: Annotated[float, typer.Option(help="Real time of a run.", min=0.1)] = peers.SECONDS,
    seeds: Annotated[int, typer.Option(help="Runs per peer and benchmark.", min=1)] = peers.SEEDS,
    chosen_benchmarks: Annotated[
        str, typer.Option("--benchmarks", help="Separated by commas.")
    ] = ",".join(peers.BENCHMARKS),
    chosen_peers: Annotated[str, typer.Option("--peers", help="Separated by commas.")] = ",".join(
        peers.PEERS
    ),
    python: Annotated[
        str | None, typer.Option(help="The Python of an environment with Xopt 3.2.")
    ] = None,
    cost: Annotated[float, typer.Option(help="Seconds that a query takes.", min=0)] = peers.COST,
    forgetting: Annotated[
        float | None, typer.Option(help="Seconds that Xopt remembers; default: a third of a run.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Race Bolt against Xopt, stock BoTorch and random points in real time.

    Takes peers x benchmarks x seeds x (seconds + start): about 50 minutes with the defaults.
    """
    keys, (can, left_out) = (
        split_words(chosen_benchmarks),
        peers.choose(split_words(chosen_peers), python),
    )
    peers.check(keys, seconds)
    quiet, runs = peers.is_quiet(), []
    forgetting = forgetting or peers.FORGETTING_SHARE * seconds
    settings = {"seconds": seconds, "cost": cost, "forgetting": forgetting}
    for run in peers.race(keys, seeds, settings, can, peers.opener(python)):
        notes.print(f"{run.benchmark}, seed {run.seed}, {run.peer}: {peers.in_words(run)}")
        runs.append(run)
    rows = peers.table(runs)
    if as_json:
        print_json(
            {
                "rows": [asdict(row) for row in rows],
                "runs": [asdict(run) for run in runs],
                **settings,
                "quiet": quiet,
                "left_out": left_out,
            }
        )
        return
    if rows:
        print_rows(rows)
    for remark in peers.remarks(settings, left_out, quiet=quiet):
        console.print(remark)


def _sizes(sizes: Sequence[int], largest: int) -> list[int]:
    return [n for n in sizes if n <= largest]


def _show(rows: Sequence[Any], facts: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        print_json({"rows": [asdict(row) for row in rows], **facts})
        return
    if rows:
        print_rows(rows)
    print_facts({k: v if isinstance(v, str) else number_text(v) for k, v in facts.items()})
    console.print("Times are CPU seconds of one thread with one BLAS thread, after a warm-up.")
