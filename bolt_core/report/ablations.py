"""Ablations, if a campaign has their runs: the GP engine on the cpu clock, the device's speed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bolt_core.report.blocks import Chart, Entry, Section, Table, number
from bolt_core.report.cases import HEADLINE, Cases, label, setting, speed
from bolt_core.report.charts import line, runs_by
from bolt_core.results import RunResult
from bolt_core.types import ENGINES, ClockConfig


def engine(cases: Cases) -> Section | None:
    """One algorithm on two engines: R(n) falls, n* grows."""
    runs = [run for run in cases.results.runs if run.config.clock.kind == "cpu"]
    by_engine = {name: [r for r in runs if r.config.engine.name == name] for name in ENGINES}
    if not all(by_engine.values()):
        return None
    rows = []
    for b, a in dict.fromkeys((r.config.benchmark, r.config.algorithm) for r in runs):
        both = [runs_by(by_engine[name], b, a) for name in ENGINES]
        if all(both):
            figures = [
                (f"{_mean(r, what)}") for what in ("regret", "response", "n_star") for r in both
            ]
            rows.append(tuple(map(Entry, (label(b), label(a), *figures))))
    heads = [f"{what}, {name}" for what in ("regret", "R(n) s", "n*") for name in ENGINES]
    return Section(
        "ablation-engine",
        "Ablation: the GP engine, on the cpu clock",
        ("The same algorithm thinking with another engine; means over seeds.",),
        (Table(("benchmark", "algorithm", *heads), tuple(rows)),),
    )


def device(cases: Cases) -> Section | None:
    """Dataset size and n* against the speed of the declared device."""
    runs = _swept(cases.results.runs)
    if not runs:
        return None
    charts, tables = [], []
    for b in dict.fromkeys(r.config.benchmark for r in runs):
        keys = list(dict.fromkeys(r.config.algorithm for r in runs if r.config.benchmark == b))
        data = [trace for a in keys for trace in _against_speed(runs_by(runs, b, a), a)]
        layout = {
            "xaxis": {"title": {"text": "speed of the device (paper device: 1)"}, "type": "log"},
            "yaxis": {"title": {"text": "observations"}, "type": "log"},
        }
        alt = f"{label(b)}: median dataset size and, for BOLT, n* against the device's speed."
        figure: dict[str, Any] = {"data": data, "layout": layout}
        charts.append(Chart(f"ablation-speed-{b}", label(b), figure, alt))
        tables.append(_regrets(runs, b, keys))
    return Section(
        "ablation-speed",
        "Ablation: the speed of the device",
        ("A faster device can think with more observations in the same time: n* adapts.",),
        tuple(tables),
        tuple(charts),
    )


def _swept(runs: Sequence[RunResult]) -> list[RunResult]:
    """The largest group that differs in nothing but the model clock's speed, if there is one."""
    groups: dict[str, list[RunResult]] = defaultdict(list)
    for run in runs:
        if speed(run.config) is not None:
            groups[setting(replace(run.config, clock=ClockConfig("model")))].append(run)
    swept = [g for g in groups.values() if len({speed(r.config) for r in g}) > 1]
    if not swept:
        return []
    chosen = max(swept, key=len)
    both = {cell for cell, count in _speeds_of(chosen).items() if count > 1}
    return [r for r in chosen if (r.config.benchmark, r.config.algorithm) in both]


def _speeds_of(runs: Sequence[RunResult]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], set[float | None]] = defaultdict(set)
    for run in runs:
        found[run.config.benchmark, run.config.algorithm].add(speed(run.config))
    return {cell: len(speeds) for cell, speeds in found.items()}


def _against_speed(runs: Sequence[RunResult], key: str) -> list[dict[str, Any]]:
    speeds = _speeds(runs)
    groups = [[r for r in runs if speed(r.config) == s] for s in speeds]
    sizes = np.array([np.mean([r.size or np.nan for r in group]) for group in groups])
    stars = [[r.n_star for r in group if r.n_star is not None] for group in groups]
    traces = [line(key, np.array(speeds), sizes)]
    if all(stars):
        trace = line(key, np.array(speeds), np.array([np.mean(s) for s in stars]))
        traces.append(
            {**trace, "name": f"{label(key)}, n*", "line": {**trace["line"], "dash": "dot"}}
        )
    return traces


def _regrets(runs: Sequence[RunResult], benchmark: str, keys: Sequence[str]) -> Table:
    here = [r for r in runs if r.config.benchmark == benchmark]
    speeds = _speeds(here)
    rows = []
    for a in keys:
        mine = runs_by(here, benchmark, a)
        cells = [_mean([r for r in mine if speed(r.config) == s], "regret") for s in speeds]
        rows.append((Entry(label(a)), *map(Entry, cells)))
    heads = (f"{label(benchmark)}: average regret at speed", *(f"{s:g}" for s in speeds))
    return Table(heads, tuple(rows))


def _speeds(runs: Sequence[RunResult]) -> list[float]:
    return sorted({s for r in runs if (s := speed(r.config)) is not None})


def _mean(runs: Sequence[RunResult], what: str) -> str:
    values = [r.averages[HEADLINE] if what == "regret" else getattr(r, what) for r in runs]
    known = [v for v in values if v is not None]
    return number(float(np.mean(known))) if known else "-"
