"""The first section: what the paper's Table 2 says of BOLT, and how much of it these runs show.

A claim is a benchmark and another algorithm: the paper's mean of BOLT is the lower one, and the two
means with their standard errors do not meet. These runs show it if the paired interval of their
differences lies below zero, and show the opposite if it lies above.
"""

from collections.abc import Iterable

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.seed_statistics import MIN_SEEDS_FOR_CONCLUSION, Paired
from bolt_core.common.text import counted, listed
from bolt_core.report.builders.pairs import MEASURES
from bolt_core.report.campaign_tables import DAGGER, side_of_zero
from bolt_core.report.model.blocks import Section, printed_mean, printed_overall
from bolt_core.report.model.cases import HEADLINE, HELD, Cases, means
from bolt_core.report.model.paper_table import NOT_COMPARABLE, printed
from bolt_core.runs.lane_names import label

Claim = tuple[str, str]  # benchmark, other algorithm
MAX_NAMED = 3  # benchmarks of one algorithm on which a claim is not tested


def section(cases: Cases) -> Section | None:
    """Return which claims of the paper these runs show, if they repeat its experiment."""
    if not cases.beside_paper or "bolt" not in cases.algorithms or not (made := claims(cases)):
        return None
    return Section(
        "claims",
        "What the paper claims, and what these runs show",
        (_claims_in_words(cases, made), *_standing(cases), *_level(cases)),
    )


def claims(cases: Cases) -> list[Claim]:
    """Return the comparisons in which the paper's BOLT is lower by more than both errors."""
    return [
        (benchmark, rival)
        for rival in cases.rivals
        for benchmark in cases.benchmarks
        if _claimed(benchmark, rival)
    ]


def verdict(pair: Paired | None) -> str:
    """Return what the paired differences say of a claim: shown, open, opposite or untested."""
    if pair is None or not pair.conclusive:
        return "untested"
    return {-1: "shown", 0: "open", 1: "opposite"}[side_of_zero(pair)]


def _claimed(benchmark: str, rival: str) -> bool:
    row = printed(benchmark)
    mean, error = row["mean"], row["error"]
    if not {"bolt", rival} <= mean.keys() & error.keys():
        return False
    return mean["bolt"] + error["bolt"] < mean[rival] - error[rival]


def _claims_in_words(cases: Cases, made: list[Claim]) -> str:
    found: dict[str, list[Claim]] = {"shown": [], "open": [], "opposite": [], "untested": []}
    for benchmark, rival in made:
        found[verdict(cases.differences[benchmark][rival])].append((benchmark, rival))
    shown = len(found["shown"])
    sentences = [
        f"The paper's Table 2 has BOLT below another algorithm in {len(made)} comparisons on "
        f"{'this benchmark' if len(cases.benchmarks) == 1 else 'these benchmarks'} whose standard "
        f"errors do not meet. These runs show {shown or 'none'} of them, by paired 95 % t "
        "intervals of average regret."
    ]
    if found["open"]:
        sentences.append(
            f"Not shown, zero being in the interval: below {_by_rival(found['open'])}."
        )
    if found["opposite"]:
        sentences.append(f"The opposite is shown: above {_by_rival(found['opposite'])}.")
    if found["untested"]:
        sentences.append(
            "Not tested, because runs stopped asking or there are fewer than "
            f"{MIN_SEEDS_FOR_CONCLUSION} seeds: below {_by_rival(found['untested'], MAX_NAMED)}."
        )
    return " ".join(sentences)


def _by_rival(made: Iterable[Claim], most: int | None = None) -> str:
    """Return claims in words: W-DBO on Shekel and Powell; ABO on Ackley.

    More than `most` benchmarks are counted instead of named.
    """
    on: dict[str, list[str]] = {}
    for benchmark, rival in made:
        on.setdefault(rival, []).append(_marked(benchmark))
    parts = []
    for rival, names in on.items():
        named = most is None or len(names) <= most
        parts.append(f"{label(rival)} on {listed(names) if named else f'{len(names)} benchmarks'}")
    return "; ".join(parts)


def _standing(cases: Cases) -> list[str]:
    """Return which algorithm has the lowest Overall by each measure, in one paragraph."""
    sentences = []
    for average in (HEADLINE, HELD):
        if not (complete := cases.complete_rows(average)):
            continue
        total = seed_statistics.overall(means(complete), cases.reference)
        marks = seed_statistics.marks(total, printed_overall)
        best = [a for a, mark in marks.items() if mark == "best"]
        near = [label(a) for a, mark in marks.items() if mark == "overlap"]
        if not best:
            continue
        sentence = (
            f"By {MEASURES[average]}, the lowest Overall over "
            f"{counted(len(complete), 'benchmark')} is that of {listed([*map(label, best)])}, "
            f"{printed_overall(total[best[0]].mean)}"
        )
        if near:
            sentence += f" (within the standard errors: {listed(near)})"
        if "bolt" in total and "bolt" not in best:
            sentence += f"; that of BOLT is {printed_overall(total['bolt'].mean)}"
        sentences.append(f"{sentence}.")
    return [" ".join(["The paper has BOLT first overall.", *sentences])] if sentences else []


def _level(cases: Cases) -> list[str]:
    """Return on which comparable benchmarks BOLT's mean is above the paper's."""
    ours = {b: cases.row(b, ["bolt"]).get("bolt") for b in cases.benchmarks}
    pairs = [
        (b, cell.mean, printed(b)["mean"]["bolt"])
        for b, cell in ours.items()
        if cell is not None and "bolt" in printed(b)["mean"] and b not in NOT_COMPARABLE
    ]
    if not pairs:
        return []
    above = [
        f"{label(b)} ({printed_mean(mean)}, there {printed_mean(paper)})"
        for b, mean, paper in pairs
        if mean > paper and printed_mean(mean) != printed_mean(paper)
    ]
    return [
        f"BOLT's average regret is at or below the paper's on {len(pairs) - len(above)} of "
        f"{counted(len(pairs), 'comparable benchmark')}"
        + (f", and above it on {listed(above)}." if above else ".")
        + " The paper's device is another one, so a level proves little; the order counts."
        + (
            f" {DAGGER} marks benchmarks that cannot be compared with the paper's; the note of "
            "Table 2 gives the reasons."
            if any(b in NOT_COMPARABLE for b in cases.benchmarks)
            else ""
        )
    ]


def _marked(benchmark: str) -> str:
    return label(benchmark) + (DAGGER if benchmark in NOT_COMPARABLE else "")
