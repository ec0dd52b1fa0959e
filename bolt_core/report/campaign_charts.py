"""A campaign's charts, each built once, for the Scoreboard and for the report.

A chart is a plain dict in plotly's schema. The Scoreboard draws it in the browser, the report as
an image (`renderers.images`). Curves are those of results.py: average regret and dataset size over
time, with at most 200 points per run.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.curves import mean_curve
from bolt_core.analysis.seed_statistics import (
    MIN_SEEDS_FOR_CONCLUSION,
    MIN_SEEDS_FOR_INTERVAL,
    MIN_SEEDS_FOR_STANDARD_ERROR,
)
from bolt_core.campaigns.results import Curve, RunResult
from bolt_core.common.text import counted, listed
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart, vertical_line
from bolt_core.figures.shared.labels import End
from bolt_core.figures.shared.traces import Trace
from bolt_core.report import campaign_traces as traces
from bolt_core.report.campaign_axes import log_layout, time_layout, vertical_axis
from bolt_core.report.model import paper_table
from bolt_core.report.model.blocks import STOPPED, number, printed_mean, printed_overall, whole
from bolt_core.report.model.cases import HEADLINE, Cases, means
from bolt_core.runs.lane_names import label

FEW_SEEDS = (
    f" Below {MIN_SEEDS_FOR_CONCLUSION} seeds nothing is marked or concluded: so few differences "
    "hardly show their spread."
)
NO_INTERVAL = (
    f" {STOPPED} Runs stopped asking (see Table 2): the difference has no interval, and nothing is "
    "concluded from it."
)
VISIBLY_EARLY = 0.98  # of the time of the longest line: one that ends earlier is named
NO_COMPLETE_BENCHMARK = "No benchmark has runs of two or more algorithms with the same seeds yet."


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a chart shows over time."""

    title: str
    curve: Callable[[RunResult], Curve]
    text: Callable[[float], str]  # a value in the alternative text
    stepped: bool  # constant between two points
    log: bool  # always on a logarithmic axis


QUANTITIES = {
    "regret": Quantity(
        "average regret so far", lambda r: r.regret_curve, printed_mean, False, False
    ),
    "size": Quantity("dataset size n", lambda r: r.size_curve, whole, True, True),
}


def figure2(cases: Cases) -> dict[str, Any]:
    """Normalised average regret: bars of an algorithm and of the paper, dots by benchmark."""
    table = means(cases.complete)
    if not table:
        return text_chart(NO_COMPLETE_BENCHMARK)
    total = seed_statistics.overall(table, cases.reference)
    rows = [seed_statistics.normalised(row, cases.reference) for row in table.values()]
    keys = [a for a in cases.algorithms if a in total]
    paper = paper_overall(cases, list(table))
    both = [a for a in keys if a in paper["mean"]]
    drawn = [traces.bar(a, total[a]) for a in keys]
    if both:
        values = {label(a): paper["mean"][a] for a in both}
        drawn.append(traces.paper_bars(values, [paper["error"].get(a, 0.0) for a in both]))
    drawn += [traces.dots_beside_bars(a, [row[a] for row in rows]) for a in keys]
    best = lowest(total, printed_overall)
    layout = {
        "xaxis": axis("", tickmode="linear", dtick=1)
        | {"categoryorder": "array", "categoryarray": [label(a) for a in keys]},
        "yaxis": axis("normalised average regret", rangemode="tozero"),
        "barmode": "group",
        "scattermode": "group",
        "hovermode": "closest",
    }
    benchmarks = counted(len(table), "benchmark")
    first = f"Lowest: {listed([label(a) for a in best])}, {printed_overall(total[best[0]].mean)}"
    alt = ", ".join(f"{label(a)} {total[a].mean:.2f}" for a in keys)
    caption = (
        "0 is the lowest and 1 the highest regret on a benchmark. Bars: mean and standard error "
        f"over {benchmarks}. Dots: single benchmarks."
        + (" Grey: the paper, over the same benchmarks and algorithms." if both else "")
        + without_overall(cases)
    )
    return plot(drawn, layout, f"{first} over {benchmarks}. {alt}.", caption)


def over_time(cases: Cases, benchmark: str, what: str) -> dict[str, Any]:
    """Regret or dataset size over time: one line per algorithm, its seeds faint behind it.

    The values in the alternative text are means over the runs at their last queries, as in Table 2.
    A mean line ends where its first run does, so its last point may be another value.
    """
    quantity = QUANTITIES[what]
    drawn: list[Trace] = []
    ends, last_values = [], []
    for a in cases.algorithms:
        curves = [quantity.curve(run) for run in cases.runs(benchmark, a)]
        x, y, _ = mean_curve(curves, stepped=quantity.stepped)
        if not len(x):
            continue
        if len(curves) > 1:
            drawn.append(traces.seed_lines(a, curves))
        drawn.append(traces.line(a, label(a), x, y))
        ends.append(End(a, label(a), float(x[-1]), float(y[-1])))
        last = float(np.mean([values[-1] for _, values in curves if values]))
        last_values.append(f"{label(a)} {quantity.text(last)}")
    if not drawn:
        return text_chart(f"No run on {label(benchmark)} has made a query after its warm-up yet.")
    early = early_ends(cases, benchmark, what)
    alt = (
        f"{label(benchmark)}, {quantity.title}, at the last query of each run: "
        f"{', '.join(last_values)}.{early}"
    )
    layout = time_layout(
        quantity.title, ends, vertical_axis(drawn, log=quantity.log, over_time=True)
    )
    return plot(drawn, layout, alt, f"Mean over seeds. {traces.FAINT_SEEDS}{early}")


def early_ends(cases: Cases, benchmark: str, what: str) -> str:
    """Return where the lines end that are visibly shorter than the longest, in a sentence."""
    curve = QUANTITIES[what].curve
    times = {a: [curve(run)[0] for run in cases.runs(benchmark, a)] for a in cases.algorithms}
    ends = {a: min(x[-1] for x in each if x) for a, each in times.items() if any(each)}
    longest = max(ends.values(), default=0.0)
    early = [f"{label(a)} at {t:.0f} s" for a, t in ends.items() if t < VISIBLY_EARLY * longest]
    if not early:
        return ""
    return (
        f" On {label(benchmark)} a mean line ends where the first of its runs ends its last "
        f"pass: {listed(early)}."
    )


def of_seeds(runs: Sequence[RunResult], what: str) -> dict[str, Any]:
    """Regret or dataset size of one cell over time: one line per seed."""
    quantity, key = QUANTITIES[what], runs[0].config.algorithm
    curves = {f"seed {run.config.seed}": quantity.curve(run) for run in runs}
    curves = {name: (x, y) for name, (x, y) in curves.items() if x}
    if not curves:
        return text_chart("No query was made after the warm-up.")
    drawn = [traces.line(key, s, np.asarray(x), np.asarray(y)) for s, (x, y) in curves.items()]
    ends = [End(key, name, x[-1], y[-1]) for name, (x, y) in curves.items()]
    final = ", ".join(f"{end.label} ends at {quantity.text(end.y)}" for end in ends)
    layout = time_layout(quantity.title, ends, vertical_axis(drawn, over_time=True))
    return plot(drawn, layout, f"{quantity.title} of {label(key)}: {final}.", "One line per seed.")


def response(cases: Cases, benchmark: str) -> dict[str, Any]:
    """Average response time against average regret: one point per algorithm, a dot per seed."""
    drawn: list[Trace] = []
    ends: list[End] = []
    for a in cases.algorithms:
        seeds = [
            (run.response, regret)
            for run in cases.runs(benchmark, a)
            if run.response and (regret := run.averages[HEADLINE]) is not None
        ]
        if not seeds:
            continue
        seconds, regrets = zip(*seeds, strict=True)
        mean_seconds, cell = float(np.mean(seconds)), seed_statistics.cell(regrets)
        drawn += [traces.dots(a, seconds, regrets), traces.point(a, mean_seconds, cell)]
        ends.append(End(a, label(a), mean_seconds, cell.mean))
    if not drawn:
        return text_chart(f"No run on {label(benchmark)} has made a query after its warm-up yet.")
    layout = log_layout("average response time R(n) (s)", "average regret", drawn, ends)
    caption = (
        "Down and left is better. Small dots: seeds. Bars: standard error, from "
        f"{MIN_SEEDS_FOR_STANDARD_ERROR} seeds on."
    )
    return plot(drawn, layout | {"hovermode": "closest"}, lowest_regret(cases, benchmark), caption)


def pairs(cases: Cases, benchmark: str) -> dict[str, Any]:
    """BOLT minus each other algorithm on one benchmark: mean, interval, and every seed.

    Differences are in per cent of the other's mean: regrets of a benchmark can be a tenth of each
    other, and a small difference that is sure would be hidden by large ones.
    """
    differences, bolt = cases.differences[benchmark], cases.by_seed(benchmark, "bolt")
    drawn: list[Trace] = []
    sentences = []
    for a, pair in reversed(differences.items()):
        if pair is None:
            continue
        other = cases.by_seed(benchmark, a)
        seeds = sorted(bolt.keys() & other.keys())
        percent = 100.0 / (float(np.mean([other[seed] for seed in seeds])) or math.nan)
        gaps = [percent * (bolt[seed] - other[seed]) for seed in seeds]
        scaled = pair.times(percent)
        drawn += [traces.dots(a, gaps, [label(a)] * len(gaps)), traces.interval(a, scaled)]
        mark = f" {STOPPED}" if pair.stopped else ""
        sentences.append(f"{label(a)} {number(pair.mean)}{mark}, {pair.wins} of {pair.seeds} seeds")
    if not drawn:
        return text_chart(
            f"No seed on {label(benchmark)} has queries of BOLT and of another algorithm after the "
            "warm-up yet."
        )
    layout = {
        "xaxis": axis("BOLT minus the other, % of the other's mean"),
        "yaxis": axis("", tickmode="linear", dtick=1),
        "hovermode": "closest",
        "shapes": [vertical_line(0.0, name="", width=1)],
    }
    caption = (
        "Average regret: left of zero BOLT is better. Seeds are paired: same warm-up, same noise. "
        f"Bar: 95 % t interval of the mean, from {MIN_SEEDS_FOR_INTERVAL} seeds on. Small dots: "
        "seeds." + why_unmarked(differences.values())
    )
    alt = f"BOLT minus the others on {label(benchmark)}, seeds won: "
    return plot(drawn, layout, f"{alt}{'; '.join(reversed(sentences))}.", caption)


def why_unmarked(pairs: Iterable[seed_statistics.Paired | None]) -> str:
    """Return why pairs have no mark or no interval: equal, few seeds, or runs that stopped."""
    known = [pair for pair in pairs if pair]
    few = FEW_SEEDS if any(pair.few_seeds for pair in known) else ""
    few += " Equal: no seed differs." if any(pair.equal for pair in known) else ""
    return few + (NO_INTERVAL if any(pair.stopped for pair in known) else "")


def without_overall(cases: Cases) -> str:
    """Return which algorithms have no Overall because runs of theirs stopped asking."""
    rows = cases.complete.values()
    missing = [label(a) for a in cases.ranked if not all(a in row for row in rows)]
    if not missing:
        return ""
    return f" Not ranked: {listed(missing)}, because runs stopped asking ({STOPPED} in Table 2)."


def paper_overall(cases: Cases, benchmarks: Sequence[str]) -> paper_table.Row:
    """Return the paper's Overall for these runs; without values if they are not comparable."""
    if not cases.beside_paper:
        return paper_table.NO_VALUES
    return paper_table.overall(benchmarks, cases.reference)


def lowest(
    row: Mapping[str, seed_statistics.Cell], printed: seed_statistics.Printed = printed_mean
) -> list[str]:
    """Return the algorithms with the lowest mean, all of them if they read the same."""
    return [a for a, mark in seed_statistics.marks(row, printed).items() if mark == "best"]


def lowest_regret(cases: Cases, benchmark: str) -> str:
    """Return a sentence that names the lowest average regret, as marked in Table 2."""
    best = [label(a) for a in lowest(cases.fair_row(benchmark))]
    stopped = [label(a) for a in cases.algorithms if cases.stopped(benchmark, a)]
    unranked = f" Not ranked: {listed(stopped)} ({STOPPED} in Table 2)." if stopped else ""
    first = f"Lowest average regret on {label(benchmark)}: {listed(best or ['not known yet'])}."
    return first + unranked
