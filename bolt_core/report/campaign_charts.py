"""A campaign's charts for the browser: one line or point an algorithm, every seed faint behind it.

Colours are the browser's, by `meta`. Curves are those of results.py: average regret and dataset
size over time, at most 200 points a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.curves import mean_curve
from bolt_core.campaigns.results import Curve, RunResult
from bolt_core.figures.arena.response_against_regret import names, ticks
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.report import campaign_traces
from bolt_core.report.builders.figures import WIDE, first, lowest
from bolt_core.report.builders.pairs import SEED, few
from bolt_core.report.builders.tables import UNEQUAL, listed, paper_overall
from bolt_core.report.model.blocks import Chart, number, printed_overall
from bolt_core.report.model.cases import HEADLINE, Cases, means
from bolt_core.runs.lane_names import label

TALL = 250.0  # pixels between the axes, about
ALL = 12  # names at the ends of still lines: there is room for as many
UNASKED = "No run on {} has made a query after its warm-up yet."
Drawn = list[tuple[dict[str, Any], Any]]


def figure2(cases: Cases) -> dict[str, Any]:
    """Normalised average regret: bars, a dot a benchmark, the paper's bars pale beside them."""
    cells = cases.complete()
    if not cells:
        return text_chart(UNEQUAL)
    total = seed_statistics.overall(means(cells), cases.reference)
    rows = [seed_statistics.normalised(row, cases.reference) for row in means(cells).values()]
    keys = [a for a in cases.algorithms if a in total]
    printed = paper_overall(cases, cells)
    drawn: Drawn = [(campaign_traces.bar(a, total[a]), None) for a in keys]
    theirs = {label(a): printed["mean"][a] for a in keys if a in printed["mean"]}
    if theirs:
        drawn.append((campaign_traces.paper_bars(theirs), None))
    drawn += [
        (campaign_traces.dots(a, [label(a)] * len(rows), [row[a] for row in rows]), None)
        for a in keys
    ]
    best = listed(first(total, printed_overall))
    told = ", ".join(f"{label(a)} {total[a].mean:.2f}" for a in keys)
    layout = {
        "xaxis": axis("", tickmode="linear", dtick=1)
        | {"categoryorder": "array", "categoryarray": [label(a) for a in keys]},
        "yaxis": axis("normalised average regret", rangemode="tozero"),
        "barmode": "group",
        "hovermode": "closest",
    }
    grey = " Pale: the paper's, over the same benchmarks and algorithms." if theirs else ""
    caption = (
        f"0 is the best and 1 the worst of a benchmark; mean and standard error over {len(cells)}. "
        f"Dots: the benchmarks.{grey}"
    )
    return plot(drawn, layout, f"Lowest: {best}. {told}.", caption)


def regret(cases: Cases, board: str) -> dict[str, Any]:
    return _over_time(cases, board, "average regret so far", lambda run: run.regret_curve)


def sizes(cases: Cases, board: str) -> dict[str, Any]:
    return _over_time(
        cases, board, "dataset size n", lambda run: run.size_curve, stepped=True, log=True
    )


def response(cases: Cases, board: str) -> dict[str, Any]:
    """Average response time against average regret; every seed a dot."""
    drawn: Drawn = []
    ends: list[End] = []
    points: list[tuple[float, float]] = []
    for a in cases.algorithms:
        known = [
            (run.response, lost)
            for run in cases.of(board, a)
            if run.response and (lost := run.averages[HEADLINE]) is not None
        ]
        if not known:
            continue
        slow, lost_ = zip(*known, strict=True)
        found, took = seed_statistics.cell(lost_), float(np.mean(slow))
        drawn.append((campaign_traces.dots(a, slow, lost_), None))
        drawn.append((campaign_traces.point(a, took, found), None))
        ends.append(End(a, label(a), math.log10(took), found.mean))
        points += known
    if not points:
        return text_chart(UNASKED.format(label(board)))
    across, upright = _spread([x for x, _ in points]), _upright([y for _, y in points])
    ends = [_raised(end, upright.log) for end in ends]
    layout = {
        "xaxis": axis("average response time (s)", type="log", range=list(across)) | ticks(across),
        "yaxis": axis("average regret", **upright.axis),
        "hovermode": "closest",
        "annotations": names(ends, across, upright.range),
        "margin": {"l": 8, "r": margin(ends), "t": 8, "b": 8},
    }
    return plot(
        drawn,
        layout,
        lowest(cases, board),
        "Down and left is better. Small dots: seeds; bars: standard error.",
    )


def pairs(cases: Cases, board: str) -> dict[str, Any]:
    """BOLT minus each other on one benchmark: mean, interval, and every seed."""
    own = cases.by_seed(board, "bolt")
    others = [a for a in cases.algorithms if a not in ("bolt", seed_statistics.BASELINE)]
    rng = np.random.default_rng(SEED)
    drawn: Drawn = []
    told = []
    met = []
    for a in reversed(others):
        theirs = cases.by_seed(board, a)
        found = seed_statistics.paired(own, theirs, rng)
        if found is None:
            continue
        met.append(found)
        gaps = [own[s] - theirs[s] for s in sorted(own.keys() & theirs.keys())]
        drawn.append((campaign_traces.dots(a, gaps, [label(a)] * len(gaps)), None))
        drawn.append((campaign_traces.interval(a, found), None))
        told.append(f"{label(a)} {number(found.mean)}, {found.wins} of {found.seeds} seeds")
    if not drawn:
        return text_chart(
            f"No seed on {label(board)} has queries of BOLT and of another after the warm-up yet."
        )
    zero = {"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1}
    layout = {
        "xaxis": axis("average regret of BOLT minus the other's"),
        "yaxis": axis("", tickmode="linear", dtick=1),
        "hovermode": "closest",
        "shapes": [zero | {"line": {"width": 1, "dash": "dot"}}],
    }
    caption = (
        "Left of zero BOLT is better. Same seed, same warm-up, same noise; bar: 95 % bootstrap "
        f"interval of the mean (three seeds at least); small dots: seeds.{few(met)}"
    )
    alt = f"BOLT minus the others on {label(board)}, seeds won: {'; '.join(reversed(told))}."
    return plot(drawn, layout, alt, caption)


def of_report(chart: Chart) -> dict[str, Any]:
    """A report's lines over two logarithmic axes, in the browser's colours, named at their ends."""
    lines = chart.figure["data"]
    across = _spread([v for t in lines for v in t["x"]])
    upright = _upright([v for t in lines for v in t["y"]], log=True)
    ends = [End(t["meta"], t["name"], math.log10(t["x"][-1]), t["y"][-1]) for t in lines]
    titles = [chart.figure["layout"][name]["title"]["text"] for name in ("xaxis", "yaxis")]
    ends = [_raised(end, upright.log) for end in ends]
    layout = {
        "xaxis": axis(titles[0], type="log", range=list(across)) | ticks(across),
        "yaxis": axis(titles[1], **upright.axis),
        "annotations": names(ends, across, upright.range),
        "margin": {"l": 8, "r": margin(ends), "t": 8, "b": 8},
    }
    drawn: Drawn = [
        (t | {"line": {k: v for k, v in t["line"].items() if k != "color"}}, None) for t in lines
    ]
    return plot(drawn, layout, chart.alt, chart.title)


def of_cell(runs: Sequence[RunResult], what: str) -> dict[str, Any]:
    """The seeds of one cell over time, each named at its end: `regret` or `size`."""
    key = runs[0].config.algorithm
    drawn: Drawn = []
    ends = []
    for run in runs:
        x, y = run.regret_curve if what == "regret" else run.size_curve
        if not x:
            continue
        name = f"seed {run.config.seed}"
        drawn.append((campaign_traces.line(key, name, np.asarray(x), np.asarray(y)), None))
        ends.append(End(key, name, x[-1], y[-1]))
    if not drawn:
        return text_chart("No query was made after the warm-up.")
    upright = _upright([v for t, _ in drawn for v in t["y"]])
    title = "average regret so far" if what == "regret" else "dataset size n"
    layout = _time_layout(title, ends, upright)
    alt = f"{title} of {label(key)}: " + ", ".join(f"{e.label} ends at {number(e.y)}" for e in ends)
    return plot(drawn, layout, f"{alt}.", "One line a seed.")


def _over_time(
    cases: Cases,
    board: str,
    title: str,
    curve: Callable[[RunResult], Curve],
    *,
    stepped: bool = False,
    log: bool = False,
) -> dict[str, Any]:
    drawn: Drawn = []
    ends = []
    for a in cases.algorithms:
        curves = [curve(run) for run in cases.of(board, a)]
        x, y, _ = mean_curve(curves, stepped=stepped)
        if not len(x):
            continue
        if len(curves) > 1:
            drawn.append((campaign_traces.members(a, curves), None))
        drawn.append((campaign_traces.line(a, label(a), x, y), None))
        ends.append(End(a, label(a), float(x[-1]), float(y[-1])))
    if not drawn:
        return text_chart(UNASKED.format(label(board)))
    upright = _upright([v for t, _ in drawn for v in t["y"] if v is not None], log=log)
    alt = f"{label(board)}, {title}: " + ", ".join(f"{e.label} {number(e.y)}" for e in ends)
    return plot(
        drawn, _time_layout(title, ends, upright), f"{alt}.", "Mean over seeds; faint: the seeds."
    )


def _time_layout(title: str, ends: list[End], upright: _Upright) -> dict[str, Any]:
    right = max(end.x for end in ends)
    raised = [_raised(end, upright.log) for end in ends]
    return {
        "xaxis": axis("time (s)", range=[0.0, right]),
        "yaxis": axis(title, **upright.axis),
        "annotations": end_labels(raised, upright.range, TALL, right, crowd=ALL),
        "margin": {"l": 8, "r": margin(ends), "t": 8, "b": 8},
    }


class _Upright:
    """The vertical axis: its range in axis units, and whether that is a logarithm."""

    def __init__(self, values: Sequence[float], log: bool) -> None:
        positive = [v for v in values if v > 0]
        self.log = bool(positive) and (log or max(positive) > WIDE * min(positive))
        if self.log:
            low, high = math.log10(min(positive)), math.log10(max(positive))
        else:
            low, high = min(0.0, *values), max(values)
        room = 0.05 * ((high - low) or 1.0)
        self.range = (low - room if self.log or low < 0 else low, high + room)

    @property
    def axis(self) -> dict[str, Any]:
        if not self.log:
            return {"range": list(self.range), "tickformat": ","}
        return {"type": "log", "range": list(self.range)} | ticks(self.range)


def _upright(values: Sequence[float], *, log: bool = False) -> _Upright:
    return _Upright(values, log)


def _raised(end: End, log: bool) -> End:
    y = math.log10(end.y) if log and end.y > 0 else end.y
    return End(end.key, end.label, end.x, y)


def _spread(values: Sequence[float]) -> tuple[float, float]:
    low, high = math.log10(min(values)), math.log10(max(values))
    room = max(0.8 - (high - low), 0.0) / 2 + 0.06
    return low - room, high + room
