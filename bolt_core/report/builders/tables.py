"""Sections with tables: Table 2 with the paper's values beside ours, standings, other averages."""

import itertools

from bolt_core import algorithms
from bolt_core.analysis import seed_statistics
from bolt_core.common.text import counted, listed
from bolt_core.report import campaign_tables
from bolt_core.report.campaign_charts import NO_COMPLETE_BENCHMARK, without_overall
from bolt_core.report.campaign_tables import DAGGER, MEAN_AND_ERROR
from bolt_core.report.model import paper_table
from bolt_core.report.model.blocks import STOPPED, Section, printed_overall
from bolt_core.report.model.cases import HELD, Cases, means
from bolt_core.report.model.paper_table import NOT_COMPARABLE
from bolt_core.runs.lane_names import label

OTHER_DEVICE = (
    "The paper's response times are those of its authors' laptop, ours those of the clock named "
    "above, and regret depends on response times: compare the order within a row, not its level."
)
PAPER_BESIDE = "In small print: the paper's value, over 10 seeds."
OTHER_EXPERIMENT = (
    "These runs are cut short or have another noise, device or acquisition, so the paper's values "
    "are not shown beside them."
)
STOPPED_ASKING = (
    f"{STOPPED} Some runs of the cell made no query in the last tenth of the horizon. An average "
    "over queries ends with the last query, so it is not ranked or marked and has no part in the "
    "scale of Overall; an algorithm with such a cell has no Overall. Held regret counts every "
    "moment up to the horizon"
)
HELD_MISSING = ", but is not recorded for these runs"
HELD_WORDS = (
    "Held regret: the loss f(x*_t, t) - f(x, t) averaged over time from the end of the warm-up to "
    "the horizon; a setting holds from its query to the next one while the objective moves on. An "
    "algorithm that stops asking goes on being charged for its last setting. It is shown as "
    f"{MEAN_AND_ERROR}; lower is better. Marks and Overall as in Table 2."
)
NOT_RECORDED = (
    "Not recorded: these results were made by a version that did not compute held regret. Run the "
    "campaign again, or make its results again from its records, to have it."
)
AVERAGES = {
    "over_time": "over time, without warm-up",
    "over_queries_with_warmup": "over queries, with warm-up",
    "over_time_with_warmup": "over time, with warm-up",
}


def table2(cases: Cases) -> Section:
    """Return the section with Table 2."""
    paper = PAPER_BESIDE if cases.beside_paper else OTHER_EXPERIMENT
    return Section(
        "table-2",
        "Table 2: average regret",
        (
            f"Average regret over queries without the warm-up: {MEAN_AND_ERROR}; lower is better. "
            f"{_runs_per_cell(cases)} Bold: the lowest mean. Underlined: mean ± "
            f"standard error overlaps that of the lowest. {paper}",
        ),
        (campaign_tables.table2(cases),),
        notes=(
            *(f"{DAGGER} {NOT_COMPARABLE[b]}" for b in cases.benchmarks if b in NOT_COMPARABLE),
            *_stopped_note(cases),
            *_equal_runs_note(cases),
            *([OTHER_DEVICE] if cases.beside_paper else []),
            *([_overall_note(cases)] if cases.complete else []),
        ),
    )


def held(cases: Cases) -> Section:
    """Return the section with held regret, or that it is not recorded."""
    title = "Held regret: the average over time"
    if not cases.held_recorded:
        return Section("held-regret", title, (HELD_WORDS, NOT_RECORDED))
    return Section("held-regret", title, (HELD_WORDS,), (campaign_tables.held(cases),))


def standings(cases: Cases) -> Section:
    """Return the section that ranks the algorithms over all benchmarks, by both measures."""
    if not cases.complete:
        return Section("standings", "Standings", (NO_COMPLETE_BENCHMARK,))
    marks = seed_statistics.marks(
        seed_statistics.overall(means(cases.complete), cases.reference), printed_overall
    )
    by_held = (campaign_tables.standings(cases, HELD),) if cases.complete_rows(HELD) else ()
    near = [label(a) for a, mark in marks.items() if mark == "overlap"]
    within = f"; within the standard errors of the lowest: {listed(near)}" if near else ""
    return Section(
        "standings",
        "Standings",
        (
            f"Over {counted(len(cases.complete), 'benchmark')} on which every algorithm has runs "
            f"with the same seeds. Overall: as in Table 2{within}. Rank 1 is the lowest average "
            f"regret; regrets that are printed alike share a rank.{without_overall(cases)}"
            + (" Second table: the same by held regret." if by_held else ""),
        ),
        (campaign_tables.standings(cases), *by_held),
    )


def other_averages(cases: Cases) -> Section:
    """Return the section with the same runs averaged in three other ways."""
    words = (
        "Does the order depend on the average? Over queries, every query counts the same, so a "
        "fast algorithm counts more often. Over time, the loss at a query counts until the next "
        "one is made, and the last until its pass ends: unlike in held regret, the objective does "
        "not move meanwhile, and time after the last pass is not counted. With warm-up, the random "
        "queries at the start count too; they are the same for all. Marks as in Table 2.",
    )
    tables = tuple(campaign_tables.averages(cases, *average) for average in AVERAGES.items())
    return Section("other-averages", "The same runs with other averages", words, tables)


def _stopped_note(cases: Cases) -> list[str]:
    """Return which averages over queries are of runs that stopped asking, in a sentence."""
    cells = [
        f"{label(a)} on {label(b)} ({stopped} of {len(cases.runs(b, a))} runs)"
        for b in cases.benchmarks
        for a in cases.algorithms
        if (stopped := cases.stopped(b, a))
    ]
    held = "" if cases.held_recorded else HELD_MISSING
    return [f"{STOPPED_ASKING}{held}. Cells: {listed(cells)}."] if cells else []


def _equal_runs_note(cases: Cases) -> list[str]:
    """Return which algorithms made equal runs: their columns are not independent evidence."""
    parts = []
    for first, second in itertools.combinations(cases.ranked, 2):
        pairs = [
            pair for b in cases.benchmarks for pair in _at_shared_seeds(cases, b, first, second)
        ]
        if equal := sum(one == other for one, other in pairs):
            parts.append(
                f"{label(second)} has the same regret as {label(first)} in {equal} of "
                f"{counted(len(pairs), 'pair')} of runs with equal seeds"
            )
    return [f"{'; '.join(parts)}: there the two did the same."] if parts else []


def _at_shared_seeds(
    cases: Cases, benchmark: str, first: str, second: str
) -> list[tuple[float, float]]:
    one, other = cases.by_seed(benchmark, first), cases.by_seed(benchmark, second)
    return [(one[seed], other[seed]) for seed in one.keys() & other.keys()]


def _overall_note(cases: Cases) -> str:
    """Return how the last rows are computed, and which algorithms do not span their scale."""
    outside = [label(a) for a in cases.ranked if a not in cases.reference]
    sentences = [
        "Overall: the normalised regret, 0 for the lowest and 1 for the highest of "
        f"{listed([label(a) for a in cases.reference])} on a benchmark, averaged over benchmarks, "
        "± its standard error over them."
    ]
    if outside:
        sentences.append(f"{listed(outside)} may lie outside 0 to 1.")
    if cases.beside_paper and any(paper_table.printed(b)["mean"] for b in cases.benchmarks):
        sentences.append(
            "Over fewer benchmarks than the paper has, its Overall is computed from its printed "
            "means over the same ones."
        )
    baselines = [label(a) for a in cases.algorithms if algorithms.is_baseline(a)]
    if baselines:
        verb = "is" if len(baselines) == 1 else "are"
        sentences.append(f"{listed(baselines)} {verb} shown for comparison and not part of it.")
    return " ".join(sentences)


def _runs_per_cell(cases: Cases) -> str:
    """Return how many runs a cell has, and what is done where the cells of a row differ."""
    counts = {b: {cell.count for cell in cases.row(b).values()} for b in cases.benchmarks}
    each = [count for row in counts.values() for count in row]
    if any(len(row) > 1 for row in counts.values()):
        return (
            f"Runs per cell: {min(each)} to {max(each)}, in brackets where those of a row differ. "
            "The marks of such a row, and its part in Overall, use the seeds that all its cells "
            "have, at least two; the means shown are over all runs."
        )
    usual = max(each, key=each.count, default=0)
    more = [
        f"; {count} on {listed([label(b) for b, row in counts.items() if count in row])}"
        for count in sorted(set(each) - {usual})
    ]
    return f"Runs per cell: {usual}{''.join(more)}."
