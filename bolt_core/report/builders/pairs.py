"""Sections that compare seed by seed: BOLT with the others, and with its own variants."""

from bolt_core.analysis.seed_statistics import MIN_SEEDS_FOR_INTERVAL
from bolt_core.report.campaign_charts import why_unmarked
from bolt_core.report.campaign_tables import differences, regret_row
from bolt_core.report.model.ablation_runs import within
from bolt_core.report.model.blocks import Section, Table
from bolt_core.report.model.cases import HEADLINE, HELD, VARIANTS, Cases, PairTable
from bolt_core.report.verdicts import count_table, findings
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
    tables: list[Table] = []
    for average in _measures(cases):
        pairs, measure = cases.paired(cases.benchmarks, cases.rivals, average), MEASURES[average]
        tables.append(count_table(pairs, cases.rivals, measure))
        tables.append(differences(pairs, cases.rivals, measure))
    return Section(
        "paired",
        "BOLT against the others, seed by seed",
        (
            "Regret of BOLT minus that of the other algorithm at the same seed (same warm-up, same "
            f"noise): {INTERVAL}. Below zero BOLT is better. {_how_to_read(cases.differences)} "
            "The table before each table of differences counts the benchmarks on which BOLT is "
            "lower, higher or neither, each comparison taken on its own.",
        ),
        tuple(tables),
    )


def removal(cases: Cases) -> Section | None:
    """Return BOLT against its variants: what removal by W2 is worth, for example."""
    present = {run.config.algorithm for run in cases.main}
    variants = [variant for variant in VARIANTS if variant in present]
    if "bolt" not in present or not variants:
        return None
    keys = ["bolt", *variants]
    benchmarks = [b for b in cases.benchmarks if len(cases.row(b, keys)) > 1]
    compared: dict[str, PairTable] = {}
    for average in _measures(cases):
        by_key = cases.paired(benchmarks, variants, average)
        compared[MEASURES[average]] = {label(b): row for b, row in by_key.items()}
    rows = tuple(regret_row(cases, b, keys, shared_seeds=True) for b in benchmarks)
    return Section(
        "ablation-removal",
        "Ablation: which observation to remove"
        if set(variants) <= OTHERWISE_EQUAL
        else VARIANTS_OF,
        (
            "BOLT removes the observation with the smallest W2 score. "
            + " ".join(dict.fromkeys(OF_VARIANTS[variant] for variant in variants)),
            "First table: average regret over the seeds that all algorithms of a row have, marked "
            f"as in Table 2. Then BOLT minus the variant at the same seed: {INTERVAL}. "
            f"{_how_to_read(compared[MEASURES[HEADLINE]])}",
        ),
        (
            Table(("benchmark", *map(label, keys)), rows, column_keys=tuple(keys)),
            *(differences(pairs, variants, measure) for measure, pairs in compared.items()),
        ),
        findings=tuple(findings(compared, variants, within(cases.main))),
    )


def _measures(cases: Cases) -> tuple[str, ...]:
    return (HEADLINE, HELD) if cases.held_recorded else (HEADLINE,)


def _how_to_read(pairs: PairTable) -> str:
    return MARKS + why_unmarked(pair for row in pairs.values() for pair in row.values())
