"""Seed by seed: BOLT against the others, and against its own variants that drop something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from bolt_core.analysis import seed_statistics
from bolt_core.report.builders.tables import of_row
from bolt_core.report.model.blocks import Entry, Section, Table, alike, number
from bolt_core.report.model.cases import VARIANTS, Cases
from bolt_core.runs.lane_names import label

SEED = 0  # of the bootstrap: a report of the same runs is the same report
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
    others = [a for a in cases.algorithms if a not in ("bolt", seed_statistics.BASELINE)]
    if "bolt" not in cases.algorithms or not others:
        return None
    pairs = _all_pairs(cases, cases.benchmarks, others)
    return Section(
        "paired",
        "BOLT against the others, seed by seed",
        (
            "Average regret of BOLT minus the other's at the same seed (same warm-up, same noise): "
            "mean and, from three seeds on, its 95 % bootstrap interval. Below zero BOLT is "
            f"better. {PAIR_MARKS}{few(p for row in pairs.values() for p in row)}",
        ),
        (_paired_table(pairs, others),),
    )


def removal(cases: Cases) -> Section | None:
    """What the choice of the victim is worth: BOLT against its variants."""
    there = {run.config.algorithm for run in cases.main}
    keys = ["bolt", *(v for v in VARIANTS if v in there)]
    if "bolt" not in there or len(keys) == 1:
        return None
    boards = [b for b in cases.benchmarks if len(cases.row(b, keys)) > 1]
    rows = tuple(of_row(cases, b, keys) for b in boards)
    pairs = _all_pairs(cases, boards, keys[1:])
    return Section(
        "ablation-removal",
        "Ablation: which observation to drop",
        (
            "BOLT drops the observation that matters least by W2; a variant with the same n* drops "
            "the oldest, or one at random." + (PRINTED if "bolt-literal" in keys else ""),
            "Below, BOLT minus the variant at the same seed: mean and, from three seeds on, its "
            f"95 % bootstrap interval. {PAIR_MARKS}{few(p for row in pairs.values() for p in row)}",
        ),
        (
            Table(("benchmark", *map(label, keys)), rows),
            _paired_table(pairs, keys[1:]),
        ),
    )


def few(pairs: Iterable[seed_statistics.Paired | None]) -> str:
    """With three differences the bootstrap's 2.5 % is the lowest one: say what that is worth."""
    if not any(
        p is not None and p.seeds == seed_statistics.MIN_SEEDS_FOR_STANDARD_ERROR for p in pairs
    ):
        return ""
    return (
        " With three seeds the interval runs from the lowest to the highest of three differences: "
        "a span to look at, not a test."
    )


def _all_pairs(
    cases: Cases, benchmarks: Sequence[str], others: Sequence[str]
) -> dict[str, list[seed_statistics.Paired | None]]:
    rng = np.random.default_rng(SEED)
    return {
        b: [
            seed_statistics.paired(cases.by_seed(b, "bolt"), cases.by_seed(b, a), rng)
            for a in others
        ]
        for b in benchmarks
    }


def _paired_table(
    pairs: Mapping[str, Sequence[seed_statistics.Paired | None]], others: Sequence[str]
) -> Table:
    rows = tuple((Entry(label(b)), *map(_pair, found)) for b, found in pairs.items())
    return Table(("BOLT minus", *map(label, others)), rows)


def _pair(found: seed_statistics.Paired | None) -> Entry:
    if found is None:
        return Entry("-")
    if found.low is None or found.high is None:
        return Entry(number(found.mean))
    mark = "best" if found.high < 0 else "overlap" if found.low <= 0 else "worse"
    mean, low, high = alike((found.mean, found.low, found.high))
    return Entry(f"{mean} [{low}, {high}]", mark)
