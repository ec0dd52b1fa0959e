"""What the first section says of removal: is W2 the better choice, and was anything removed?"""

from collections.abc import Sequence

from bolt_core.common.text import counted, listed
from bolt_core.report.builders import device_speeds
from bolt_core.report.builders.pairs import MEASURES
from bolt_core.report.campaign_tables import marked
from bolt_core.report.model.ablation_runs import at_several_speeds, within
from bolt_core.report.model.cases import HEADLINE, Cases, PairTable
from bolt_core.report.verdicts import ALWAYS_SHOWN, Verdict, judged
from bolt_core.runs.lane_names import label

OTHER_CHOICES = {"bolt-oldest": "the oldest", "bolt-random": "a random one"}  # of the variants
PRINTED = "bolt-literal"  # the variant that follows Algorithm 1 to the letter


def choice_by_w2(cases: Cases) -> list[str]:
    """Return whether BOLT is shown lower than its variants that remove other observations."""
    present = {run.config.algorithm for run in cases.main}
    variants = [variant for variant in OTHER_CHOICES if variant in present]
    if not variants:
        return []
    compared = cases.paired(cases.benchmarks, variants)
    on_paper_device = {label(b): row for b, row in compared.items()}
    sentences = []
    if tested := _conclusive(on_paper_device, variants):
        others = " or ".join(OTHER_CHOICES[variant] for variant in variants)
        sentences.append(
            f"Removing the observation with the smallest W2 score instead of {others} is shown to "
            f"lower the average regret {within(cases.main)} in {_counts(tested)}."
        )
    runs = at_several_speeds(cases.results.runs) if sentences else []
    by_speed = device_speeds.pairs(cases, runs, variants) if runs else {}
    pairs = by_speed.get(MEASURES[HEADLINE], {})
    if tested := _conclusive(pairs, variants):
        equal = sum(each == "equal" for *_, each in judged(pairs, variants))
        aside = f"; in {equal} more, nothing was removed" if equal else ""
        seeds = max(pair.seeds for row in pairs.values() for pair in row.values() if pair)
        sentences.append(
            f"On devices of several speeds, {within(runs)} and with {counted(seeds, 'seed')}, it "
            f"is shown to do so in {_counts(tested)}{aside}."
        )
    return sentences


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
    runs = [run for run in cases.main if run.config.algorithm == PRINTED]
    where = [b for b in cases.benchmarks if any(run.config.benchmark == b for run in runs)]
    words: dict[Verdict, str] = {
        "lower": "is shown lower",
        "higher": "is shown higher",
        "open": "is not shown to differ",
    }
    clauses = []
    for average, measure in MEASURES.items():
        by_verdict: dict[str, list[str]] = {}
        compared = cases.paired(where, [PRINTED], average)
        for b, _, each in _conclusive(compared, [PRINTED]):
            by_verdict.setdefault(words[each], []).append(marked(b))
        if by_verdict:
            shown = listed([f"{each} on {listed(on)}" for each, on in by_verdict.items()])
            clauses.append(f"by {measure} it {shown}")
    differs = "BOLT differs from the paper's Algorithm 1, as the report's last section says."
    if not clauses:
        return [differs]
    whole = len(where) == len(cases.benchmarks)
    missing = "" if whole else ". These results do not have it on the other benchmarks"
    return [
        f"{differs} Compared with the variant that follows Algorithm 1 to the letter, "
        f"{'; '.join(clauses)}{missing}."
    ]
