"""Ablations, if a campaign has their runs: the GP engine on the cpu clock, the device's speed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bolt_core.analysis.seed_statistics import cell
from bolt_core.campaigns.results import RunResult
from bolt_core.common.types import ENGINES, ClockConfig, RunConfig
from bolt_core.report.builders.figures import line, runs_by
from bolt_core.report.model.blocks import Chart, Entry, Section, Table, number, with_error
from bolt_core.report.model.cases import HEADLINE, Cases, cell_of, setting, speed
from bolt_core.runs.lane_names import label

NO_LIMIT = " Median n*: a pass without a limit counts as the highest; -: most passes had none."
OUTCOMES = ("average regret", "mean R(n) (s)", "median n", "median n*", "queries", "runs")


def engine(cases: Cases) -> Section | None:
    """One algorithm on two engines: what a faster one is worth."""
    runs = on_both_engines(cases.results.runs)
    if not runs:
        return None
    rows = []
    for b, a in dict.fromkeys(cell_of(r.config) for r in runs):
        both = {e: [r for r in runs_by(runs, b, a) if r.config.engine.name == e] for e in ENGINES}
        rows += [(label(b), label(a), e, *_outcome(mine)) for e, mine in both.items()]
    return Section(
        "ablation-engine",
        "Ablation: the GP engine, on the cpu clock",
        (
            "The same algorithm thinking with another engine, where thinking takes what it takes "
            f"the processor named above{_slowed(runs)}{_cut(runs)}. An engine that thinks faster "
            "makes more queries, and R(n) and n* follow it. Mean ± standard error over seeds."
            + NO_LIMIT,
        ),
        (_table(("benchmark", "algorithm", "engine"), rows),),
    )


def device(cases: Cases) -> Section | None:
    """Dataset size and n* against the speed of the declared device."""
    runs = swept(cases.results.runs)
    if not runs:
        return None
    charts, rows = [], []
    for b in dict.fromkeys(r.config.benchmark for r in runs):
        data = []
        for a in dict.fromkeys(r.config.algorithm for r in runs if r.config.benchmark == b):
            mine = runs_by(runs, b, a)
            by_speed = {s: [r for r in mine if speed(r.config) == s] for s in _speeds(mine)}
            rows += [(label(b), label(a), f"{s:g}", *_outcome(g)) for s, g in by_speed.items()]
            data += _against_speed(by_speed, a)
        layout = {
            "xaxis": {"title": {"text": "speed of the device (paper device: 1)"}, "type": "log"},
            "yaxis": {"title": {"text": "observations"}, "type": "log"},
        }
        if not data:
            continue
        alt = f"{label(b)}: median dataset size n, and n* where there is one, against speed."
        figure: dict[str, Any] = {"data": data, "layout": layout}
        limited = any(trace["name"].endswith("n*") for trace in data)
        said = (
            "n, and n* dotted, against speed" if limited else "n against speed; no limit n* was set"
        )
        title = f"{label(b)}: {said}"
        charts.append(Chart(f"ablation-speed-{b}", title, figure, alt))
    return Section(
        "ablation-speed",
        "Ablation: the speed of the device",
        (
            "The same algorithm on devices that think so many times as fast as the paper device"
            f"{_cut(runs)}; an observation costs the same on all. Does n* follow what the device "
            "can do? Mean ± standard error over seeds." + NO_LIMIT,
        ),
        (_table(("benchmark", "algorithm", "speed"), rows),),
        tuple(charts),
    )


def on_both_engines(runs: Sequence[RunResult]) -> list[RunResult]:
    """Runs on the cpu clock that differ in nothing but the engine, of cells with both."""
    cpu = [run for run in runs if run.config.clock.kind == "cpu"]
    groups = _groups(cpu, lambda c: setting(replace(c, engine=replace(c.engine, name=ENGINES[0]))))
    return _largest(groups, lambda group: len({r.config.engine.name for r in group}) > 1)


def swept(runs: Sequence[RunResult]) -> list[RunResult]:
    """Runs that differ in nothing but the model clock's speed, of cells with two speeds or more."""
    model = [run for run in runs if speed(run.config) is not None]
    groups = _groups(model, lambda c: setting(replace(c, clock=ClockConfig("model"))))
    return _largest(groups, lambda group: len(_speeds(group)) > 1)


def _largest(
    groups: Sequence[Sequence[RunResult]], varied: Callable[[Sequence[RunResult]], bool]
) -> list[RunResult]:
    """Of groups in which something varies the largest, and of that the cells in which it does."""
    chosen = max((group for group in groups if varied(group)), key=len, default=[])
    return [r for r in chosen if varied(runs_by(chosen, *cell_of(r.config)))]


def _groups(runs: Sequence[RunResult], alike: Callable[[RunConfig], str]) -> list[list[RunResult]]:
    found: dict[str, list[RunResult]] = defaultdict(list)
    for run in runs:
        found[alike(run.config)].append(run)
    return list(found.values())


def _against_speed(by_speed: Mapping[float, Sequence[RunResult]], key: str) -> list[dict[str, Any]]:
    """n, and n* dotted, at the speeds that have one: a run may end within its warm-up."""
    speeds = np.array(list(by_speed))
    sizes = np.array([_mean([r.size for r in group]) for group in by_speed.values()])
    stars = np.array([_limit(group) for group in by_speed.values()])
    n, n_star = (
        line(key, speeds[known], values[known])
        for values in (sizes, stars)
        for known in [np.isfinite(values)]
    )
    n_star |= {"name": f"{label(key)}, n*", "line": {**n_star["line"], "dash": "dot"}}
    return [trace for trace in (n, n_star) if trace["x"]]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    return Table((*heads, *OUTCOMES), tuple(tuple(map(Entry, row)) for row in rows))


def _outcome(runs: Sequence[RunResult]) -> list[str]:
    """What the runs came to: the columns of OUTCOMES."""
    lost = [v for r in runs if (v := r.averages[HEADLINE]) is not None]
    found = cell(lost) if lost else None
    return [
        with_error(found.mean, found.error) if found else "-",
        number(_mean([r.response for r in runs])),
        _whole(_mean([r.size for r in runs])),
        _whole(_limit(runs)),
        _whole(_mean([r.iterations for r in runs])),
        str(len(runs)),
    ]


def _mean(values: Sequence[float | None]) -> float:
    known = [v for v in values if v is not None]
    return float(np.mean(known)) if known else float("nan")


def _limit(runs: Sequence[RunResult]) -> float:
    """The mean n*; not a number where a seed has none."""
    stars = [r.n_star for r in runs if r.n_star is not None]
    return float(np.mean(stars)) if stars and len(stars) == len(runs) else float("nan")


def _whole(value: float) -> str:
    return f"{value:.0f}" if np.isfinite(value) else "-"


def _speeds(runs: Sequence[RunResult]) -> list[float]:
    return sorted({s for r in runs if (s := speed(r.config)) is not None})


def _slowed(runs: Sequence[RunResult]) -> str:
    slowdown = runs[0].config.clock.slowdown
    return "" if slowdown == 1.0 else f", taken {slowdown:g} times"


def _cut(runs: Sequence[RunResult]) -> str:
    horizon = runs[0].config.horizon
    return f", cut at {horizon:g} s" if horizon else ""
