"""The tables: Table 2 with the paper's values beside ours, standings, pairs, other averages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from bolt_core import comparison
from bolt_core.report.blocks import Entry, Section, Table, number, with_error
from bolt_core.report.cases import VARIANTS, Cases, label, means
from bolt_core.report.cases import Table as Cells

STORED = "data/paper_table2.json"
SEED = 0  # of the bootstrap: a report of the same runs is the same report
NOT_COMPARABLE = {
    "griewank": "Griewank: the paper's box, l_T and regret cannot all be right; ours is the box as "
    "printed, [-600, 600]^6, where a random query costs 150 and the paper reports 0.57 to 0.69.",
    "temperature": "Temperature: the paper uses the first day of the recording; ours is, unless a "
    "recording is given, a rank-4 summary of 2004-03-06.",
    "wlan": "WLAN: the paper leaves path loss, layout and mobility open; ours is a specification "
    "of our own, of the same scale.",
}
DAGGER = "†"
CUT = (
    "These runs are cut short or have other noise, so the paper's values do not stand beside them."
)


@cache
def paper() -> dict[str, Any]:
    """Table 2 as printed."""
    text = files("bolt_core").joinpath(STORED).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def table2(cases: Cases) -> Section:
    cells = cases.table()
    beside = cases.beside_paper
    rows = [_row(b, row, cases.algorithms, beside=beside) for b, row in cells.items()]
    rows += _overall_rows(cases, cells)
    seeds = sorted({c.count for row in cells.values() for c in row.values()})
    return Section(
        "table-2",
        "Table 2: average regret",
        (
            "Mean and standard error over seeds of the average regret over queries, without the "
            f"warm-up (lower is better); runs a cell: {_span(seeds)}. Bold: the best. Underlined: "
            "mean ± standard error meets the best's. "
            + ("In grey: the paper's own value." if beside else CUT),
        ),
        (Table(("benchmark", *map(label, cases.algorithms)), tuple(rows)),),
        notes=(
            *(f"{DAGGER} {NOT_COMPARABLE[b]}" for b in cases.benchmarks if b in NOT_COMPARABLE),
            "Overall: the normalised regret, 0 for the best and 1 for the worst of "
            f"{', '.join(map(label, cases.reference))}, averaged over benchmarks, with its "
            "standard error over them. Random search is no part of it.",
        ),
    )


def standings(cases: Cases) -> Section:
    """Overall, rank and firsts, best first."""
    cells = cases.complete(cases.table())
    if not cells:
        return Section("standings", "Standings", ("No benchmark has runs of every algorithm yet.",))
    total = comparison.overall(means(cells), cases.reference)
    places = comparison.ranks(means(cells))
    first = [min(r, key=r.__getitem__) for r in _without_baseline(means(cells))]
    rows = tuple(
        (
            Entry(label(a)),
            Entry(_fixed(total[a].mean, total[a].error)),
            Entry(f"{places[a]:.1f}"),
            Entry(str(first.count(a))),
        )
        for a in sorted(total, key=lambda a: total[a].mean)
    )
    return Section(
        "standings",
        "Standings",
        (f"Over {len(cells)} benchmarks on which every algorithm has runs.",),
        (Table(("algorithm", "overall", "mean rank", "times first"), rows),),
    )


def pairs(cases: Cases) -> Section | None:
    """BOLT against each other algorithm, seed by seed."""
    others = [a for a in cases.algorithms if a not in ("bolt", comparison.BASELINE)]
    if "bolt" not in cases.algorithms or not others:
        return None
    return Section(
        "paired",
        "BOLT against the others, seed by seed",
        (
            "Average regret of BOLT minus the other's at the same seed (same warm-up, same noise), "
            "mean and 95 % bootstrap interval; below zero BOLT is better. Bold: the interval lies "
            "below zero; underlined: it holds zero. Fewer than three pairs have no interval.",
        ),
        (_paired_table(cases, cases.benchmarks, others),),
    )


def other_averages(cases: Cases) -> Section:
    """The same runs, averaged in the other ways."""
    kinds = {
        "over_time": "over time, without warm-up",
        "over_queries_with_warmup": "over queries, with warm-up",
        "over_time_with_warmup": "over time, with warm-up",
    }
    tables = []
    for kind, words in kinds.items():
        cells = cases.table(kind_of=kind)
        rows = tuple(_row(b, row, cases.algorithms, beside=False) for b, row in cells.items())
        tables.append(Table((words, *map(label, cases.algorithms)), rows))
    return Section("other-averages", "The same runs, averaged otherwise", (), tuple(tables))


def removal(cases: Cases) -> Section | None:
    """What the choice of the victim is worth: BOLT against its variants."""
    there = {run.config.algorithm for run in cases.main}
    keys = ["bolt", *(v for v in VARIANTS if v in there)]
    if "bolt" not in there or len(keys) == 1:
        return None
    cells = {b: row for b, row in cases.table(keys).items() if len(row) > 1}
    rows = tuple(_row(b, row, keys, beside=False) for b, row in cells.items())
    return Section(
        "ablation-removal",
        "Ablation: which observation to drop",
        (
            "The same n*, another victim: the least relevant by W2 (BOLT), the oldest, any. Below, "
            "BOLT minus the variant at the same seed, as in the section before.",
        ),
        (
            Table(("benchmark", *map(label, keys)), rows),
            _paired_table(cases, list(cells), keys[1:]),
        ),
    )


def _paired_table(cases: Cases, benchmarks: Sequence[str], others: Sequence[str]) -> Table:
    rng = np.random.default_rng(SEED)
    rows = []
    for b in benchmarks:
        own = cases.by_seed(b, "bolt")
        found = [comparison.paired(own, cases.by_seed(b, a), rng) for a in others]
        rows.append((Entry(label(b)), *map(_pair, found)))
    return Table(("BOLT minus", *map(label, others)), tuple(rows))


def _row(
    benchmark: str, row: Mapping[str, comparison.Cell], keys: Sequence[str], *, beside: bool = True
) -> tuple[Entry, ...]:
    printed = paper()["benchmarks"].get(benchmark, {"mean": {}, "error": {}})
    marks = comparison.marks(row)
    entries = [Entry(label(benchmark) + (DAGGER if beside and benchmark in NOT_COMPARABLE else ""))]
    for a in keys:
        text = with_error(row[a].mean, row[a].error) if a in row else "-"
        theirs = _as_printed(printed["mean"].get(a), printed["error"].get(a))
        entries.append(Entry(text, marks.get(a, ""), theirs if beside else ""))
    return tuple(entries)


def _as_printed(mean: float | None, error: float | None) -> str:
    """Two decimals for small values, as the paper has them."""
    if mean is None or error is None:
        return ""
    small = f"{mean:.2f} ± {error:.2f}"
    return small if mean < 10 else f"{mean:g} ± {error:g}"


def _overall_rows(cases: Cases, cells: Cells) -> list[tuple[Entry, ...]]:
    complete = cases.complete(cells)
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
    total = comparison.overall(means(cells), cases.reference)
    best = min(total, key=lambda a: total[a].mean)
    entries = [Entry(words, "best")]
    for a in cases.algorithms:
        text = _fixed(total[a].mean, total[a].error) if a in total else "-"
        printed = theirs["mean"].get(a)
        beside = "" if printed is None else _fixed(printed, theirs["error"].get(a))
        entries.append(Entry(text, "best" if a == best else "", beside))
    return tuple(entries)


def _fixed(mean: float, error: float | None) -> str:
    """Two decimals, as the paper's Overall."""
    return f"{mean:.2f}" if error is None else f"{mean:.2f} ± {error:.2f}"


def paper_overall(cases: Cases, cells: Cells) -> Mapping[str, Mapping[str, float]]:
    """The paper's Overall: as printed, or recomputed over some of its rows and algorithms."""
    rows = {b: _printed()[b]["mean"] for b in cells if b in _printed()}
    keys = [a for a in cases.reference if a in paper()["overall"]["mean"]]
    if not cases.beside_paper or not rows or len(keys) < 2:
        return {"mean": {}, "error": {}}
    if rows.keys() == _printed().keys() and len(keys) == len(paper()["overall"]["mean"]):
        printed: Mapping[str, Mapping[str, float]] = paper()["overall"]
        return printed
    total = comparison.overall({b: {a: row[a] for a in keys} for b, row in rows.items()}, keys)
    return {
        "mean": {a: c.mean for a, c in total.items()},
        "error": {a: c.error or 0.0 for a, c in total.items()},
    }


def _printed() -> Mapping[str, Any]:
    found: Mapping[str, Any] = paper()["benchmarks"]
    return found


def _without_baseline(table: Mapping[str, Mapping[str, float]]) -> list[dict[str, float]]:
    return [{a: r for a, r in row.items() if a != comparison.BASELINE} for row in table.values()]


def _pair(found: comparison.Paired | None) -> Entry:
    if found is None:
        return Entry("-")
    if found.low is None or found.high is None:
        return Entry(number(found.mean))
    mark = "best" if found.high < 0 else "overlap" if found.low <= 0 else ""
    return Entry(f"{number(found.mean)} [{number(found.low)}, {number(found.high)}]", mark)


def _span(counts: Sequence[int]) -> str:
    if not counts:
        return "none"
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
