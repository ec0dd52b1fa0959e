"""Runs of a campaign beside the main setting, and the columns in which their outcomes are shown."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from bolt_core.analysis.seed_statistics import cell
from bolt_core.campaigns.results import RunResult
from bolt_core.common.types import ENGINES, ClockConfig, RunConfig
from bolt_core.report.model.blocks import UNKNOWN, number, whole, with_error
from bolt_core.report.model.cases import HEADLINE, HELD, cell_of, grouped, regret_of, setting, speed

MEDIANS = (
    " Median n and n*: means over the runs of their medians over passes. For n*, a pass without a "
    "limit counts as the highest; there is no value if most passes of one of the runs had none."
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
    """Return the regrets of the runs that have one, by a measure."""
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
    """Return the mean of the known values; NaN if there are none."""
    known = [v for v in values if v is not None]
    return float(np.mean(known)) if known else math.nan


def mean_limit(runs: Sequence[RunResult]) -> float:
    """Return the mean n*; NaN if one of the seeds has none."""
    stars = [r.n_star for r in runs]
    return math.nan if None in stars else mean(stars)


def speeds(runs: Sequence[RunResult]) -> list[float]:
    """Return the speeds of the devices, rising."""
    return sorted({s for r in runs if (s := speed(r.config)) is not None})


def within(runs: Sequence[RunResult]) -> str:
    """Return over which time the runs were made, in words."""
    horizon = runs[0].config.horizon
    return f"within {horizon:g} s" if horizon else "over the whole horizon"


def cut(runs: Sequence[RunResult]) -> str:
    """Return where the runs were cut, in words; empty if they have their benchmark's horizon."""
    horizon = runs[0].config.horizon
    return f", cut at {horizon:g} s" if horizon else ""
