"""Sections that compare seed by seed: BOLT with the others, and with its own variants."""

from bolt_core.analysis.seed_statistics import (
    MIN_SEEDS_FOR_CONCLUSION,
    MIN_SEEDS_FOR_INTERVAL,
    Paired,
)
from bolt_core.common.text import counted, listed
from bolt_core.report.campaign_charts import why_unmarked
from bolt_core.report.campaign_tables import differences, regret_row, side_of_zero
from bolt_core.report.model.blocks import STOPPED, Section, Table
from bolt_core.report.model.cases import HEADLINE, HELD, VARIANTS, Cases, PairTable
from bolt_core.runs.lane_names import label

MARKS = (
    "Bold: the interval lies below zero. Italic: above zero. Underlined: it contains zero, so "
    "neither is shown to be better."
)
INTERVAL = f"mean and, from {MIN_SEEDS_FOR_INTERVAL} seeds on, its 95 % t interval (paired)"
MEASURES = {HEADLINE: "average regret", HELD: "held regret"}
OTHER_REMOVALS = "A variant with the same n* removes the oldest, or one at random."
OTHERWISE_EQUAL = {"bolt-oldest", "bolt-random", "bolt-literal"}  # variants that remove, too
VARIANTS_OF = "Ablation: variants of BOLT"
OF_VARIANTS = {
    "bolt-oldest": OTHER_REMOVALS,
    "bolt-random": OTHER_REMOVALS,
    "bolt-keep": "The variant that keeps all computes n* and removes nothing.",
    "bolt-literal": "The variant as printed follows Algorithm 1 to the letter: at most one removal "
    "per pass, no exploring, n* by unit steps from the present size, R(n) by plain least squares.",
    "bolt-plain": "BOLT makes one query in |D| at a uniform random point among those whose UCB is "
    "at least the largest LCB; the variant that never explores always takes the largest UCB.",
}


def against(cases: Cases) -> Section | None:
    """Return BOLT against each other algorithm, if a campaign has both."""
    if "bolt" not in cases.algorithms or not cases.rivals:
        return None
    return Section(
        "paired",
        "BOLT against the others, seed by seed",
        (
            "Average regret of BOLT minus that of the other algorithm at the same seed (same "
            f"warm-up, same noise): {INTERVAL}. Below zero BOLT is better. "
            f"{_how_to_read(cases.differences)}"
            + (" Second table: the same of held regret." if cases.held_recorded else ""),
            *(conclusions(cases, average) for average in _measures(cases)),
        ),
        tuple(
            differences(cases.paired(cases.benchmarks, cases.rivals, average), cases.rivals)
            for average in _measures(cases)
        ),
    )


def conclusions(cases: Cases, average: str) -> str:
    """Return what the intervals allow to conclude of BOLT against each other algorithm."""
    pairs = cases.paired(cases.benchmarks, cases.rivals, average)
    sentences = [f"What may be concluded by {MEASURES[average]}, one comparison at a time:"]
    for rival in cases.rivals:
        row = {b: pair for b in cases.benchmarks if (pair := pairs[b][rival]) is not None}
        tested = {b: side_of_zero(pair) for b, pair in row.items() if pair.conclusive}
        lower = [label(b) for b, side in tested.items() if side < 0]
        higher = [label(b) for b, side in tested.items() if side > 0]
        open_ = len(tested) - len(lower) - len(higher)
        few = [pair for pair in row.values() if pair.few_seeds]
        stopped = [b for b, pair in row.items() if pair.stopped]
        parts = [f"lower on {listed(lower)}"] if lower else []
        parts += [f"higher on {listed(higher)}"] if higher else []
        rest = [f"zero is in the interval on {counted(open_, 'benchmark')}"] if open_ else []
        rest += [_of_stopped_runs(cases, rival, stopped)] if stopped else []
        rest += [_of_few_seeds(few)] if few else []
        against = f"BOLT against {label(rival)}"
        verdict = f"{against}: {' and '.join(parts)}" if parts else f"of {against} nothing yet"
        sentences.append(f"{verdict}{f' ({listed(rest)})' if rest else ''};")
    return " ".join(sentences)[:-1] + "."


def removal(cases: Cases) -> Section | None:
    """Return BOLT against its variants: what removal by W2 is worth, for example."""
    present = {run.config.algorithm for run in cases.main}
    variants = [variant for variant in VARIANTS if variant in present]
    if "bolt" not in present or not variants:
        return None
    keys = ["bolt", *variants]
    benchmarks = [b for b in cases.benchmarks if len(cases.row(b, keys)) > 1]
    pairs = cases.paired(benchmarks, variants)
    rows = tuple(regret_row(cases, b, keys) for b in benchmarks)
    return Section(
        "ablation-removal",
        "Ablation: which observation to remove"
        if set(variants) <= OTHERWISE_EQUAL
        else VARIANTS_OF,
        (
            "BOLT removes the observation with the smallest W2 score. "
            + " ".join(dict.fromkeys(OF_VARIANTS[variant] for variant in variants)),
            f"Second table: BOLT minus the variant at the same seed, {INTERVAL}. "
            f"{_how_to_read(pairs)}",
        ),
        (
            Table(("benchmark", *map(label, keys)), rows, column_keys=tuple(keys)),
            differences(pairs, variants),
        ),
    )


def _of_few_seeds(pairs: list[Paired]) -> str:
    """Return how many benchmarks have too few seeds, and on how many of them zero is possible."""
    sides = [side_of_zero(pair) for pair in pairs if pair.low is not None]
    zero = f", zero being in {sides.count(0)} of {len(sides)} intervals" if sides else ""
    rows = counted(len(pairs), "row")
    return f"fewer than {MIN_SEEDS_FOR_CONCLUSION} seeds were run for {rows}{zero}"


def _of_stopped_runs(cases: Cases, rival: str, benchmarks: list[str]) -> str:
    """Return on how many benchmarks runs of a pair stopped asking, and of which algorithm."""
    names = [label(a) for a in (rival, "bolt") if any(cases.stopped(b, a) for b in benchmarks)]
    rows = counted(len(benchmarks), "row")
    return f"runs of {listed(names)} stopped asking on {rows}, marked {STOPPED},"


def _measures(cases: Cases) -> tuple[str, ...]:
    return (HEADLINE, HELD) if cases.held_recorded else (HEADLINE,)


def _how_to_read(pairs: PairTable) -> str:
    return MARKS + why_unmarked(pair for row in pairs.values() for pair in row.values())
