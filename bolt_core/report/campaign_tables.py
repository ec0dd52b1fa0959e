"""The report's tables as the browser takes them: Table 2, standings, pairs, the seeds of a cell.

A cell is {"text", "mark", "beside", "press"}: best is bold, overlap underlined, what stands beside
is grey. The paper's values are never judged: a difference is said, not coloured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bolt_core.analysis.paper_table import paper_table2
from bolt_core.campaigns.results import RunResult
from bolt_core.report.builders import tables
from bolt_core.report.builders.figures import first
from bolt_core.report.builders.pairs import against
from bolt_core.report.builders.tables import NOT_COMPARABLE
from bolt_core.report.model.blocks import Entry, Section, Table, number
from bolt_core.report.model.cases import HEADLINE, Cases
from bolt_core.runs.lane_names import label

NONE = "-"  # the report's word for a cell without a value
CELL = "/"  # between benchmark and algorithm of a cell


def table2(cases: Cases) -> dict[str, Any]:
    """Ours, the paper's in grey below, and by how much they differ."""
    section = tables.table2(cases)
    rows = []
    boards = [*cases.benchmarks, *[""] * (len(section.tables[0].rows) - len(cases.benchmarks))]
    for board, entries in zip(boards, section.tables[0].rows, strict=True):
        odd = cases.beside_paper and board in NOT_COMPARABLE
        first = _cell(entries[0]) | ({"beside": "not comparable"} if odd else {})
        cells = [
            _cell(entry, "\N{EN DASH}") | _beside(cases, board, key, entry, said=not odd)
            for key, entry in zip(cases.algorithms, entries[1:], strict=True)
        ]
        rows.append({"key": "", "cells": [first, *cells]})
    return {
        "kind": "table",
        "columns": [{"name": "Benchmark"}, *_columns(cases.algorithms)],
        "rows": rows,
        "whole": True,
        "alt": best_in_words(cases),
        "caption": " ".join(section.words)
        + (" After it: how far ours is from it." if cases.beside_paper else "")
        + " Click a value to see its runs.",
    }


def notes(cases: Cases) -> tuple[str, ...]:
    """What stands below Table 2."""
    return tables.table2(cases).notes


def standings(cases: Cases) -> dict[str, Any]:
    """Overall, rank and firsts, best first."""
    section = tables.standings(cases)
    if not section.tables:
        return {"kind": "text", "text": section.words[0], "tone": "muted"}
    keys = {label(a): a for a in cases.algorithms}
    heads = section.tables[0].columns
    return {
        "kind": "table",
        "columns": [{"name": "Algorithm"}, *({"name": h, "align": "right"} for h in heads[1:])],
        "rows": [
            {"key": keys[row[0].text], "cells": [entry.text for entry in row]}
            for row in section.tables[0].rows
        ],
        "whole": True,
        "alt": f"First overall: {section.tables[0].rows[0][0].text}.",
        "caption": section.words[0],
    }


def pairs(cases: Cases) -> dict[str, Any]:
    """BOLT minus each other, with the interval; below zero BOLT is better."""
    section = against(cases)
    if section is None:
        return {"kind": "text", "text": NO_PAIRS, "tone": "muted"}
    others = [a for a in cases.algorithms if a not in ("bolt", "random")]
    return {
        "kind": "table",
        "columns": [{"name": "Benchmark"}, *_columns(others)],
        "rows": [
            {"key": "", "cells": [_cell(row[0]), *map(_interval, row[1:])]}
            for row in section.tables[0].rows
        ],
        "whole": True,
        "alt": _wins(section),
        "caption": " ".join(section.words),
    }


def of_report(table: Table, words: Sequence[str]) -> dict[str, Any]:
    """A table as the report has it, with the words that stand above it there."""
    first, *heads = table.columns
    return {
        "kind": "table",
        "columns": [
            {"name": first[0].upper() + first[1:]},
            *({"name": head, "align": "right"} for head in heads),
        ],
        "rows": [{"key": "", "cells": [_cell(entry) for entry in row]} for row in table.rows],
        "whole": True,
        "alt": f"{first}, by {', '.join(heads)}.",
        "caption": " ".join(words),
    }


def seeds(runs: Sequence[RunResult]) -> dict[str, Any]:
    """A row a run of one cell."""
    heads = ("Average regret", "R(n) (s)", "n", "n*", "Queries")
    values = [r.averages[HEADLINE] for r in runs]
    known = [f"seed {r.config.seed} {number(v)}" for r, v in zip(runs, values, strict=True)]
    return {
        "kind": "table",
        "columns": [{"name": "Seed"}, *({"name": h, "align": "right"} for h in heads)],
        "rows": [{"key": "", "cells": [f"{r.config.seed}", *_figures(r)]} for r in runs],
        "alt": f"Average regret by seed: {', '.join(known)}.",
        "caption": "Average regret over queries without warm-up; mean response time and median "
        "sizes over full passes. n*: a pass without a limit counts as the highest.",
    }


def cell_of(pressed: object, cases: Cases) -> tuple[str, str] | None:
    """The cell a browser names, if there is one with runs."""
    board, _, key = str(pressed).partition(CELL)
    return (board, key) if cases.of(board, key) else None


def best_in_words(cases: Cases) -> str:
    firsts = [f"{label(b)} {label(a)}" for b in cases.benchmarks for a in first(cases.fair_row(b))]
    return f"Lowest average regret by benchmark: {', '.join(firsts) or 'not known yet'}."


NO_PAIRS = "Pairs need runs of BOLT and of another algorithm."


def _figures(run: RunResult) -> list[str]:
    queries = f"{run.iterations:,}"
    lost = number(run.averages[HEADLINE])
    size = f"{run.size:.0f}" if run.size is not None else "-"
    star = f"{run.n_star:.0f}" if run.n_star is not None else "-"
    return [lost, number(run.response), size, star, queries]


def _columns(keys: Sequence[str]) -> list[dict[str, Any]]:
    return [{"name": label(key), "key": key, "align": "right"} for key in keys]


def _cell(entry: Entry, none: str = "") -> dict[str, Any]:
    text = none if entry.text == NONE and none else entry.text
    return {"text": text, "mark": entry.mark, "beside": entry.paper}


def _interval(entry: Entry) -> dict[str, Any]:
    """The mean, and its interval below."""
    mean, _, interval = entry.text.partition(" ")
    said = [words.replace("-", "\N{MINUS SIGN}") for words in (mean, interval)]
    if entry.text == NONE:
        return {"text": "\N{EN DASH}", "mark": "", "beside": ""}
    return {"text": said[0], "mark": entry.mark, "beside": said[1]}


def _beside(cases: Cases, board: str, key: str, entry: Entry, *, said: bool) -> dict[str, Any]:
    """The paper's value and the difference to it; a press where there are runs."""
    found: dict[str, Any] = {}
    printed = paper_table2()["benchmarks"].get(board, {"mean": {}})["mean"].get(key)
    values = list(cases.by_seed(board, key).values())
    if entry.paper and printed and values and said:
        share = round(100.0 * (sum(values) / len(values) - printed) / printed)
        told = f"{share:+d}" if share else "0"
        found["beside"] = f"{entry.paper}, {told} %".replace("-", "\N{MINUS SIGN}")
    if values:
        found["press"] = f"{board}{CELL}{key}"
    return found


def _wins(section: Section) -> str:
    entries = [e for row in section.tables[0].rows for e in row[1:] if e.text != NONE]
    below, above = (sum(e.mark == mark for e in entries) for mark in ("best", "worse"))
    return (
        f"Of {len(entries)} comparisons BOLT is better beyond the interval in {below}, worse "
        f"beyond it in {above}."
    )
