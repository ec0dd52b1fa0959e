"""The paper's figures as plain dicts: Figure 2, Figure 3, Figures 4-13, and regret over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.curves import mean_curve
from bolt_core.analysis.downsample import rounded
from bolt_core.campaigns.results import RunResult
from bolt_core.common.text import counted
from bolt_core.common.types import Array
from bolt_core.figures.shared.palette import line_style
from bolt_core.report.builders.tables import DAGGER, NOT_COMPARABLE, listed, paper_overall
from bolt_core.report.model.blocks import Chart, Section, number, printed_mean, printed_overall
from bolt_core.report.model.cases import HEADLINE, Cases, means
from bolt_core.runs.lane_names import label

# Figures 4 to 13, in the order of the paper's Appendix C.
FIGURES = (
    "schwefel", "eggholder", "ackley", "shekel", "griewank", "hartmann3", "hartmann6", "powell",
    "temperature", "wlan",
)  # fmt: skip
FIRST = 4
WIDE = 12.0  # a ratio of largest to smallest beyond which an axis is logarithmic
GREY = "#A3A9B3"
CLOSED = "closed form"  # the source of a benchmark that is a formula


def figure2(cases: Cases) -> Section | None:
    """Normalised regret: bars, the paper's in grey."""
    cells = cases.complete()
    if not cells:
        return None
    total = seed_statistics.overall(means(cells), cases.reference)
    keys = [a for a in cases.algorithms if a in total]
    printed = paper_overall(cases, cells)
    theirs = [a for a in keys if a in printed["mean"]]
    bars = _bars(
        "these runs",
        {a: (total[a].mean, total[a].error or 0.0) for a in keys},
        [line_style(a).light for a in keys],
    )
    grey = _bars(
        "the paper",
        {a: (printed["mean"][a], printed["error"].get(a, 0.0)) for a in theirs},
        [GREY] * len(theirs),
    )
    best = first(total, printed_overall)
    layout = {**_axes("", "normalised average regret"), "barmode": "group"}
    lowest_of = f"{listed(best)}, {number(total[best[0]].mean, 2)}"
    alt = f"Lowest: {lowest_of} over {counted(len(cells), 'benchmark')}."
    data = [bars, grey] if theirs else [bars]
    grey_words = " Grey: the paper, over the same benchmarks and algorithms." if theirs else ""
    return Section(
        "figure-2",
        "Figure 2: normalised average regret",
        (f"Over {counted(len(cells), 'benchmark')}; lower is better. {alt}{grey_words}",),
        charts=(Chart("figure-2", "", _figure(data, layout), alt),),
    )


def figure3(cases: Cases) -> Section | None:
    """Dataset sizes where forgetting helps and where it does not."""
    there = [b for b in ("eggholder", "powell") if b in cases.benchmarks]
    if not there:
        return None
    return Section(
        "figure-3",
        "Figure 3: dataset sizes on Eggholder and Powell",
        ("Number of observations kept, n, mean over seeds; log scale.",),
        charts=tuple(_sizes(cases, b, f"figure-3-{b}") for b in there),
    )


def of_benchmarks(cases: Cases) -> list[Section]:
    """Figures 4 to 13, in the paper's order, then benchmarks of ours."""
    strangers = [b for b in cases.benchmarks if b not in FIGURES]
    ordered = [b for b in FIGURES if b in cases.benchmarks] + strangers
    return [_of_benchmark(cases, b) for b in ordered]


def _of_benchmark(cases: Cases, benchmark: str) -> Section:
    ours = benchmark not in FIGURES
    name = f"figure-{benchmark if ours else FIGURES.index(benchmark) + FIRST}"
    title = f"{'Not in the paper' if ours else name.replace('figure-', 'Figure ')}: "
    sources = {run.source for run in cases.main if run.config.benchmark == benchmark}
    said = "; ".join(sorted(sources - {CLOSED}))
    beside = cases.beside_paper and benchmark in NOT_COMPARABLE
    return Section(
        name,
        title + label(benchmark) + DAGGER * beside,
        (
            f"{'' if ours else 'As in the paper: '}average response time R(n) against average "
            "regret, one point an algorithm, bars its standard error over seeds; then dataset "
            f"sizes. {'Then' if ours else 'Not in the paper:'} average regret over queries so far, "
            "without the warm-up. Lines are means over seeds."
            + (f" Objective: {said}." if said else ""),
        ),
        charts=(
            _response(cases, benchmark, f"{name}-response"),
            _sizes(cases, benchmark, f"{name}-size"),
            _regret(cases, benchmark, f"{name}-regret"),
        ),
        notes=(f"{DAGGER} {NOT_COMPARABLE[benchmark]}",) if beside else (),
    )


def _response(cases: Cases, benchmark: str, name: str) -> Chart:
    data = []
    for a in cases.algorithms:
        runs = cases.of(benchmark, a)
        lost = [v for run in runs if (v := run.averages[HEADLINE]) is not None]
        slow = [run.response for run in runs if run.response is not None]
        if lost and slow:
            found = seed_statistics.cell(lost)
            data.append(_point(a, float(np.mean(slow)), found.mean, found.error or 0.0))
    layout = _axes("average response time R(n) (s)", "average regret")
    _log_if_wide(layout, "xaxis", [t["x"] for t in data])
    _log_if_wide(layout, "yaxis", [t["y"] for t in data])
    alt = lowest(cases, benchmark)
    return Chart(name, f"{label(benchmark)}: response time and regret", _figure(data, layout), alt)


def lowest(cases: Cases, benchmark: str) -> str:
    """As the marks of Table 2 have it."""
    best = listed(first(cases.fair_row(benchmark))) or "not known yet"
    return f"Lowest average regret on {label(benchmark)}: {best}."


def first(
    row: Mapping[str, seed_statistics.Cell], printed: seed_statistics.Printed = printed_mean
) -> list[str]:
    """Return the algorithms that a table with the number format `printed` marks as best."""
    return [a for a, mark in seed_statistics.marks(row, printed).items() if mark == "best"]


def _sizes(cases: Cases, benchmark: str, name: str) -> Chart:
    data = [
        line(a, *mean_curve([run.size_curve for run in runs], stepped=True)[:2])
        for a in cases.algorithms
        if (runs := cases.of(benchmark, a))
    ]
    layout = _axes("time (s)", "dataset size n")
    layout["yaxis"]["type"] = "log"
    ends = {t["name"]: t["y"][-1] for t in data if t["y"]}
    alt = f"{label(benchmark)}, n at the end: " + ", ".join(f"{k} {v:.0f}" for k, v in ends.items())
    return Chart(name, f"{label(benchmark)}: dataset size", _figure(data, layout), alt + ".")


def _regret(cases: Cases, benchmark: str, name: str) -> Chart:
    data = [
        line(a, *mean_curve([run.regret_curve for run in runs])[:2])
        for a in cases.algorithms
        if (runs := cases.of(benchmark, a))
    ]
    layout = _axes("time (s)", "average regret so far")
    _log_if_wide(layout, "yaxis", [t["y"] for t in data])
    alt = f"Average regret over queries without warm-up on {label(benchmark)}, mean over seeds."
    return Chart(name, f"{label(benchmark)}: regret over time", _figure(data, layout), alt)


def line(key: str, x: Array, y: Array) -> dict[str, Any]:
    style = line_style(key)
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": key,
        "name": label(key),
        "x": rounded(x, 5),
        "y": rounded(y, 5),
        "line": {"color": style.light, "dash": style.dash, "width": style.width},
    }


def _point(key: str, x: float, y: float, error: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": label(key),
        "text": [label(key)],
        "textposition": "middle right",
        "showlegend": False,
        "x": [float(f"{x:.5g}")],
        "y": [float(f"{y:.5g}")],
        "error_y": {"type": "data", "array": [float(f"{error:.3g}")], "thickness": 1},
        "marker": {"color": line_style(key).light, "size": 9},
        "textfont": {"color": line_style(key).light},
        "cliponaxis": False,
    }


def _bars(
    name: str, values: Mapping[str, tuple[float, float]], colours: Sequence[str]
) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": name,
        "x": [label(a) for a in values],
        "y": [round(mean, 4) for mean, _ in values.values()],
        "error_y": {"type": "data", "array": [round(e, 4) for _, e in values.values()]},
        "marker": {"color": list(colours)},
        "showlegend": False,
    }


def _figure(data: list[dict[str, Any]], layout: dict[str, Any]) -> dict[str, Any]:
    return {"data": data, "layout": layout}


def _axes(x: str, y: str) -> dict[str, Any]:
    return {"xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": y}}}


def _log_if_wide(layout: dict[str, Any], axis: str, columns: Sequence[Sequence[float]]) -> None:
    values = [v for column in columns for v in column if v is not None]
    if values and min(values) > 0 and max(values) > WIDE * min(values):
        layout[axis]["type"] = "log"


def runs_by(runs: Sequence[RunResult], benchmark: str, algorithm: str) -> list[RunResult]:
    cell = (benchmark, algorithm)
    return [run for run in runs if (run.config.benchmark, run.config.algorithm) == cell]
