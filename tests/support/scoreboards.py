"""Results of a campaign made by hand, without running it."""

import numpy as np

from bolt_core.campaigns.results import Results, RunResult
from bolt_core.common.types import RunConfig
from tests.support.reports import PAPER_CLOCK

AVERAGES = ("over_queries", "over_time", "over_queries_with_warmup", "over_time_with_warmup")
MADE = {"cpu": "a CPU", "blas_threads": 1, "python": "3.11", "commit": "c", "versions": {}}


def run(algorithm, benchmark, seed, lost, **changes):
    config = RunConfig(algorithm, benchmark, seed=seed, clock=PAPER_CLOCK, **changes)
    times = np.linspace(1.0, 600.0, 50).tolist()
    falling = [lost * (1.0 + 1.0 / t) for t in times]
    sizes = [float(i + 1) for i in range(50)]
    averages = dict.fromkeys(AVERAGES, lost)
    numbers = (0.1 + 0.01 * len(algorithm), 40.0, 38.0 if algorithm == "bolt" else None, 900)
    curves = ((times, falling), (times, sizes))
    return RunResult(config, averages, *numbers, "closed form", *curves, horizon=600.0)


def results(lost, seeds=3, **changes):
    """Return results with the means {benchmark: {algorithm: mean}}; seeds lie 1 % apart."""
    runs = tuple(
        run(a, b, seed, mean * (1.0 + 0.01 * (seed - (seeds - 1) / 2)), **changes)
        for b, row in lost.items()
        for a, mean in row.items()
        for seed in range(seeds)
    )
    return Results("made", "", len(runs), runs, ({**MADE, "runs": len(runs)},))
