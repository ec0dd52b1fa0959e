"""What the first section says of Overall: which algorithm is first, by how much, and the level."""

from collections.abc import Collection, Mapping

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.seed_statistics import Cell
from bolt_core.common.text import counted, listed
from bolt_core.report.builders.pairs import MEASURES
from bolt_core.report.campaign_tables import DAGGER
from bolt_core.report.model.blocks import printed_mean, printed_overall
from bolt_core.report.model.cases import HEADLINE, HELD, Cases, CellTable, means
from bolt_core.report.model.paper_table import NOT_COMPARABLE, printed
from bolt_core.runs.lane_names import label

MIN_NAMED_PART = 0.02  # absolute: a benchmark with this and half of BOLT's Overall is named


def in_short(cases: Cases) -> list[str]:
    """Return which algorithm has the lowest Overall, and whether that makes it first."""
    clauses: dict[str, list[str]] = {}  # the measures of which each is true
    undecided = []
    for measure, complete in _complete(cases).items():
        total = seed_statistics.overall(means(complete), cases.reference)
        best, near = _best_and_near(total)
        if best:
            clauses.setdefault(_in_words(best, near, total), []).append(f"by {measure}")
            if near or len(best) > 1 or total[best[0]].error is None:
                undecided.append(f"by {measure}")
    if not clauses:
        return []
    found = "; ".join(f"{listed(by)} {words}" for words, by in clauses.items())
    sentences = [f"The paper has BOLT first overall. In these runs, {found}."]
    if undecided:
        every = len(undecided) == sum(map(len, clauses.values()))
        sentences.append(
            f"So a first place is not shown{'' if every else ' ' + listed(undecided)}."
        )
    return sentences


def _in_words(best: list[str], near: list[str], total: Collection[str]) -> str:
    one = len(best) == 1
    words = f"{listed([*map(label, best)])} {'has' if one else 'share'} the lowest Overall"
    if near:
        joined = f"{'but' if one else 'and'} {listed([*map(label, near)])}"
        words += f", {joined} {'is' if len(near) == 1 else 'are'} within the standard errors"
    if "bolt" not in total:
        return words + ", and BOLT has none, as some of its runs stopped asking"
    return words + ("" if "bolt" in (*best, *near) else ", and BOLT is above it")


def in_detail(cases: Cases) -> list[str]:
    """Return the lowest values of Overall by each measure, in one paragraph."""
    by_measure = _complete(cases)
    values = []
    for measure, complete in by_measure.items():
        values.append(_lowest(measure, complete, cases.reference, "benchmark"))
        rows = _comparable(complete)
        values.append(_lowest(measure, rows, cases.reference, "comparable benchmark"))
    if not any(values):
        return []
    sentence = f"The lowest values of Overall are, {'; '.join(filter(None, values))}."
    parts = {m: _largest_part(complete, cases.reference) for m, complete in by_measure.items()}
    from_one = _from_one_benchmark({m: part for m, part in parts.items() if part})
    return [" ".join([sentence, *from_one])]


def _complete(cases: Cases) -> dict[str, CellTable]:
    """Return the rows that all algorithms have, by the name of the measure."""
    return {
        MEASURES[average]: complete
        for average in (HEADLINE, HELD)
        if (complete := cases.complete_rows(average))
    }


def _comparable(complete: CellTable) -> CellTable:
    """Return the rows that can be compared with the paper's, if others cannot."""
    rows = {b: row for b, row in complete.items() if b not in NOT_COMPARABLE and printed(b)["mean"]}
    return rows if len(rows) < len(complete) else {}


def _best_and_near(total: Mapping[str, Cell]) -> tuple[list[str], list[str]]:
    """Return the algorithms with the lowest Overall, and those within its standard errors."""
    marks = seed_statistics.marks(total, printed_overall)
    best, near = ([a for a in marks if marks[a] == mark] for mark in ("best", "overlap"))
    return best, sorted(near, key=lambda a: total[a].mean)


def _lowest(measure: str, rows: CellTable, reference: Collection[str], kind: str) -> str:
    """Return the lowest Overall, those within its standard errors, and BOLT's.

    `kind` is what a row is called in the sentence.
    """
    total = seed_statistics.overall(means(rows), reference) if rows else {}
    best, near = _best_and_near(total)
    if not best:
        return ""
    named = dict.fromkeys([*best, *near, *({"bolt"} & total.keys())])
    values = listed([f"{label(a)} {printed_overall(total[a].mean)}" for a in named])
    return f"by {measure} over {counted(len(rows), kind)}, {values}"


def _from_one_benchmark(parts: Mapping[str, str]) -> list[str]:
    """Return the benchmark from which most of BOLT's Overall comes, by measure, if there is one."""
    if not parts:
        return []
    same = len(parts) > 1 and len(set(parts.values())) == 1
    by = {"both measures": next(iter(parts.values()))} if same else parts
    of_each = [f", by {measure}, from {part}" for measure, part in by.items()]
    return [
        f"Most of BOLT's Overall comes{'; and'.join(of_each)}. On every benchmark the lowest "
        "counts 0 and the highest 1, even if they differ little."
    ]


def _largest_part(complete: CellTable, reference: Collection[str]) -> str:
    """Return on which benchmark BOLT gets most of its Overall, how much, and the scale there."""
    rows = means(complete)
    on = {b: seed_statistics.normalised(row, reference) for b, row in rows.items()}
    of_bolt = {b: values["bolt"] / len(rows) for b, values in on.items() if "bolt" in values}
    total = sum(of_bolt.values())
    if len(of_bolt) < len(rows) or not total:
        return ""
    most = max(of_bolt, key=lambda b: of_bolt[b])
    if of_bolt[most] < max(MIN_NAMED_PART, total / 2.0):
        return ""
    scale = [mean for a, mean in rows[most].items() if a in reference]
    top = printed_mean(max(scale))
    highest = [a for a, m in rows[most].items() if a in reference and printed_mean(m) == top]
    place = "being" if highest == ["bolt"] else "among"
    return (
        f"{label(most)} ({printed_overall(of_bolt[most])} of {printed_overall(total)}), where "
        f"regrets lie between {printed_mean(min(scale))} and {printed_mean(max(scale))}"
        + (f", BOLT's {place} the highest" if "bolt" in highest else "")
    )


def level(cases: Cases) -> list[str]:
    """Return on which comparable benchmarks BOLT's mean is above the paper's."""
    ours = {b: cases.row(b, ["bolt"]).get("bolt") for b in cases.benchmarks}
    pairs = [
        (b, cell.mean, printed(b)["mean"]["bolt"])
        for b, cell in ours.items()
        if cell is not None and "bolt" in printed(b)["mean"] and b not in NOT_COMPARABLE
    ]
    if not pairs:
        return []
    above, equal = [], []
    for b, mean, paper in pairs:
        if printed_mean(mean) == printed_mean(paper):
            equal.append(label(b))
        elif mean > paper:
            above.append(f"{label(b)} ({printed_mean(mean)}, in the paper {printed_mean(paper)})")
    return [
        f"BOLT's average regret is at or below the paper's on {len(pairs) - len(above)} of "
        f"{counted(len(pairs), 'comparable benchmark')}"
        + (f", equal to the printed value on {listed(equal)}" if equal else "")
        + (f", and above it on {listed(above)}." if above else ".")
        + " The paper's authors ran BoTorch on a machine of their own, so a level proves little; "
        "the order counts."
        + (
            f" {DAGGER} marks benchmarks that cannot be compared with the paper's; the note of "
            "Table 2 gives the reasons."
            if any(b in NOT_COMPARABLE for b in cases.benchmarks)
            else ""
        )
    ]
