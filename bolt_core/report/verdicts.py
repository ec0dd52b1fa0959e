"""What paired differences allow to conclude of BOLT: lower, higher, or neither."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from bolt_core.analysis.seed_statistics import LEVEL, MIN_SEEDS_FOR_CONCLUSION, Paired
from bolt_core.common.text import counted, listed
from bolt_core.report.campaign_tables import as_printed, plain_table, side_of_zero
from bolt_core.report.model.blocks import STOPPED, Table
from bolt_core.report.model.cases import PairTable, is_variant
from bolt_core.runs.lane_names import label

Verdict = Literal["lower", "higher", "open", "equal", "few seeds", "stopped"]
COLUMNS: dict[Verdict, str] = {
    "lower": "BOLT lower",
    "higher": "BOLT higher",
    "open": "zero in the interval",
    "equal": "equal runs",
    "few seeds": f"below {MIN_SEEDS_FOR_CONCLUSION} seeds",
    "stopped": f"stopped asking {STOPPED}",
}
QUESTIONS = {  # about BOLT, and the variants that answer them
    "What removing is worth {when} ({names})": ["bolt-keep"],
    "What choosing by W2 is worth {when} ({names})": ["bolt-oldest", "bolt-random"],
}
ALWAYS_SHOWN: tuple[Verdict, ...] = ("lower", "higher", "open")


def verdict(pair: Paired) -> Verdict:
    """Return what the interval of a comparison says, or why nothing is concluded from it."""
    if pair.stopped:
        return "stopped"
    if pair.few_seeds:
        return "few seeds"
    if pair.equal:  # a variant that had nothing to do
        return "equal"
    sides: dict[int, Verdict] = {-1: "lower", 0: "open", 1: "higher"}
    return sides[side_of_zero(pair)]


def judged(pairs: PairTable, rivals: Sequence[str]) -> Iterator[tuple[str, str, str, Verdict]]:
    """Yield (row, rival, how far apart, verdict) of all comparisons with a seed, by rival."""
    for rival in rivals:
        for row, compared in pairs.items():
            if (pair := compared[rival]) is not None:
                yield row, rival, as_printed(pair)[0].removeprefix("-"), verdict(pair)


def count_table(pairs: PairTable, rivals: Sequence[str], measure: str) -> Table:
    """Return how many comparisons with each rival BOLT wins, loses and leaves open."""
    found = list(judged(pairs, rivals))
    shown = [v for v in COLUMNS if v in ALWAYS_SHOWN or any(v == each for *_, each in found)]
    rows = []
    for rival in rivals:
        counts = Counter(each for _, other, _, each in found if other == rival)
        rows.append((label(rival), *(str(counts[v]) for v in shown)))
    columns = (f"{measure}, BOLT against", *(COLUMNS[v] for v in shown))
    return plain_table(columns, rows, rivals)


def in_words(pairs: PairTable, rivals: Sequence[str], measure: str) -> str:
    """Return what all comparisons together show: where BOLT is lower or higher, and the rest.

    It is a part of a sentence, empty if there is no comparison.
    """
    found = list(judged(pairs, rivals))
    parts = []
    for side in ("lower", "higher"):
        where = [
            f"{row}{_against(rival) if len(rivals) > 1 else ''} by {far}"
            for row, rival, far, each in found
            if each == side
        ]
        if where:
            parts.append(f"BOLT is {side} in {len(where)} ({'; '.join(where)})")
    counts = Counter(each for *_, each in found)
    if counts["open"]:
        parts.append(f"zero is in the interval of {counts['open']}")
    if counts["equal"]:
        parts.append(f"the runs of {counts['equal']} are equal, as nothing was removed")
    if untested := counts["few seeds"] + counts["stopped"]:
        why = [f"fewer than {MIN_SEEDS_FOR_CONCLUSION} seeds"] * bool(counts["few seeds"])
        why += ["runs that stopped asking"] * bool(counts["stopped"])
        parts.append(f"nothing is concluded from {untested} ({' or '.join(why)})")
    if counts["open"] == len(found) > 1:
        every = "both" if len(found) == 2 else f"all {len(found)}"
        return f"by {measure}, zero is in the interval of {every} comparisons"
    total = counted(len(found), "comparison")
    return f"by {measure}, of {total}, {listed(parts)}" if found else ""


def _against(rival: str) -> str:
    return f', against "{label(rival)}",'


def findings(
    by_measure: Mapping[str, PairTable], rivals: Sequence[str], when: str
) -> Iterator[str]:
    """Yield what is shown of removal, of the choice of what to remove, and of the other rivals.

    `when` says over which time the runs were made.
    """
    total = 0
    asked = {a for variants in QUESTIONS.values() for a in variants}
    others = [("{names}, {when}", [a]) for a in rivals if is_variant(a) and a not in asked]
    others.append(("BOLT against {names} {when}", [a for a in rivals if not is_variant(a)]))
    for question, keys in [*QUESTIONS.items(), *others]:
        present = [a for a in keys if a in rivals]
        clauses = [in_words(pairs, present, measure) for measure, pairs in by_measure.items()]
        if clauses := [clause for clause in clauses if clause]:
            found = [v for pairs in by_measure.values() for *_, v in judged(pairs, present)]
            total += sum(v != "equal" for v in found)
            names = "; ".join(map(label, present))
            yield f"{question.format(names=names, when=when)}: {'; '.join(clauses)}."
    if total:
        yield (
            f"Each comparison stands on its own: of {total} without any difference, about "
            f"{total * (1.0 - LEVEL):.0f} would exclude zero by chance."
        )
