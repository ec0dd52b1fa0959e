"""Sections with the paper's figures: Figure 2, Figure 3, Figures 4 to 13."""

from collections.abc import Mapping
from typing import Any

from bolt_core.analysis.seed_statistics import MIN_SEEDS_FOR_STANDARD_ERROR
from bolt_core.report import campaign_charts
from bolt_core.report.campaign_tables import DAGGER
from bolt_core.report.campaign_traces import FAINT_SEEDS
from bolt_core.report.model.blocks import Chart, Section
from bolt_core.report.model.cases import Cases
from bolt_core.report.model.paper_table import NOT_COMPARABLE
from bolt_core.runs.lane_names import label

# Figures 4 to 13, in the order of the paper's Appendix C.
FIGURES = (
    "schwefel", "eggholder", "ackley", "shekel", "griewank", "hartmann3", "hartmann6", "powell",
    "temperature", "wlan",
)  # fmt: skip
FIRST_FIGURE = 4
TITLES = {
    "response": "response time and regret",
    "size": "dataset size",
    "regret": "regret over time",
}
CLOSED_FORM = "closed form"  # the source of a benchmark that is a formula


def figure2(cases: Cases) -> Section | None:
    """Return normalised regret, with the paper's beside it."""
    figure = campaign_charts.figure2(cases)
    if figure["kind"] == "text":
        return None
    meta = figure["layout"]["meta"]
    title = "Figure 2: normalised average regret"
    words = f"Lower is better. {meta['caption']} {meta['alt']}"
    return Section("figure-2", title, (words,), charts=(Chart("figure-2", "", figure),))


def figure3(cases: Cases) -> Section | None:
    """Return dataset sizes where removing observations helps, and where it does not."""
    benchmarks = [b for b in ("eggholder", "powell") if b in cases.benchmarks]
    if not benchmarks:
        return None
    return Section(
        "figure-3",
        "Figure 3: dataset sizes on Eggholder and Powell",
        (
            "Dataset size n, mean over seeds, on a log scale."
            + "".join(campaign_charts.early_ends(cases, b, "size") for b in benchmarks),
        ),
        charts=tuple(
            chart for b in benchmarks for chart in _charts(cases, b, {"size": f"figure-3-{b}"})
        ),
    )


def of_benchmarks(cases: Cases) -> list[Section]:
    """Return Figures 4 to 13 in the paper's order, then those of other benchmarks."""
    others = [b for b in cases.benchmarks if b not in FIGURES]
    ordered = [b for b in FIGURES if b in cases.benchmarks] + others
    return [_of_benchmark(cases, b) for b in ordered]


def _of_benchmark(cases: Cases, benchmark: str) -> Section:
    printed = benchmark in FIGURES
    name = f"figure-{FIGURES.index(benchmark) + FIRST_FIGURE if printed else benchmark}"
    sources = {run.source for run in cases.main if run.config.benchmark == benchmark}
    source = "; ".join(sorted(sources - {CLOSED_FORM}))
    dagger = DAGGER if cases.beside_paper and benchmark in NOT_COMPARABLE else ""
    title = name.replace("figure-", "Figure ") if printed else "Not in the paper"
    words = (
        f"{'As in the paper: ' if printed else ''}average response time R(n) against average "
        "regret, one point per algorithm with its standard error over seeds "
        f"(from {MIN_SEEDS_FOR_STANDARD_ERROR} seeds on); then dataset sizes. "
        f"{'Not in the paper' if printed else 'Third'}: average regret over queries so far, "
        f"without the warm-up. Lines are means over seeds. {FAINT_SEEDS}"
        f"{campaign_charts.early_ends(cases, benchmark, 'regret')}"
    )
    return Section(
        name,
        f"{title}: {label(benchmark)}{dagger}",
        (words + (f" Objective: {source}." if source else ""),),
        charts=_charts(cases, benchmark, {what: f"{name}-{what}" for what in TITLES}),
        notes=(f"{dagger} {NOT_COMPARABLE[benchmark]}",) if dagger else (),
    )


def _charts(cases: Cases, benchmark: str, names: Mapping[str, str]) -> tuple[Chart, ...]:
    """Return the charts with these file names, without those that have nothing to show."""
    figures = {what: _figure(cases, benchmark, what) for what in names}
    return tuple(
        Chart(names[what], f"{label(benchmark)}: {TITLES[what]}", figure)
        for what, figure in figures.items()
        if figure["kind"] == "plot"
    )


def _figure(cases: Cases, benchmark: str, what: str) -> dict[str, Any]:
    if what == "response":
        return campaign_charts.response(cases, benchmark)
    return campaign_charts.over_time(cases, benchmark, what)
