"""Runs of a campaign beside the main setting, their outcomes, and the ablation of the engine."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from bolt_core.analysis.seed_statistics import cell
from bolt_core.campaigns.results import RunResult
from bolt_core.common.types import ENGINES, ClockConfig, RunConfig
from bolt_core.report.campaign_tables import MEAN_AND_ERROR, plain_table
from bolt_core.report.model.blocks import UNKNOWN, Section, number, whole, with_error
from bolt_core.report.model.cases import (
    HEADLINE,
    HELD,
    Cases,
    cell_of,
    grouped,
    regret_of,
    setting,
    speed,
)
from bolt_core.runs.lane_names import label

NO_LIMIT = (
    " Median n*: a pass without a limit counts as the highest; no value if most passes had none."
)
OUTCOMES = (
    "average regret",
    "held regret",
    "mean R(n) (s)",
    "median n",
    "median n*",
    "queries",
    "runs",
)


def engine(cases: Cases) -> Section | None:
    """Return one algorithm on two engines: the value of a faster one."""
    runs = on_both_engines(cases.results.runs)
    if not runs:
        return None
    rows = [
        (label(b), label(a), name, *outcomes([r for r in cell if r.config.engine.name == name]))
        for (b, a), cell in grouped(runs, cell_of).items()
        for name in ENGINES
    ]
    clock = runs[0].config.clock
    slowed = "" if clock.slowdown == 1.0 else f", times {clock.slowdown:g}"
    return Section(
        "ablation-engine",
        "Ablation: the GP engine, on the cpu clock",
        (
            "The same algorithm on two engines. A pass takes its CPU time on the processor named "
            f"above{slowed}{cut(runs)}. A faster engine makes more queries, and R(n) and n* "
            f"change with it. Regrets: {MEAN_AND_ERROR}.{NO_LIMIT}",
        ),
        (plain_table(("benchmark", "algorithm", "engine", *OUTCOMES), rows),),
    )


def on_both_engines(runs: Sequence[RunResult]) -> list[RunResult]:
    """Return runs on the cpu clock that differ in the engine only, of cells with both engines."""
    cpu = [run for run in runs if run.config.clock.kind == "cpu"]
    return _largest_group(
        cpu,
        lambda c: setting(replace(c, engine=replace(c.engine, name=ENGINES[0]))),
        lambda group: len({r.config.engine.name for r in group}) > 1,
    )


def at_several_speeds(runs: Sequence[RunResult]) -> list[RunResult]:
    """Return runs that differ in the speed of the device only, of cells with several speeds."""
    model = [run for run in runs if speed(run.config) is not None]
    return _largest_group(
        model,
        lambda c: setting(replace(c, clock=ClockConfig("model"))),
        lambda group: len(speeds(group)) > 1,
    )


def _largest_group(
    runs: Sequence[RunResult],
    same: Callable[[RunConfig], str],
    varied: Callable[[Sequence[RunResult]], bool],
) -> list[RunResult]:
    """Return the largest group of the same setting in which something varies.

    Only those of its cells are returned in which it varies.
    """
    groups = grouped(runs, lambda run: same(run.config))
    chosen = max(filter(varied, groups.values()), key=len, default=[])
    cells = grouped(chosen, cell_of)
    return [run for run in chosen if varied(cells[cell_of(run)])]


def regrets(runs: Sequence[RunResult], measure: str) -> list[float]:
    return [v for run in runs if (v := regret_of(run, measure)) is not None]


def outcomes(runs: Sequence[RunResult]) -> list[str]:
    """Return the values of the columns OUTCOMES."""
    return [
        *(_mean_regret(regrets(runs, measure)) for measure in (HEADLINE, HELD)),
        number(mean([r.response for r in runs])),
        whole(mean([r.size for r in runs])),
        whole(mean_limit(runs)),
        whole(mean([r.iterations for r in runs])),
        str(len(runs)),
    ]


def _mean_regret(values: Sequence[float]) -> str:
    if not values:
        return UNKNOWN
    regret = cell(values)
    return with_error(regret.mean, regret.error)


def mean(values: Sequence[float | None]) -> float:
    known = [v for v in values if v is not None]
    return float(np.mean(known)) if known else math.nan


def mean_limit(runs: Sequence[RunResult]) -> float:
    """Return the mean n*; NaN if one of the seeds has none."""
    stars = [r.n_star for r in runs]
    return math.nan if None in stars else mean(stars)


def speeds(runs: Sequence[RunResult]) -> list[float]:
    return sorted({s for r in runs if (s := speed(r.config)) is not None})


def cut(runs: Sequence[RunResult]) -> str:
    horizon = runs[0].config.horizon
    return f", cut at {horizon:g} s" if horizon else ""
