"""Seed by seed: BOLT against the others, and against its own variants that drop something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bolt_core import comparison
from bolt_core.lanes import label
from bolt_core.report.blocks import Entry, Section, Table, alike, number
from bolt_core.report.cases import VARIANTS, Cases
from bolt_core.report.tables import of_row
from bolt_core.types import RunConfig

SEED = 0  # of the bootstrap: a report of the same runs is the same report
FEW = 3  # seeds of which a bootstrap can only say the span
PAIR_MARKS = (
    "Bold: the interval lies below zero; italic: above it; underlined: zero is in it, so neither "
    "is shown to be better."
)
PRINTED = (
    " As printed is BOLT to the letter of Algorithm 1: one removal a pass at most, n* by unit "
    "steps from the present size, R(n) by plain least squares."
)


def against(cases: Cases) -> Section | None:
    """BOLT against each other algorithm, seed by seed."""
    others = [a for a in cases.algorithms if a not in ("bolt", comparison.BASELINE)]
    if "bolt" not in cases.algorithms or not others:
        return None
    return Section(
        "paired",
        "BOLT against the others, seed by seed",
        (
            "Average regret of BOLT minus the other's at the same seed (same warm-up, same noise): "
            "mean and, from three seeds on, its 95 % bootstrap interval. Below zero BOLT is "
            f"better. {PAIR_MARKS}{_few(cases)}",
        ),
        (_paired_table(cases, cases.benchmarks, others),),
    )


def removal(cases: Cases) -> Section | None:
    """What the choice of the victim is worth: BOLT against its variants."""
    there = {run.config.algorithm for run in cases.main}
    keys = ["bolt", *(v for v in VARIANTS if v in there)]
    if "bolt" not in there or len(keys) == 1:
        return None
    cells = {b: row for b, row in cases.table(keys).items() if len(row) > 1}
    rows = tuple(of_row(b, row, keys, beside=False) for b, row in cells.items())
    return Section(
        "ablation-removal",
        "Ablation: which observation to drop",
        (
            "BOLT drops the observation that matters least by W2; a variant with the same n* drops "
            "the oldest, or one at random." + (PRINTED if "bolt-literal" in keys else ""),
            "Below, BOLT minus the variant at the same seed: mean and, from three seeds on, its "
            f"95 % bootstrap interval. {PAIR_MARKS}{_few(cases)}",
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


def _pair(found: comparison.Paired | None) -> Entry:
    if found is None:
        return Entry("-")
    if found.low is None or found.high is None:
        return Entry(number(found.mean))
    mark = "best" if found.high < 0 else "overlap" if found.low <= 0 else "worse"
    mean, low, high = alike((found.mean, found.low, found.high))
    return Entry(f"{mean} [{low}, {high}]", mark)


def _few(cases: Cases) -> str:
    """With three differences the bootstrap's 2.5 % is the lowest one: say what that is worth."""
    if max(Counter(_cell_of(run.config) for run in cases.main).values()) > FEW:
        return ""
    return (
        " With three seeds the interval runs from the lowest to the highest of three differences: "
        "a span to look at, not a test."
    )


def _cell_of(config: RunConfig) -> tuple[str, str]:
    return config.benchmark, config.algorithm
