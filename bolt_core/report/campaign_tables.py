"""A campaign's tables, each built once, for the Scoreboard and for the report.

The paper's values stand beside ours and are never judged: a difference is stated, not coloured.
"""

import re
from collections.abc import Sequence
from typing import Any

from bolt_core.analysis import seed_statistics
from bolt_core.campaigns.results import RunResult
from bolt_core.figures.shared.chart_dicts import table as browser_table
from bolt_core.report.campaign_charts import lowest, paper_overall
from bolt_core.report.model import paper_table
from bolt_core.report.model.blocks import (
    STOPPED,
    UNKNOWN,
    Entry,
    Table,
    number,
    printed_mean,
    printed_overall,
    same_decimals,
    whole,
    with_error,
)
from bolt_core.report.model.cases import HEADLINE, HELD, Cases, PairTable, means
from bolt_core.report.model.paper_table import NOT_COMPARABLE
from bolt_core.runs.lane_names import label

DAGGER = "†"  # marks a benchmark that cannot be compared with the paper's
MINUS, EN_DASH = "\N{MINUS SIGN}", "\N{EN DASH}"
HYPHEN = re.compile(r"(?<!\w)-(?=\d)")  # of a negative number
MEAN_AND_ERROR = (
    "mean and, from "
    f"{seed_statistics.MIN_SEEDS_FOR_STANDARD_ERROR} seeds on, ± its standard error over seeds"
)


def marked(benchmark: str) -> str:
    """Return the name of a benchmark, with a dagger if it cannot be compared with the paper's."""
    return label(benchmark) + (DAGGER if benchmark in NOT_COMPARABLE else "")


def table2(cases: Cases) -> Table:
    """Return Table 2: average regret by benchmark and algorithm, then Overall."""
    rows = [regret_row(cases, b, cases.algorithms, in_table2=True) for b in cases.benchmarks]
    comparable = [
        b for b in cases.complete if paper_table.printed(b)["mean"] and b not in NOT_COMPARABLE
    ]
    if cases.complete:
        rows.append(_overall_row("Overall", cases, list(cases.complete)))
    if cases.beside_paper and comparable and len(comparable) < len(cases.complete):
        rows.append(_overall_row("Overall, comparable", cases, comparable))
    columns = ("benchmark", *map(label, cases.algorithms))
    return Table(columns, tuple(rows), column_keys=cases.algorithms)


def held(cases: Cases) -> Table:
    """Return held regret by benchmark and algorithm, then Overall by it."""
    rows = [regret_row(cases, b, cases.algorithms, average=HELD) for b in cases.benchmarks]
    if complete := cases.complete_rows(HELD):
        rows.append(_overall_row("Overall", cases, list(complete), HELD))
    columns = ("benchmark", *map(label, cases.algorithms))
    return Table(columns, tuple(rows), column_keys=cases.algorithms)


def averages(cases: Cases, average: str, title: str) -> Table:
    """Return the regret of all cells, averaged in another way."""
    rows = tuple(regret_row(cases, b, cases.algorithms, average=average) for b in cases.benchmarks)
    columns = (title, *map(label, cases.algorithms))
    return Table(columns, rows, column_keys=cases.algorithms)


def standings(cases: Cases, average: str = HEADLINE) -> Table:
    """Return Overall, mean rank and number of first places, best first."""
    complete = cases.complete_rows(average)
    table = means(complete)
    total = seed_statistics.overall(table, cases.reference)
    ranks = seed_statistics.ranks(table, printed_mean)
    firsts = [a for row in complete.values() for a in lowest(row)]
    order = tuple(sorted(total, key=lambda a: float(printed_overall(total[a].mean))))
    rows = [
        (label(a), _two_decimals(total[a]), f"{ranks[a]:.2f}", f"{firsts.count(a)}") for a in order
    ]
    columns = ("algorithm", f"overall{', held' * (average == HELD)}", "mean rank", "times first")
    return plain_table(columns, rows, order)


def differences(pairs: PairTable, others: Sequence[str], measure: str) -> Table:
    """Return BOLT minus other algorithms, seed by seed: the mean and its interval."""
    rows = tuple((Entry(label(b)), *map(_difference, row.values())) for b, row in pairs.items())
    columns = (f"{measure}, BOLT minus", *map(label, others))
    return Table(columns, rows, column_keys=tuple(others))


def seeds(runs: Sequence[RunResult]) -> Table:
    """Return one row per run of a cell."""
    rows = [
        (
            str(r.config.seed),
            number(r.averages[HEADLINE]) + (f" {STOPPED}" if r.stopped_asking else ""),
            number(r.held_regret), number(r.response), whole(r.size),
            whole(r.n_star), f"{r.iterations:,}",
        )
        for r in runs
    ]  # fmt: skip
    columns = ("seed", "average regret", "held regret", "R(n) (s)", "median n", "median n*")
    return plain_table((*columns, "queries"), rows)


def plain_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], row_keys: Sequence[str] = ()
) -> Table:
    """Return a table of texts without marks."""
    entries = tuple(tuple(map(Entry, row)) for row in rows)
    return Table(tuple(columns), entries, row_keys=tuple(row_keys))


def regret_row(
    cases: Cases,
    benchmark: str,
    keys: Sequence[str],
    *,
    average: str = HEADLINE,
    in_table2: bool = False,
    shared_seeds: bool = False,
) -> tuple[Entry, ...]:
    """Return the cells of a benchmark: means over all seeds, marks by the seeds they share.

    In Table 2 a cell links to its runs, and the paper's value stands beside it if the runs repeat
    the paper's experiment. With `shared_seeds`, means too are over the seeds that all cells have,
    if there are any.
    """
    paper = in_table2 and cases.beside_paper
    fair = cases.fair_row(benchmark, keys, average)
    marks = seed_statistics.marks(fair, printed_mean)
    row = cases.row(benchmark, keys, average) | (fair if shared_seeds else {})
    uneven = len({cell.count for cell in row.values()}) > 1
    dagger = DAGGER if paper and benchmark in NOT_COMPARABLE else ""
    entries = [Entry(label(benchmark) + dagger, difference="not comparable" if dagger else "")]
    printed = paper_table.printed(benchmark) if paper else paper_table.NO_VALUES
    for a in keys:
        if (cell := row.get(a)) is None:
            entries.append(Entry(UNKNOWN, paper=_as_printed(printed, a)))
            continue
        text = with_error(cell.mean, cell.error) + (f" ({cell.count})" if uneven else "")
        if average != HELD and cases.stopped(benchmark, a):
            text += f" {STOPPED}"
        beside, link = _as_printed(printed, a), f"{benchmark}/{a}" if in_table2 else ""
        difference = "" if dagger else _percent_from(cell.mean, printed["mean"].get(a))
        entries.append(Entry(text, marks.get(a, ""), "", beside, difference, link))
    return tuple(entries)


def for_browser(table: Table, caption: str, alt: str = "") -> dict[str, Any]:
    """Return a table as the browser takes it.

    A cell is {"text", "mark", "beside", "press"}: best is bold, overlap underlined, and what
    stands beside is grey. Algorithms have their key, for their colour.
    """
    name, *heads = table.columns
    columns = [{"name": name[0].upper() + name[1:]}]
    for head, key in zip(heads, table.column_keys or [""] * len(heads), strict=True):
        columns.append({"name": head, "align": "right"} | ({"key": key} if key else {}))
    rows = [
        {"key": key, "cells": [row[0].text if key else _cell(row[0]), *map(_value, row[1:])]}
        for row, key in zip(table.rows, table.row_keys or [""] * len(table.rows), strict=True)
    ]
    alt = alt or f"{name}, by {', '.join(heads)}."
    return browser_table(columns, rows, alt, caption, whole=True)


def linked_cell(link: object, cases: Cases) -> tuple[str, str] | None:
    """Return the (benchmark, algorithm) that a browser names, if it has runs."""
    benchmark, _, algorithm = str(link).partition("/")
    return (benchmark, algorithm) if cases.runs(benchmark, algorithm) else None


def _value(entry: Entry) -> dict[str, Any]:
    """Return a cell with typographic signs."""
    cell = _cell(entry)
    if entry.text == UNKNOWN:
        return cell | {"text": EN_DASH}
    return cell | {name: with_minus(cell[name]) for name in ("text", "beside")}


def with_minus(text: str) -> str:
    """Return a text whose negative numbers have a minus sign instead of a hyphen."""
    return HYPHEN.sub(MINUS, text)


def _cell(entry: Entry) -> dict[str, Any]:
    below = ", ".join(filter(None, (entry.interval, entry.paper, entry.difference)))
    press = {"press": entry.link} if entry.link else {}
    return {"text": entry.text, "mark": entry.mark, "beside": below} | press


def _overall_row(
    name: str, cases: Cases, benchmarks: Sequence[str], average: str = HEADLINE
) -> tuple[Entry, ...]:
    complete = cases.complete_rows(average)
    total = seed_statistics.overall(means({b: complete[b] for b in benchmarks}), cases.reference)
    marks = seed_statistics.marks(total, printed_overall)
    paper = paper_table.NO_VALUES if average == HELD else paper_overall(cases, benchmarks)
    entries = [Entry(f"{name} ({len(benchmarks)})", "best")]
    for a in cases.algorithms:
        text = _two_decimals(total[a]) if a in total else UNKNOWN
        entries.append(Entry(text, marks.get(a, ""), paper=_as_printed(paper, a)))
    return tuple(entries)


def _as_printed(row: paper_table.Row, algorithm: str) -> str:
    """Return the paper's value: two decimals below 10, as printed."""
    mean, error = (row[name].get(algorithm) for name in ("mean", "error"))
    if mean is None:
        return ""
    if error is None:
        return printed_overall(mean)
    return f"{mean:.2f} ± {error:.2f}" if mean < 10 else f"{mean:g} ± {error:g}"


def _percent_from(value: float, printed: float | None) -> str:
    """Return the relative difference of our mean to the printed one: +12 %."""
    if not printed:
        return ""
    percent = round(100.0 * (value - printed) / printed)
    return f"{percent:+d} %" if percent else "0 %"


def _two_decimals(cell: seed_statistics.Cell) -> str:
    return printed_overall(cell.mean) + ("" if cell.error is None else f" ± {cell.error:.2f}")


def _difference(pair: seed_statistics.Paired | None) -> Entry:
    if pair is None:
        return Entry(UNKNOWN)
    if pair.equal:
        return Entry("equal")
    mean, interval = as_printed(pair)
    if not interval:
        return Entry(mean + (f" {STOPPED}" if pair.stopped else ""))
    mark = {-1: "best", 0: "overlap", 1: "worse"}[side_of_zero(pair)]
    return Entry(mean, mark if pair.conclusive else "", interval)


def as_printed(pair: seed_statistics.Paired) -> tuple[str, str]:
    """Return the mean and the interval of a pair as a table of differences has them."""
    if pair.low is None or pair.high is None:
        return number(pair.mean), ""
    mean, low, high = same_decimals((pair.mean, pair.low, pair.high))
    return mean, f"[{low}, {high}]"


def side_of_zero(pair: seed_statistics.Paired) -> int:
    """Return -1 or 1 if the interval, as it is printed, lies below or above zero; 0 otherwise.

    It is 0 for a pair without an interval.
    """
    if pair.low is None or pair.high is None:
        return 0
    _, low, high = (float(text) for text in same_decimals((pair.mean, pair.low, pair.high)))
    return -1 if high < 0 else 1 if low > 0 else 0
