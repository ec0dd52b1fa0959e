"""Made-up results for tests of the report: every mean is the paper's."""

from dataclasses import replace
from functools import cache

import numpy as np

from bolt_core import report
from bolt_core.analysis.paper_table import paper_table2
from bolt_core.campaigns import plan
from bolt_core.campaigns.results import Results, RunResult
from bolt_core.common import devices
from bolt_core.common.types import ClockConfig, RunConfig

PAPER_CLOCK = ClockConfig("model", device=devices.device("paper"))
MEANS = {b: row["mean"] for b, row in paper_table2()["benchmarks"].items()}


def result(config, regret, points=20, **changes):
    t = np.linspace(1.0, 600.0, points)
    noise = np.random.default_rng(config.seed).random(points)
    averages = {
        "over_queries": regret, "over_time": 2 * regret, "over_queries_with_warmup": 3 * regret,
        "over_time_with_warmup": 4 * regret,
    }  # fmt: skip
    made = RunResult(
        config, averages, 0.3, 120.0, 110.0 if "bolt" in config.algorithm else None, 900,
        "closed form", (t.tolist(), (regret + noise).tolist()),
        (t.tolist(), np.floor(15 + t / 10 + noise).tolist()), horizon=600.0,
    )  # fmt: skip
    return replace(made, **changes)


def invented(algorithms=plan.TABLE2, benchmarks=plan.PAPER, seeds=3, points=20, **choices):
    """Return runs whose means are the paper's; their seeds are one per cent apart."""
    choices = {"clock": PAPER_CLOCK, **choices}
    runs = tuple(
        result(
            RunConfig(a, b, seed=s, **choices),
            MEANS[b].get(a, 2 * MEANS[b]["abo"]) * (1 + 0.01 * (s - 1)),
            points,
        )
        for s in range(seeds)
        for b in benchmarks
        for a in algorithms
    )
    return Results("mine", "a note", len(runs), runs, ({"runs": len(runs), "cpu": "abacus"},))


@cache
def papers():
    """Return the results of the paper's Table 2, made up once."""
    return invented()


_sections_by_id = {}  # with the results, which have no hash: an id is theirs while they are kept


def sections(results):
    """Return the sections of the report, composed once per results; not to be changed."""
    if id(results) not in _sections_by_id:
        _sections_by_id[id(results)] = results, report.compose(results)
    return _sections_by_id[id(results)][1]


def section(results, name):
    return next(s for s in sections(results) if s.id == name)


def cells(table):
    return {row[0].text: row[1:] for row in table.rows}
