"""Compare two ways of running BOLT, seed by seed, from the pack of a campaign.

    python -m tools.paired_runs reports/around/runs.pack.jsonl.gz --first bolt-around --second bolt
    python -m tools.paired_runs reports/lengthscales/runs.pack.jsonl.gz --first ard --second one
    python -m tools.paired_runs PACK --first bolt --second bolt-keep --by speed --horizon 120
    python -m tools.paired_runs PACK --first bolt --second bolt-literal --whole
    python -m tools.paired_runs PACK --first bolt --second bolt --earlier EARLIER_PACK

Prints a Markdown table: per benchmark (and speed of the device) and for both measures, the means,
the mean difference first minus second with its 95 % t interval, p of the two-sided paired t test,
and on how many seeds the first is lower. A pair of which one run stopped asking is left out and
counted. A side is an algorithm, or `ard` and `one`: a lengthscale per input, and one for all.
`--corners` prints the share of queries at corners per seed. With `--whole` only runs over the whole
horizon, on the model clock and the paper device, are compared; a pack of several settings needs it.
`--horizon` takes the runs of the model clock that were cut there. With `--earlier` the second side
is from other packs, and `--whole` is implied.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from bolt_core.analysis.seed_statistics import paired
from bolt_core.campaigns import packs
from bolt_core.campaigns.run_result import RunResult
from bolt_core.report.model.cases import speed

Case = tuple[str, float]  # benchmark, and c0 of the device in seconds or 0
MEASURES: dict[str, Callable[[RunResult], float | None]] = {
    "average": lambda run: run.averages["over_queries"],
    "held": lambda run: run.held_regret,
}


def runs_of(
    files: Iterable[Path], *, whole: bool = False, horizon: float | None = None
) -> list[RunResult]:
    """Return the runs of packs that were cut at `horizon`, if given.

    If `whole`, return those over the whole horizon on the paper device.
    """
    runs = [run.result for pack in files for run in packs.read(pack).runs.values()]
    if horizon is not None:
        runs = [r for r in runs if r.config.horizon == horizon and r.config.clock.kind == "model"]
    return [r for r in runs if not whole or (r.config.horizon is None and speed(r.config) == 1.0)]


def side_of(run: RunResult) -> set[str]:
    """Return the names of the sides that a run may stand for."""
    return {run.config.algorithm, "ard" if run.config.engine.ard else "one"}


def speed_of(run: RunResult) -> float:
    """Return the constant term of the device's response time, in seconds: small is fast."""
    device = run.config.clock.device
    return float(device[0]) if isinstance(device, tuple | list) else 0.0


def by_case(
    runs: Iterable[RunResult], side: str, *, by_speed: bool
) -> dict[Case, dict[int, RunResult]]:
    """Return the runs of one side by benchmark, device and seed."""
    cases: dict[Case, dict[int, RunResult]] = defaultdict(dict)
    for run in runs:
        if side in side_of(run):
            case = (run.config.benchmark, speed_of(run) if by_speed else 0.0)
            if run.config.seed in cases[case]:
                raise SystemExit(
                    f"several runs of {side} on {run.config.benchmark} have the seed "
                    f"{run.config.seed}: choose one setting with --whole or --horizon (and --by "
                    "speed), or name an algorithm"
                )
            cases[case][run.config.seed] = run
    return cases


def table(
    first: dict[Case, dict[int, RunResult]], second: dict[Case, dict[int, RunResult]]
) -> Iterable[str]:
    """Yield the lines of the table."""
    from scipy.stats import ttest_rel

    yield "| benchmark | measure | first | second | first minus second [95 %] | p | lower on |"
    yield "|---|---|---|---|---|---|---|"
    for case in sorted(first.keys() & second.keys()):
        both = sorted(first[case].keys() & second[case].keys())
        seeds = [
            s for s in both if not (first[case][s].stopped_asking or second[case][s].stopped_asking)
        ]
        name = case[0] if not case[1] else f"{case[0]}, c0 = {case[1]:.3g} s"
        if len(seeds) < len(both):
            name += f" ({len(both) - len(seeds)} pairs stopped asking)"
        for measure, value in MEASURES.items():
            a = {s: v for s in seeds if (v := value(first[case][s])) is not None}
            b = {s: v for s in seeds if (v := value(second[case][s])) is not None}
            difference = paired(a, b)
            if difference is None:
                continue
            interval = ""
            p = "-"
            if difference.low is not None and difference.high is not None:
                interval = f" [{difference.low:+.3g}, {difference.high:+.3g}]"
                common = sorted(a.keys() & b.keys())
            if interval and not difference.equal:
                p = f"{ttest_rel([a[s] for s in common], [b[s] for s in common]).pvalue:.2g}"
            yield (
                f"| {name} | {measure} | {np.mean(list(a.values())):.4g} "
                f"| {np.mean(list(b.values())):.4g} | {difference.mean:+.3g}{interval} | {p} "
                f"| {difference.wins} of {difference.seeds} |"
            )


def corner_table(
    first: dict[Case, dict[int, RunResult]], second: dict[Case, dict[int, RunResult]]
) -> Iterable[str]:
    """Yield the shares of queries at corners, and of passes with l_S > sqrt(d), per seed."""
    yield "| benchmark | seed | corners, first | second | l_S > sqrt(d), first | second |"
    yield "|---|---|---|---|---|---|"
    for case in sorted(first.keys() & second.keys()):
        for seed in sorted(first[case].keys() & second[case].keys()):
            a, b = first[case][seed], second[case][seed]
            shares = (a.corner_share, b.corner_share, a.no_structure_share, b.no_structure_share)
            words = ["-" if share is None else f"{100.0 * share:.1f} %" for share in shares]
            yield f"| {case[0]} | {seed} | " + " | ".join(words) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables; the arguments are those of the command unless given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pack", type=Path)
    parser.add_argument("--first", required=True)
    parser.add_argument("--second", required=True)
    parser.add_argument("--by", choices=["speed"], help="keep devices of different speed apart")
    parser.add_argument("--corners", action="store_true")
    parser.add_argument("--whole", action="store_true", help="whole horizons on the paper device")
    parser.add_argument("--horizon", type=float, help="runs that were cut there, in seconds")
    parser.add_argument("--earlier", type=Path, nargs="+", help="packs of the second side")
    options = parser.parse_args(arguments)
    whole = options.whole or options.earlier is not None
    files = ([options.pack], options.earlier or [options.pack])
    sides = [
        by_case(
            runs_of(file, whole=whole, horizon=options.horizon),
            side,
            by_speed=options.by == "speed",
        )
        for file, side in zip(files, (options.first, options.second), strict=True)
    ]
    lines = corner_table(*sides) if options.corners else table(*sides)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
