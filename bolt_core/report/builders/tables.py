"""The tables: Table 2 with the paper's values beside ours, standings, other averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.paper_table import paper_table2
from bolt_core.common.text import counted
from bolt_core.report.model.blocks import (
    Entry,
    Section,
    Table,
    printed_mean,
    printed_overall,
    with_error,
)
from bolt_core.report.model.cases import HEADLINE, Cases, means
from bolt_core.report.model.cases import Table as Cells
from bolt_core.runs.lane_names import label

NOT_COMPARABLE = {
    "griewank": "Griewank: the paper's box, l_T and regret cannot all be right; ours is the box as "
    "printed, [-600, 600]^6, where a random query costs 150 and the paper reports 0.57 to 0.69.",
    "temperature": "Temperature: the paper uses the first day of the recording; ours is, unless a "
    "recording is given, a rank-4 summary of 2004-03-06.",
    "wlan": "WLAN: the paper leaves path loss, layout and mobility open; ours is a specification "
    "of our own, of the same scale.",
}
DAGGER = "†"
ALIKE = (
    "The paper's response times are of its authors' laptop, ours of the clock named above, and "
    "response times make regret: compare the order of a row rather than its level."
)
CUT = (
    "These runs are cut short or have another noise, device or acquisition, so the paper's values "
    "do not stand beside them."
)

UNEQUAL = "No benchmark has runs of two algorithms or more, each with the same seeds, yet."
RARE = (
    "ABO chooses its moments and asks rarely: its average over queries is one of few, and its "
    "lines may end early. The averages over time, below, count every moment."
)


def table2(cases: Cases) -> Section:
    beside, complete = cases.beside_paper, cases.complete()
    rows = [of_row(cases, b, cases.algorithms, beside=beside) for b in cases.benchmarks]
    rows += _overall_rows(cases, complete)
    return Section(
        "table-2",
        "Table 2: average regret",
        (
            "Average regret over queries without the warm-up, mean ± standard error over seeds; "
            f"lower is better. {_counts(cases)} Bold: the lowest mean. Underlined: its mean ± "
            "standard error meets that of the lowest. "
            + ("Small, below: the paper's own value, over 10 seeds." if beside else CUT),
        ),
        (Table(("benchmark", *map(label, cases.algorithms)), tuple(rows)),),
        notes=(
            *(f"{DAGGER} {NOT_COMPARABLE[b]}" for b in cases.benchmarks if b in NOT_COMPARABLE),
            *([RARE] if "abo" in cases.algorithms else []),
            *([ALIKE] if beside else []),
            *([_overall_note(cases)] if complete else []),
        ),
    )


def standings(cases: Cases) -> Section:
    """Overall, rank and firsts, best first."""
    cells = cases.complete()
    if not cells:
        return Section("standings", "Standings", (UNEQUAL,))
    total = seed_statistics.overall(means(cells), cases.reference)
    places = seed_statistics.ranks(means(cells))
    firsts = [
        a
        for row in cells.values()
        for a, mark in seed_statistics.marks(row, printed_mean).items()
        if mark == "best"
    ]
    rows = tuple(
        (
            Entry(label(a)),
            Entry(_fixed(total[a].mean, total[a].error)),
            Entry(f"{places[a]:.1f}"),
            Entry(str(firsts.count(a))),
        )
        for a in sorted(total, key=lambda a: total[a].mean)
    )
    return Section(
        "standings",
        "Standings",
        (
            f"Over {counted(len(cells), 'benchmark')} on which every algorithm has runs of the "
            f"same seeds. Overall: as in Table 2{_met(total)}. Rank 1 is the lowest average "
            "regret.",
        ),
        (Table(("algorithm", "overall", "mean rank", "times first"), rows),),
    )


def _met(total: Mapping[str, seed_statistics.Cell]) -> str:
    """Whose Overall cannot be told from the lowest."""
    marks = seed_statistics.marks(total, printed_overall)
    near = [a for a, mark in marks.items() if mark == "overlap"]
    return f"; within the standard errors of the lowest: {listed(near)}" if near else ""


def other_averages(cases: Cases) -> Section:
    """The same runs, averaged in the other ways."""
    kinds = {
        "over_time": "over time, without warm-up",
        "over_queries_with_warmup": "over queries, with warm-up",
        "over_time_with_warmup": "over time, with warm-up",
    }
    tables = []
    for kind, name in kinds.items():
        rows = tuple(of_row(cases, b, cases.algorithms, kind_of=kind) for b in cases.benchmarks)
        tables.append(Table((name, *map(label, cases.algorithms)), rows))
    words = (
        "Does the order depend on how one averages? Over queries every query counts alike, so who "
        "thinks fast counts often; over time every query counts for as long as it stands. With "
        "warm-up, the random queries at the start, the same for all, count too. Marks as in Table "
        "2.",
    )
    return Section("other-averages", "The same runs, averaged otherwise", words, tuple(tables))


def _overall_note(cases: Cases) -> str:
    """What the last rows are, and who stands on their scale without making it."""
    guests = [a for a in cases.algorithms if a not in (*cases.reference, seed_statistics.BASELINE)]
    theirs = cases.beside_paper and set(_printed()) & set(cases.benchmarks)
    return (
        "Overall: the normalised regret, 0 for the lowest and 1 for the highest of "
        f"{listed(cases.reference)} on a benchmark, averaged over benchmarks, ± its standard "
        "error over them."
        + (f" {listed(guests)} may lie outside 0 to 1." if guests else "")
        + (" The paper's over fewer rows is computed from its printed means." if theirs else "")
        + (
            " Random search is no part of it."
            if seed_statistics.BASELINE in cases.algorithms
            else ""
        )
    )


def listed(keys: Sequence[str]) -> str:
    """BOLT; BOLT and ABO; BOLT, ABO and W-DBO"""
    names = [label(key) for key in keys]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def of_row(
    cases: Cases,
    benchmark: str,
    keys: Sequence[str],
    *,
    kind_of: str = HEADLINE,
    beside: bool = False,
) -> tuple[Entry, ...]:
    """A benchmark's cells: all seeds shown, marks by the seeds they share."""
    printed = _printed().get(benchmark, {"mean": {}, "error": {}})
    row = cases.row(benchmark, keys, kind_of)
    marks = seed_statistics.marks(cases.fair_row(benchmark, keys, kind_of), printed_mean)
    uneven = len({c.count for c in row.values()}) > 1
    entries = [Entry(label(benchmark) + (DAGGER if beside and benchmark in NOT_COMPARABLE else ""))]
    for a in keys:
        text = with_error(row[a].mean, row[a].error) if a in row else "-"
        text += f" ({row[a].count})" if a in row and uneven else ""
        theirs = _as_printed(printed["mean"].get(a), printed["error"].get(a))
        entries.append(Entry(text, marks.get(a, ""), theirs if beside else ""))
    return tuple(entries)


def _as_printed(mean: float | None, error: float | None) -> str:
    """Two decimals for small values, as the paper has them."""
    if mean is None or error is None:
        return ""
    small = f"{mean:.2f} ± {error:.2f}"
    return small if mean < 10 else f"{mean:g} ± {error:g}"


def _overall_rows(cases: Cases, complete: Cells) -> list[tuple[Entry, ...]]:
    comparable = {
        b: row for b, row in complete.items() if b in _printed() and b not in NOT_COMPARABLE
    }
    rows = []
    if complete:
        words = f"Overall ({len(complete)})"
        rows.append(_overall(words, cases, complete, paper_overall(cases, complete)))
    if cases.beside_paper and comparable and comparable.keys() != complete.keys():
        words = f"Overall, comparable ({len(comparable)})"
        rows.append(_overall(words, cases, comparable, paper_overall(cases, comparable)))
    return rows


def _overall(
    words: str, cases: Cases, cells: Cells, theirs: Mapping[str, Mapping[str, float]]
) -> tuple[Entry, ...]:
    total = seed_statistics.overall(means(cells), cases.reference)
    marks = seed_statistics.marks(total, printed_overall)
    entries = [Entry(words, "best")]
    for a in cases.algorithms:
        text = _fixed(total[a].mean, total[a].error) if a in total else "-"
        printed = theirs["mean"].get(a)
        beside = "" if printed is None else _fixed(printed, theirs["error"].get(a))
        entries.append(Entry(text, marks.get(a, ""), beside))
    return tuple(entries)


def _fixed(mean: float, error: float | None) -> str:
    """Two decimals, as the paper's Overall."""
    return printed_overall(mean) + ("" if error is None else f" ± {error:.2f}")


def paper_overall(cases: Cases, cells: Cells) -> Mapping[str, Mapping[str, float]]:
    """The paper's Overall: as printed, or recomputed over some of its rows and algorithms."""
    rows = {b: _printed()[b]["mean"] for b in cells if b in _printed()}
    keys = [a for a in cases.reference if a in paper_table2()["overall"]["mean"]]
    if not cases.beside_paper or rows.keys() != cells.keys() or len(keys) < 2:
        return {"mean": {}, "error": {}}
    if rows.keys() == _printed().keys() and len(keys) == len(paper_table2()["overall"]["mean"]):
        printed: Mapping[str, Mapping[str, float]] = paper_table2()["overall"]
        return printed
    total = seed_statistics.overall({b: {a: row[a] for a in keys} for b, row in rows.items()}, keys)
    return {
        "mean": {a: c.mean for a, c in total.items()},
        "error": {a: c.error for a, c in total.items() if c.error is not None},
    }


def _printed() -> Mapping[str, Any]:
    found: Mapping[str, Any] = paper_table2()["benchmarks"]
    return found


def _counts(cases: Cases) -> str:
    """How many runs a cell has; what is done where cells of a row differ."""
    rows = {b: {c.count for c in cases.row(b).values()} for b in cases.benchmarks}
    each = [count for counts in rows.values() for count in counts]
    if any(len(counts) > 1 for counts in rows.values()):
        return (
            f"Runs in a cell: {min(each)} to {max(each)}, in brackets where a row's differ. Such a "
            "row's marks, and its part in Overall, are by the seeds that all its cells have, two "
            "at least; the means shown are of all."
        )
    usual = max(each, key=each.count, default=0)
    more = [
        f"; {count} on {listed([b for b, counts in rows.items() if count in counts])}"
        for count in sorted(set(each) - {usual})
    ]
    return f"Runs in a cell: {usual}{''.join(more)}."
