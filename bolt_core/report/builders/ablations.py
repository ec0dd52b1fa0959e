"""Sections with ablations, if a campaign has their runs: the GP engine, the device's speed."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from bolt_core.analysis.seed_statistics import Cell, cell
from bolt_core.campaigns.results import Curve, RunResult
from bolt_core.common.types import ENGINES, ClockConfig, RunConfig
from bolt_core.report import speed_charts
from bolt_core.report.campaign_tables import MEAN_AND_ERROR, plain_table
from bolt_core.report.model.blocks import UNKNOWN, Chart, Section, number, whole, with_error
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
        (label(b), label(a), name, *_outcomes([r for r in cell if r.config.engine.name == name]))
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
            f"above{slowed}{_cut(runs)}. A faster engine makes more queries, and R(n) and n* "
            f"change with it. Regrets: {MEAN_AND_ERROR}.{NO_LIMIT}",
        ),
        (plain_table(("benchmark", "algorithm", "engine", *OUTCOMES), rows),),
    )


def device(cases: Cases) -> Section | None:
    """Return regret, dataset size and n* against the speed of the declared device."""
    runs = at_several_speeds(cases.results.runs)
    if not runs:
        return None
    rows = []
    lines: dict[str, list[tuple[str, str, Curve]]] = defaultdict(list)
    for (b, a), cell_runs in grouped(runs, cell_of).items():
        groups = {s: [r for r in cell_runs if speed(r.config) == s] for s in _speeds(cell_runs)}
        rows += [(label(b), label(a), f"{s:g}", *_outcomes(g)) for s, g in groups.items()]
        sizes = {"n": [_mean([r.size for r in g]) for g in groups.values()]}
        sizes["n*"] = [_mean_limit(g) for g in groups.values()]
        for what, values in sizes.items():
            known = [(s, v) for s, v in zip(groups, values, strict=True) if math.isfinite(v)]
            if known:  # a run may end within its warm-up
                lines[b].append((a, what, ([s for s, _ in known], [v for _, v in known])))
    return Section(
        "ablation-speed",
        "Ablation: the speed of the device",
        (
            "The same algorithms on devices of several speeds; the paper device has speed 1"
            f"{_cut(runs)}. An observation costs the same on all. Does n* follow the speed of the "
            f"device? Regrets: {MEAN_AND_ERROR}.{NO_LIMIT}",
        ),
        (plain_table(("benchmark", "algorithm", "speed", *OUTCOMES), rows),),
        (*_regret_charts(runs), *(_size_chart(b, curves) for b, curves in lines.items())),
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
        lambda group: len(_speeds(group)) > 1,
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


def _regret_charts(runs: Sequence[RunResult]) -> Iterator[Chart]:
    """Yield both regrets against the speed, for benchmarks on which algorithms can be compared."""
    for benchmark, on_benchmark in grouped(runs, lambda run: run.config.benchmark).items():
        by_algorithm = grouped(on_benchmark, lambda run: run.config.algorithm)
        for key, measure in ((HEADLINE, "average regret"), (HELD, "held regret")):
            lines = [(a, _cells(each, key)) for a, each in by_algorithm.items()]
            lines = [(a, cells) for a, cells in lines if len(cells) > 1]
            if len(lines) > 1:
                figure = speed_charts.regrets(benchmark, measure, lines)
                title = f"{label(benchmark)}: {measure} against speed"
                yield Chart(f"ablation-speed-{measure.split()[0]}-{benchmark}", title, figure)


def _cells(runs: Sequence[RunResult], measure: str) -> list[tuple[float, Cell]]:
    """Return the mean regret at each speed at which there is one."""
    by_speed = {
        s: _regrets([r for r in runs if speed(r.config) == s], measure) for s in _speeds(runs)
    }
    return [(s, cell(values)) for s, values in by_speed.items() if values]


def _regrets(runs: Sequence[RunResult], measure: str) -> list[float]:
    return [v for run in runs if (v := regret_of(run, measure)) is not None]


def _size_chart(benchmark: str, lines: Sequence[tuple[str, str, Curve]]) -> Chart:
    limited = any(what == "n*" for _, what, _ in lines)
    shown = "n, and n* dotted, against speed" if limited else "n against speed; n* set no limit"
    figure = speed_charts.sizes(benchmark, lines)
    return Chart(f"ablation-speed-{benchmark}", f"{label(benchmark)}: {shown}", figure)


def _outcomes(runs: Sequence[RunResult]) -> list[str]:
    """Return the values of the columns OUTCOMES."""
    return [
        *(_mean_regret(_regrets(runs, measure)) for measure in (HEADLINE, HELD)),
        number(_mean([r.response for r in runs])),
        whole(_mean([r.size for r in runs])),
        whole(_mean_limit(runs)),
        whole(_mean([r.iterations for r in runs])),
        str(len(runs)),
    ]


def _mean_regret(values: Sequence[float]) -> str:
    if not values:
        return UNKNOWN
    regret = cell(values)
    return with_error(regret.mean, regret.error)


def _mean(values: Sequence[float | None]) -> float:
    known = [v for v in values if v is not None]
    return float(np.mean(known)) if known else math.nan


def _mean_limit(runs: Sequence[RunResult]) -> float:
    """Return the mean n*; NaN if one of the seeds has none."""
    stars = [r.n_star for r in runs]
    return math.nan if None in stars else _mean(stars)


def _speeds(runs: Sequence[RunResult]) -> list[float]:
    return sorted({s for r in runs if (s := speed(r.config)) is not None})


def _cut(runs: Sequence[RunResult]) -> str:
    horizon = runs[0].config.horizon
    return f", cut at {horizon:g} s" if horizon else ""
