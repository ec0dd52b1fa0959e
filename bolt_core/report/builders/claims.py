"""The first section: what the paper's Table 2 says of BOLT, and how much of it these runs show.

A claim is a benchmark and another algorithm: the paper's mean of BOLT is the lower one, and the two
means with their standard errors do not meet. These runs show it if the paired interval of their
differences lies below zero, and show the opposite if it lies above.
"""

from collections.abc import Iterable

from bolt_core.analysis.seed_statistics import LEVEL, MIN_SEEDS_FOR_CONCLUSION, Paired
from bolt_core.common.text import counted, listed
from bolt_core.report.builders import first_or_second, overall, removals
from bolt_core.report.campaign_tables import marked
from bolt_core.report.model.blocks import Section
from bolt_core.report.model.cases import HELD, Cases, PairTable
from bolt_core.report.model.paper_table import NOT_COMPARABLE, printed
from bolt_core.report.verdicts import verdict
from bolt_core.runs.lane_names import label

Claim = tuple[str, str]  # benchmark, other algorithm
INTERVALS = "95 % t intervals"
MAX_NAMED = 3  # benchmarks of one algorithm on which a claim is not tested


def section(cases: Cases) -> Section | None:
    """Return which claims of the paper these runs show, if they repeat its experiment."""
    if not cases.beside_paper or "bolt" not in cases.algorithms or not (made := claims(cases)):
        return None
    findings = [
        [*overall.in_short(cases), *_claims_in_words(cases, made)],
        [*first_or_second.in_words(cases), *_lower_than(cases)],
        [
            *removals.choice_by_w2(cases),
            *removals.seldom_removed(cases),
            *removals.against_printed(cases),
        ],
    ]
    details = [*_criteria(cases, made), *_by_held_regret(cases, made), *_lower_than_bolt(cases)]
    return Section(
        "claims",
        "What the paper claims, and what these runs show",
        (" ".join(details), *overall.in_detail(cases), *overall.level(cases)),
        findings=tuple(" ".join(sentences) for sentences in findings if sentences),
    )


def claims(cases: Cases) -> list[Claim]:
    """Return the comparisons in which the paper's BOLT is lower by more than both errors."""
    return [
        (benchmark, rival)
        for rival in cases.rivals
        for benchmark in cases.benchmarks
        if _claimed(benchmark, rival)
    ]


def answer(pair: Paired | None) -> str:
    """Return what the paired differences say of a claim: shown, open, opposite or untested."""
    answers = {"lower": "shown", "open": "open", "equal": "open", "higher": "opposite"}
    return "untested" if pair is None else answers.get(verdict(pair), "untested")


def _claimed(benchmark: str, rival: str) -> bool:
    row = printed(benchmark)
    mean, error = row["mean"], row["error"]
    if not {"bolt", rival} <= mean.keys() & error.keys():
        return False
    return mean["bolt"] + error["bolt"] < mean[rival] - error[rival]


def _lower_than(cases: Cases) -> list[str]:
    """Return on how many benchmarks BOLT is shown lower than each other algorithm."""
    shown = {
        rival: sum(answer(cases.differences[b][rival]) == "shown" for b in cases.benchmarks)
        for rival in cases.rivals
    }
    if not any(shown.values()):
        return []
    counts: dict[int, list[str]] = {}
    for rival in sorted(shown, key=lambda rival: shown[rival]):
        counts.setdefault(shown[rival], []).append(label(rival))
    by_count = listed([f"{listed(names)} on {count or 'none'}" for count, names in counts.items()])
    return [
        f"By the paired {INTERVALS} of average regret, BOLT is shown lower than {by_count} of "
        f"{counted(len(cases.benchmarks), 'benchmark')}."
    ]


def _claims_in_words(cases: Cases, made: list[Claim]) -> list[str]:
    answered = _answered(made, cases.differences)
    one = len(cases.benchmarks) == 1
    sentences = [
        "In the paper's Table 2, BOLT is lower than one of these algorithms by more than the "
        f"standard errors in {counted(len(made), 'comparison')} on "
        f"{'this benchmark' if one else 'these benchmarks'}; these runs show "
        f"{len(answered['shown']) or 'none'} of them{_of_comparable(made, answered['shown'])}."
    ]
    if answered["open"]:
        sentences.append(
            "They do not show that BOLT is lower than "
            f"{_by_rival(answered['open'])}: zero lies in the interval"
            f"{_means_above(cases, answered['open'])}."
        )
    if answered["opposite"]:
        sentences.append(
            "They show the opposite in these comparisons: BOLT is higher than "
            f"{_by_rival(answered['opposite'])}."
        )
    if answered["untested"]:
        reasons = {
            "stopped": "some runs made no query in the last tenth of their time",
            "few seeds": f"there are fewer than {MIN_SEEDS_FOR_CONCLUSION} seeds",
        }
        met = {
            verdict(pair)
            for benchmark, rival in answered["untested"]
            if (pair := cases.differences[benchmark][rival])
        }
        why = " or ".join(words for each, words in reasons.items() if each in met)
        sentences.append(
            "They do not test whether BOLT is lower than "
            f"{_by_rival(answered['untested'], MAX_NAMED)}, because {why or 'runs are missing'}."
        )
    return sentences


def _means_above(cases: Cases, undecided: Iterable[Claim]) -> str:
    """Return in how many undecided comparisons BOLT's mean difference is above zero."""
    pairs = [cases.differences[benchmark][rival] for benchmark, rival in undecided]
    above = sum(pair is not None and pair.mean > 0.0 for pair in pairs)
    where = f" in {above} of these {len(pairs)}" if len(pairs) > 1 else ""
    return f", and{where} BOLT's mean is the higher one" if above else ""


def _of_comparable(made: list[Claim], shown: list[Claim]) -> str:
    """Return how many claims are shown on the comparable benchmarks, if others are not."""
    both = [[c for c in some if c[0] not in NOT_COMPARABLE] for some in (made, shown)]
    if not both[0] or len(both[0]) == len(made):
        return ""
    return f" ({len(both[1]) or 'none'} of {len(both[0])} on the comparable benchmarks)"


def _criteria(cases: Cases, made: list[Claim]) -> list[str]:
    """Return what counts as a claim of the paper, and what as shown by these runs."""
    opposite = _answered(made, cases.differences)["opposite"]
    by_chance = len(made) * (1.0 - LEVEL) / 2.0
    return [
        "The paper prints means and standard errors: a difference counts as claimed if the ranges "
        "mean ± standard error of BOLT and of the other algorithm do not overlap. These runs are "
        f"compared seed by seed, and the paired {INTERVALS} decide, each comparison on its own."
        + (
            f" If no difference existed in any of the {len(made)} comparisons, about "
            f"{by_chance:.0f} would show the opposite by chance."
            if opposite
            else ""
        )
    ]


def _answered(made: Iterable[Claim], differences: PairTable) -> dict[str, list[Claim]]:
    """Return the claims by their answer."""
    answered: dict[str, list[Claim]] = {"shown": [], "open": [], "opposite": [], "untested": []}
    for benchmark, rival in made:
        answered[answer(differences[benchmark][rival])].append((benchmark, rival))
    return answered


def _by_held_regret(cases: Cases, made: list[Claim]) -> list[str]:
    """Return how many of the same comparisons are shown by held regret, which the paper lacks."""
    if not cases.held_recorded:
        return []
    by_held = _answered(made, cases.paired(cases.benchmarks, cases.rivals, HELD))
    shown, opposite = len(by_held["shown"]) or "none", by_held["opposite"]
    return [
        f"By held regret, which the paper does not have, {shown} of the {len(made)} are shown"
        + (f", and BOLT is higher than {_by_rival(opposite)}." if opposite else ".")
    ]


def _lower_than_bolt(cases: Cases) -> list[str]:
    """Return where an algorithm that the paper's table does not have is shown below BOLT."""
    lower = [
        (benchmark, rival)
        for rival in cases.rivals
        for benchmark in cases.benchmarks
        if (papers := printed(benchmark)["mean"])
        and rival not in papers
        and (pair := cases.differences[benchmark][rival])
        and verdict(pair) == "higher"
    ]
    return (
        [
            "By average regret, BOLT is also higher than an algorithm that the paper does not have:"
            f" {_by_rival(lower)}."
        ]
        if lower
        else []
    )


def _by_rival(made: Iterable[Claim], most: int | None = None) -> str:
    """Return claims in words: W-DBO on Shekel and Powell; ABO on Ackley.

    More than `most` benchmarks are counted instead of named.
    """
    on: dict[str, list[str]] = {}
    for benchmark, rival in made:
        on.setdefault(rival, []).append(marked(benchmark))
    parts = []
    for rival, names in on.items():
        named = most is None or len(names) <= most
        parts.append(f"{label(rival)} on {listed(names) if named else f'{len(names)} benchmarks'}")
    return "; ".join(parts)
