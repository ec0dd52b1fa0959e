"""`bolt bench`: measurements of this machine, as ratios within one run."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from bolt_core.bench import campaign as campaign_bench
from bolt_core.bench import clock as clock_bench
from bolt_core.bench import decision, iteration, quality
from bolt_core.bench import engine as engine_bench
from bolt_core.bench import frames as frames_bench
from bolt_core.bench import w2 as w2_bench
from bolt_core.bench.timing import headings
from bolt_core.cli._parts import console, number_text, print_facts, print_json, print_rows
from bolt_core.common import runtime

bench = typer.Typer(help="Measure this machine: ratios within one run.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Largest = Annotated[int, typer.Option(help="Leave out sizes above this n.", min=50)]
Seed = Annotated[int, typer.Option(help="Seed of the synthetic data.", min=0)]


@bench.callback()
def options() -> None:
    runtime.configure()


@bench.command()
def clock(
    blocks: Annotated[int, typer.Option(help="Blocks of each kind.", min=3)] = clock_bench.BLOCKS,
    as_json: AsJson = False,
) -> None:
    """Measure how much other load changes what the cpu and the wall clock charge."""
    found = clock_bench.run(blocks)
    if as_json:
        print_json({**asdict(found), "fair": found.fair})
        return
    print_facts(
        {
            "cpu clock, beside / alone": f"{found.cpu_ratio:.2f}",
            "wall clock, beside / alone": f"{found.wall_ratio:.2f}",
            "thread_time / process_time": f"{found.thread_to_process:.3f}",
            "charged to short calls": f"{1e3 * found.charged:.0f} ms per second of other work",
            "verdict": "fair" if found.fair else "NOT fair on this machine now",
        }
    )


@bench.command()
def engine(largest: Largest = 400, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Compare inference and acquisition with stock BoTorch. Takes half a minute."""
    rows = engine_bench.run(_sizes(engine_bench.SIZES, largest), seed=seed)
    _show(engine_bench.Row, rows, {}, as_json)


@bench.command()
def w2(
    datasets: Annotated[int, typer.Option(help="To check the removal choice.", min=1)] = 40,
    largest: Largest = 400,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Compare removal scores with the public wdbo-criterion, and check the removal choice."""
    rows = w2_bench.run(_sizes(w2_bench.SIZES, largest), seed=seed)
    chosen = decision.run(datasets, seed=seed)
    share = decision.share_within(chosen)
    _show(w2_bench.Row, rows, {f"right within 2 % ({datasets} datasets)": share}, as_json)


@bench.command("iteration")
def whole_pass(
    cost: Annotated[float, typer.Option(help="R(0) for n*, seconds.", min=0.0, max=1e6)] = 0.1,
    largest: Annotated[int, typer.Option(help="Leave out sizes above this n.", min=200)] = 800,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Measure a whole BOLT pass, R(n) of this machine and the n* it implies."""
    rows = iteration.run(_sizes(iteration.SIZES, largest), seed=seed)
    found = iteration.calibrate(rows, cost=cost)
    facts: dict[str, Any] = {
        "growth: R(n) ~ n^p, p": iteration.growth(rows),
        "c0,c1,c2,c3 (--device)": ",".join(f"{c:.3g}" for c in found.coefficients),
    }
    for l_T, n_star in found.recommended.items():
        facts[f"n* for l_T = {l_T:g} s, R(0) = {cost:g} s"] = n_star or "no limit"
    _show(iteration.Row, rows, facts, as_json)


@bench.command()
def frames(
    lanes: Annotated[int, typer.Option(help="Algorithms in the race.", min=1, max=9)] = 9,
    passes: Annotated[int, typer.Option(help="Passes per algorithm.", min=20)] = 5000,
    as_json: AsJson = False,
) -> None:
    """Measure the cost of a dashboard tick per chart: CPU of the server, bytes per viewer."""
    rows = frames_bench.run(lanes, passes)
    _show(frames_bench.Row, rows, {}, as_json)


@bench.command("campaign")
def side_by_side(
    workers: Annotated[int, typer.Option(help="Processes, one thread each.", min=2)] = 2,
    each: Annotated[int, typer.Option(help="Runs per worker.", min=1)] = 4,
    as_json: AsJson = False,
) -> None:
    """Measure the speedup of several campaign workers over one. Takes a minute or two."""
    found = campaign_bench.run(workers, each)
    facts = {
        "one worker, s": found.one,
        f"{workers} workers, s": found.several,
        "speedup": found.speedup,
        "efficiency": found.efficiency,
    }
    if as_json:
        print_json({**asdict(found), **facts, "quiet": found.quiet})
        return
    print_facts({name: number_text(value) for name, value in facts.items()})
    if not found.quiet:
        console.print(f"The machine was busy (load {found.load:.1f}): discard these figures.")


@bench.command("quality")
def as_good(
    datasets: Annotated[int, typer.Option(help="Number of datasets.", min=1)] = quality.DATASETS,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Compare the likelihood and UCB values of both engines. Takes several minutes."""
    found = quality.summarise(quality.run(datasets, seed=seed))
    _show(None, [], asdict(found), as_json)


def _sizes(sizes: Sequence[int], largest: int) -> list[int]:
    return [n for n in sizes if n <= largest]


def _show(row: type | None, rows: list[Any], facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json({"rows": [asdict(row) for row in rows], **facts})
        return
    if row is not None:
        print_rows(headings(row), rows)
    print_facts({k: v if isinstance(v, str) else number_text(v) for k, v in facts.items()})
    console.print("Times are CPU seconds of one thread with one BLAS thread, after a warm-up.")
