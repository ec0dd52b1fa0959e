"""What paired differences allow to conclude of BOLT: lower, higher, or neither."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from bolt_core.analysis.seed_statistics import MIN_SEEDS_FOR_CONCLUSION, Paired
from bolt_core.common.text import counted, listed
from bolt_core.report.campaign_tables import plain_table, side_of_zero
from bolt_core.report.model.blocks import STOPPED, Table
from bolt_core.report.model.cases import PairTable
from bolt_core.runs.lane_names import label

Verdict = Literal["lower", "higher", "open", "few seeds", "stopped"]
COLUMNS: dict[Verdict, str] = {
    "lower": "BOLT lower",
    "higher": "BOLT higher",
    "open": "zero in the interval",
    "few seeds": f"below {MIN_SEEDS_FOR_CONCLUSION} seeds",
    "stopped": f"stopped asking {STOPPED}",
}
ALWAYS_SHOWN: tuple[Verdict, ...] = ("lower", "higher", "open")


def verdict(pair: Paired) -> Verdict:
    """Return what the interval of a comparison says, or why nothing is concluded from it."""
    if pair.stopped:
        return "stopped"
    if pair.few_seeds:
        return "few seeds"
    sides: dict[int, Verdict] = {-1: "lower", 0: "open", 1: "higher"}
    return sides[side_of_zero(pair)]


def judged(pairs: PairTable, rivals: Sequence[str]) -> Iterator[tuple[str, str, Verdict]]:
    """Yield (row, rival, verdict) of every comparison that has a seed, by rival."""
    for rival in rivals:
        for row, compared in pairs.items():
            if (pair := compared[rival]) is not None:
                yield row, rival, verdict(pair)


def count_table(pairs: PairTable, rivals: Sequence[str], measure: str) -> Table:
    """Return how many comparisons with each rival BOLT wins, loses and leaves open."""
    found = list(judged(pairs, rivals))
    shown = [v for v in COLUMNS if v in ALWAYS_SHOWN or any(v == each for *_, each in found)]
    rows = []
    for rival in rivals:
        counts = Counter(each for _, other, each in found if other == rival)
        rows.append((label(rival), *(str(counts[v]) for v in shown)))
    columns = (f"{measure}, BOLT against", *(COLUMNS[v] for v in shown))
    return plain_table(columns, rows, rivals)


def in_words(pairs: PairTable, rivals: Sequence[str], measure: str) -> str:
    """Return what all comparisons together show: where BOLT is lower or higher, and the rest."""
    found = list(judged(pairs, rivals))
    of: dict[Verdict, list[str]] = {v: [] for v in COLUMNS}
    for row, rival, each in found:
        of[each].append(f"{label(rival)} ({row})")
    parts = [f"{v} than {listed(of[v])}" for v in ("lower", "higher") if of[v]]
    by, total = f"By {measure}", counted(len(found), "comparison")
    if parts:
        sentences = [f"{by}, BOLT is {', and '.join(parts)}."]
    else:
        sentences = [f"{by}, none of {total} shows that BOLT is lower or higher."]
    if of["open"]:
        sentences.append(f"Zero is in the interval in {len(of['open'])} of {total}.")
    if untested := len(of["few seeds"]) + len(of["stopped"]):
        sentences.append(
            f"Nothing is concluded from {untested}, with fewer than {MIN_SEEDS_FOR_CONCLUSION} "
            "seeds or with runs that stopped asking."
        )
    return " ".join(sentences)
