"""What the first section says of removal, and of BOLT beside the printed algorithm."""

from collections.abc import Mapping, Sequence

from bolt_core.common.text import counted, listed
from bolt_core.report.builders import device_speeds
from bolt_core.report.builders.pairs import MEASURES
from bolt_core.report.campaign_tables import marked
from bolt_core.report.model.ablation_runs import at_several_speeds, within
from bolt_core.report.model.cases import HEADLINE, Cases, PairTable
from bolt_core.report.verdicts import ALWAYS_SHOWN, Verdict, judged

OTHER_CHOICES = {"bolt-oldest": "the oldest", "bolt-random": "a random one"}  # of the variants
PRINTED = "bolt-literal"  # the variant that follows Algorithm 1 to the letter
BESIDE_PRINTED: Mapping[Verdict, str] = {
    "lower": "is shown lower",
    "higher": "is shown higher",
    "open": "is not shown to differ",
    "equal": "is equal",
}
UNTESTED = "is not tested"


def choice_by_w2(cases: Cases) -> list[str]:
    """Return whether BOLT is shown lower than its variants that remove other observations.

    The second sentence is about devices of several speeds, in runs that are not in the first.
    """
    present = {run.config.algorithm for run in cases.main}
    variants = [variant for variant in OTHER_CHOICES if variant in present]
    compared = cases.paired(cases.benchmarks, variants)
    tested = _conclusive({marked(b): row for b, row in compared.items()}, variants)
    if not tested:
        return []
    others = " or ".join(OTHER_CHOICES[variant] for variant in variants)
    return [
        f"Removing the observation with the smallest W2 score instead of {others} is shown to "
        f"lower the average regret {within(cases.main)} in {_counts(tested)}.",
        *_choice_by_speed(cases, variants),
    ]


def _choice_by_speed(cases: Cases, variants: Sequence[str]) -> list[str]:
    """Return the same of devices of several speeds, without the runs of the main setting."""
    main = set(map(id, cases.main))  # keys of configs take a hash of each, at every first paint
    runs = [run for run in at_several_speeds(cases.results.runs) if id(run) not in main]
    by_speed = device_speeds.pairs(cases, runs, variants) if runs else {}
    pairs = by_speed.get(MEASURES[HEADLINE], {})
    tested = _conclusive(pairs, variants)
    if not tested:
        return []
    counts = sorted({pair.seeds for row, variant, _ in tested if (pair := pairs[row][variant])})
    seeds = " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
    equal = sum(each == "equal" for *_, each in judged(pairs, variants))
    return [
        f"On devices of several speeds, {within(runs)} and with {seeds} seeds, it is shown to do "
        f"so in {_counts(tested)}" + (f"; in {equal} more, nothing was removed." if equal else ".")
    ]


def _conclusive(pairs: PairTable, variants: Sequence[str]) -> list[tuple[str, str, Verdict]]:
    """Return (row, variant, verdict) of the comparisons that have an interval."""
    found = [(row, variant, each) for row, variant, _, each in judged(pairs, variants)]
    return [each for each in found if each[-1] in ALWAYS_SHOWN]


def _counts(tested: Sequence[tuple[str, str, Verdict]]) -> str:
    """Return in how many comparisons, and in which, W2 lowers and raises the regret."""
    where: dict[Verdict, list[str]] = {"lower": [], "higher": []}
    for row, variant, each in tested:
        if each in where:
            where[each].append(f"{OTHER_CHOICES[variant]} on {row}")
    lower, higher = where["lower"], where["higher"]
    words = f"{len(lower) or 'none'} of {counted(len(tested), 'comparison')}"
    words += f" ({'; '.join(lower)})" if lower else ""
    return words + (f", and to raise it in {len(higher)} ({'; '.join(higher)})" if higher else "")


def seldom_removed(cases: Cases) -> list[str]:
    """Return on which benchmarks BOLT removed nothing in half of its runs or more."""
    parts = []
    for benchmark in cases.benchmarks:
        runs = cases.runs(benchmark, "bolt")
        removed = sum(run.removed_some for run in runs)
        if runs and 2 * removed <= len(runs):
            of_all = f"{removed or 'none'} of {counted(len(runs), 'run')}"
            parts.append(f"{of_all} on {marked(benchmark)}")
    if not parts:
        return []
    return [
        f"BOLT removed observations in {listed(parts)}: there, removal has little or no part in "
        "how BOLT compares with the others."
    ]


def against_printed(cases: Cases) -> list[str]:
    """Return that BOLT is not the printed Algorithm 1, and how it compares with it."""
    where = [b for b in cases.benchmarks if cases.runs(b, PRINTED)]
    clauses = []
    for average, measure in MEASURES.items():
        by_outcome: dict[str, list[str]] = {}
        compared = cases.paired(where, [PRINTED], average)
        for b, *_, each in judged(compared, [PRINTED]):
            by_outcome.setdefault(BESIDE_PRINTED.get(each, UNTESTED), []).append(marked(b))
        if by_outcome.keys() - {UNTESTED}:
            outcomes = [f"{each} on {listed(on)}" for each, on in by_outcome.items()]
            clauses.append(f"by {measure} BOLT {listed(outcomes)}")
    differs = "BOLT differs from the paper's Algorithm 1, as the report's last section says."
    if not clauses:
        return [differs]
    whole = len(where) == len(cases.benchmarks)
    missing = "" if whole else ". These results do not have it on the other benchmarks"
    return [
        f"{differs} Compared with the variant that follows Algorithm 1 to the letter, "
        f"{'; '.join(clauses)}{missing}."
    ]
