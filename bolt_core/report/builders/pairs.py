"""Sections that compare seed by seed: BOLT with the others, and with its own variants."""

from bolt_core.report.campaign_charts import few_seeds
from bolt_core.report.campaign_tables import differences, regret_row
from bolt_core.report.model.blocks import Section, Table
from bolt_core.report.model.cases import VARIANTS, Cases, PairTable
from bolt_core.runs.lane_names import label

MARKS = (
    "Bold: the interval lies below zero. Italic: above zero. Underlined: it contains zero, so "
    "neither is shown to be better."
)
LITERAL = (
    " The variant as printed follows Algorithm 1 to the letter: at most one removal per pass, n* "
    "by unit steps from the present size, R(n) by plain least squares."
)


def against(cases: Cases) -> Section | None:
    """Return BOLT against each other algorithm, if a campaign has both."""
    if "bolt" not in cases.algorithms or not cases.rivals:
        return None
    return Section(
        "paired",
        "BOLT against the others, seed by seed",
        (
            "Average regret of BOLT minus that of the other algorithm at the same seed (same "
            "warm-up, same noise): mean and, from three seeds on, its 95 % bootstrap interval. "
            f"Below zero BOLT is better. {_how_to_read(cases.differences)}",
        ),
        (differences(cases.differences, cases.rivals),),
    )


def removal(cases: Cases) -> Section | None:
    """Return BOLT against its variants: the value of choosing which observation to remove."""
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
        "Ablation: which observation to remove",
        (
            "BOLT removes the observation with the smallest W2 score. A variant with the same n* "
            "removes the oldest, or one at random." + (LITERAL if "bolt-literal" in keys else ""),
            "Second table: BOLT minus the variant at the same seed, mean and, from three seeds on, "
            f"its 95 % bootstrap interval. {_how_to_read(pairs)}",
        ),
        (
            Table(("benchmark", *map(label, keys)), rows, column_keys=tuple(keys)),
            differences(pairs, variants),
        ),
    )


def _how_to_read(pairs: PairTable) -> str:
    return MARKS + few_seeds(pair for row in pairs.values() for pair in row.values())
