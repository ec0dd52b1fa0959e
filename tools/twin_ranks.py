"""Does a race on the twin of a log say which algorithm is best on the process behind it?

    python -m tools.twin_ranks run --out FILE      appends; leaves out what is in the file
    python -m tools.twin_ranks table FILE

For each of ten processes (gp-sample, environments 710 to 719, d = 2, l_T = 60 s), a log of 300 rows
is recorded on it, one every 2 s, with a noise of 0.1: at random settings for even environments, and
by slow steps of 0.15 from one setting to the next for odd ones. Its analysis gives a twin, of which
nothing but the 300 rows is known. Six algorithms then run on the process and on the twin, with the
same cost of a query (the twin's, 2 s), over the first 300 s, on the model clock of the paper
device, seeds 0 and 1. BOLT's rank is that of its average regret, the mean of the seeds.

What counts was decided before the first run: ranks agree if they differ by at most one, and they
should in at least 8 of 10 processes. How often they are the same is printed as well, and so is the
mean rank correlation over all six algorithms.
"""

import argparse
import hashlib
import json
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis.regret import average_over_queries
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.benchmarks.twin import spec_of
from bolt_core.common import devices, runtime
from bolt_core.common.knobs import Real
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.logs.analysis import analyse
from bolt_core.logs.log import Log, Roles
from bolt_core.logs.twin import twin_of
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.runs import loop
from bolt_core.runs.snapshot import RunHistory

ENVIRONMENTS = tuple(range(710, 720))
ALGORITHMS = ("bolt", "w-dbo", "gpucb", "sw-gpucb", "r-gpucb", "random")
SEEDS = (0, 1)
ROWS, SPACING, STEP = 300, 2.0, 0.15
HORIZON = 300.0
BOARDS = ("process", "twin")
ENOUGH = 8  # of ten


def process(environment: int) -> Benchmark:
    """Return the true objective."""
    return benchmarks.load("gp-sample", environment=environment)


def recorded(environment: int) -> Log:
    """Return a log of the true objective."""
    rng = np.random.default_rng((environment, 1))
    true = process(environment)
    times = np.arange(ROWS, dtype=float) * SPACING
    if environment % 2 == 0:
        X = rng.random((ROWS, true.dimension))
    else:
        steps = STEP * rng.standard_normal((ROWS, true.dimension))
        walk = rng.random(true.dimension) + np.cumsum(steps, axis=0)
        X = 1.0 - np.abs(np.mod(walk, 2.0) - 1.0)  # reflected at the borders
    y = true.value(X, times) + true.noise_variance**0.5 * rng.standard_normal(ROWS)
    names = tuple(f"x{k + 1}" for k in range(true.dimension))
    spec = ProblemSpec({name: Real(0.0, 1.0) for name in names})
    rows = np.column_stack([times, X, y])
    return Log(
        name=f"process {environment}",
        sha256=hashlib.sha256(rows.tobytes()).hexdigest(),
        times=times,
        origin=None,
        spec=spec,
        X=X,
        y=y,
        roles=Roles("time", names, spec.outcome),
    )


def boards(environment: int) -> tuple[dict[str, Benchmark], dict[str, Any]]:
    """Return the process and the twin of its log, at the same cost, and what was fitted."""
    log = recorded(environment)
    verdict = analyse(log)
    definition = twin_of(log, verdict, seed=environment)
    twin = spec_of(definition).build()
    true = process(environment)
    row = replace(true.row, cost=twin.cost)
    fitted = {
        "drift": str(verdict.drift),
        "lengthscale_time": verdict.lengthscale,
        "noise_sd": definition.noise_variance**0.5,
    }
    return {"process": replace(true, row=row), "twin": twin}, fitted


def regret(board: Benchmark, algorithm: str, seed: int) -> tuple[float, int]:
    """Return the average regret of a run and the number of its queries."""
    clock = ClockConfig("model", device=devices.device("paper"))
    config = RunConfig(algorithm, board.key, seed=seed, horizon=HORIZON, clock=clock)
    run = loop.Run(config, board)
    history = RunHistory(board.dimension)
    for record in loop.iterate(run):
        history.append(record)
    average = average_over_queries(history.view())
    assert average is not None  # the horizon is longer than the warm-up
    return average, history.length


def run(out: Path) -> None:
    """Append one line per run that is not in the file, all processes with the first seed first."""
    done = {_place(line) for line in _lines(out)}
    for seed, environment in product(SEEDS, ENVIRONMENTS):
        places = [(environment, *pair, seed) for pair in product(BOARDS, ALGORITHMS)]
        if missing := [place for place in places if place not in done]:
            made, fitted = boards(environment)
            for _, name, algorithm, _ in missing:
                average, queries = regret(made[name], algorithm, seed)
                line = {
                    "environment": environment,
                    "board": name,
                    "algorithm": algorithm,
                    "seed": seed,
                    "regret": average,
                    "queries": queries,
                    **fitted,
                }
                with out.open("a") as file:
                    file.write(json.dumps(line) + "\n")


def table(file: Path) -> None:
    """Print BOLT's two ranks per process, and in how many they agree."""
    lines = _lines(file)
    same = near = complete = 0
    correlations = []
    for environment in ENVIRONMENTS:
        found = [line for line in lines if line["environment"] == environment]
        seeds = len(found) / (len(BOARDS) * len(ALGORITHMS))
        if seeds not in range(1, len(SEEDS) + 1):
            continue
        means = {name: _means(found, name) for name in BOARDS}
        ranks = {name: np.argsort(np.argsort(means[name])) + 1 for name in BOARDS}
        true, twin = (int(ranks[name][0]) for name in BOARDS)
        correlations.append(float(np.corrcoef(ranks["process"], ranks["twin"])[0, 1]))
        same, near, complete = same + (true == twin), near + (abs(true - twin) <= 1), complete + 1
        regrets = "; ".join(
            f"{name}: " + ", ".join(map("{} {:.2f}".format, ALGORITHMS, means[name]))
            for name in BOARDS
        )
        sys.stdout.write(
            f"{environment}: BOLT is {true} on the process, {twin} on the twin (drift "
            f"{found[0]['drift']}, l_T {found[0]['lengthscale_time']:.0f} s, {seeds:.0f} seeds). "
            f"{regrets}\n"
        )
    if complete:
        sys.stdout.write(
            f"same rank in {same}, within one in {near} of {complete} (enough: {ENOUGH} of "
            f"{len(ENVIRONMENTS)}); mean rank correlation {np.mean(correlations):.2f}\n"
        )


def _means(lines: list[dict[str, Any]], board: str) -> list[float]:
    """Return the mean regret of each algorithm on one of the two."""
    return [
        float(
            np.mean(
                [r["regret"] for r in lines if r["board"] == board and r["algorithm"] == algorithm]
            )
        )
        for algorithm in ALGORITHMS
    ]


def _place(line: dict[str, Any]) -> tuple[int, str, str, int]:
    return line["environment"], line["board"], line["algorithm"], line["seed"]


def _lines(file: Path) -> list[dict[str, Any]]:
    if not file.exists():
        return []
    return [json.loads(text) for text in file.read_text().splitlines() if text.endswith("}")]


def main() -> None:
    """Run what is missing, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run").add_argument("--out", type=Path, required=True)
    commands.add_parser("table").add_argument("file", type=Path)
    chosen = parser.parse_args()
    runtime.configure()
    if chosen.command == "run":
        run(chosen.out)
    else:
        table(chosen.file)


if __name__ == "__main__":
    main()
