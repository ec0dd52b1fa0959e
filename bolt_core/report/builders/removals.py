"""What the first section says of removal: is W2 the better choice, and was anything removed?"""

from bolt_core.common.text import counted, listed
from bolt_core.report.campaign_tables import marked
from bolt_core.report.model.cases import Cases
from bolt_core.report.verdicts import ALWAYS_SHOWN, judged

OTHER_CHOICES = {"bolt-oldest": "the oldest", "bolt-random": "a random one"}  # of the variants


def choice_by_w2(cases: Cases) -> list[str]:
    """Return whether BOLT is shown lower than its variants that remove other observations."""
    present = {run.config.algorithm for run in cases.main}
    variants = [variant for variant in OTHER_CHOICES if variant in present]
    pairs = cases.paired(cases.benchmarks, variants)
    tested = [each for *_, each in judged(pairs, variants) if each in ALWAYS_SHOWN]
    if not tested:
        return []
    lower, higher = tested.count("lower"), tested.count("higher")
    return [
        "Removing the observation with the smallest W2 score instead of "
        f"{' or '.join(OTHER_CHOICES[variant] for variant in variants)} is shown to lower the "
        f"average regret in {lower or 'none'} of {counted(len(tested), 'comparison')}"
        + (f", and to raise it in {higher}." if higher else ".")
    ]


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
