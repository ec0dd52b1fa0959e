"""The first section: what the paper's Table 2 says of BOLT, and how much of it these runs show.

A claim is a benchmark and another algorithm: the paper's mean of BOLT is the lower one, and the two
means with their standard errors do not meet. These runs show it if the paired interval of their
differences lies below zero, and show the opposite if it lies above.
"""

from collections.abc import Collection, Iterable, Mapping

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.seed_statistics import LEVEL, MIN_SEEDS_FOR_CONCLUSION, Paired
from bolt_core.common.text import counted, listed
from bolt_core.report.builders.pairs import MEASURES
from bolt_core.report.campaign_tables import DAGGER
from bolt_core.report.model.blocks import Section, printed_mean, printed_overall
from bolt_core.report.model.cases import HEADLINE, HELD, Cases, CellTable, PairTable, means
from bolt_core.report.model.paper_table import NOT_COMPARABLE, printed
from bolt_core.report.verdicts import verdict
from bolt_core.runs.lane_names import label

Claim = tuple[str, str]  # benchmark, other algorithm
MIN_NAMED_PART = 0.05  # of BOLT's Overall: from here on, a benchmark with half of it is named
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


def _claims_in_words(cases: Cases, made: list[Claim]) -> str:
    answered = _answered(made, cases.differences)
    sentences = [
        f"The paper's Table 2 has BOLT below another algorithm in {len(made)} comparisons on "
        f"{'this benchmark' if len(cases.benchmarks) == 1 else 'these benchmarks'} whose standard "
        f"errors do not meet. These runs show {len(answered['shown']) or 'none'} of them, by "
        "paired 95 % t intervals of average regret."
    ]
    if answered["open"]:
        sentences.append(
            f"Not shown, zero being in the interval: below {_by_rival(answered['open'])}."
        )
    if answered["opposite"]:
        sentences.append(
            f"The opposite is shown: above {_by_rival(answered['opposite'])}. Of {len(made)} "
            f"comparisons without any difference, about {len(made) * (1.0 - LEVEL) / 2.0:.0f} "
            "would show the opposite by chance."
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
            f"Not tested, because {why or 'runs are missing'}: below "
            f"{_by_rival(answered['untested'], MAX_NAMED)}."
        )
    return " ".join([*sentences, *_by_held_regret(cases, made), *_lower_than_bolt(cases)])


def _answered(made: Iterable[Claim], differences: PairTable) -> dict[str, list[Claim]]:
    """Return the claims by their answer."""
    answered: dict[str, list[Claim]] = {"shown": [], "open": [], "opposite": [], "untested": []}
    for benchmark, rival in made:
        answered[answer(differences[benchmark][rival])].append((benchmark, rival))
    return answered


def _by_held_regret(cases: Cases, made: Collection[Claim]) -> list[str]:
    """Return how many of the same comparisons are shown by held regret, which the paper lacks."""
    if not cases.held_recorded:
        return []
    by_held = _answered(made, cases.paired(cases.benchmarks, cases.rivals, HELD))
    shown, opposite = (len(by_held[each]) or "none" for each in ("shown", "opposite"))
    return [f"By held regret, of the same comparisons {shown} are shown, and {opposite} opposite."]


def _lower_than_bolt(cases: Cases) -> list[str]:
    """Return where an algorithm that the paper's table does not have is shown below BOLT."""
    lower = [
        (benchmark, rival)
        for rival in cases.rivals
        for benchmark in cases.benchmarks
        if rival not in printed(benchmark)["mean"]
        and (pair := cases.differences[benchmark][rival])
        and verdict(pair) == "higher"
    ]
    return (
        [f"Shown below BOLT by average regret, and not in that table: {_by_rival(lower)}."]
        if lower
        else []
    )


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
    by_measure = {
        MEASURES[average]: complete
        for average in (HEADLINE, HELD)
        if (complete := cases.complete_rows(average))
    }
    sentences = [
        sentence
        for measure, complete in by_measure.items()
        for kind, rows in (
            ("benchmark", complete),
            # the paper has no held regret to be compared with
            (
                "comparable benchmark",
                _comparable(complete) if measure == MEASURES[HEADLINE] else {},
            ),
        )
        if (sentence := _lowest_overall(measure, rows, cases.reference, kind))
    ]
    if not sentences:
        return []
    parts = {m: _largest_part(complete, cases.reference) for m, complete in by_measure.items()}
    from_one = _from_one_benchmark({m: part for m, part in parts.items() if part})
    return [" ".join(["The paper has BOLT first overall.", *sentences, *from_one])]


def _comparable(complete: CellTable) -> CellTable:
    """Return the rows that can be compared with the paper's, if others cannot."""
    rows = {b: row for b, row in complete.items() if b not in NOT_COMPARABLE}
    return rows if len(rows) < len(complete) else {}


def _lowest_overall(measure: str, rows: CellTable, reference: Collection[str], kind: str) -> str:
    """Return the algorithms with the lowest Overall, and those within the standard errors of it.

    `kind` is what a row is called in the sentence.
    """
    total = seed_statistics.overall(means(rows), reference) if rows else {}
    marks = seed_statistics.marks(total, printed_overall)
    best = [a for a, mark in marks.items() if mark == "best"]
    near = sorted((a for a, m in marks.items() if m == "overlap"), key=lambda a: total[a].mean)
    if not best:
        return ""
    sentence = (
        f"By {measure}, the lowest Overall over {counted(len(rows), kind)} is that of "
        f"{listed([*map(label, best)])}, {printed_overall(total[best[0]].mean)}"
    )
    if near:
        values = listed([f"{label(a)} {printed_overall(total[a].mean)}" for a in near])
        sentence += f" (within the standard errors: {values})"
    if "bolt" in total and "bolt" not in (*best, *near):
        sentence += f"; that of BOLT is {printed_overall(total['bolt'].mean)}"
    return f"{sentence}."


def _from_one_benchmark(parts: Mapping[str, str]) -> list[str]:
    """Return the benchmark from which most of BOLT's Overall comes, by measure, if there is one."""
    if not parts:
        return []
    same = len(parts) > 1 and len(set(parts.values())) == 1
    by = {"both measures": next(iter(parts.values()))} if same else parts
    of_each = [f"{part} by {measure}" for measure, part in by.items()]
    return [
        f"Most of BOLT's Overall comes from one benchmark: {'; '.join(of_each)}. However near "
        "to each other the regrets of a benchmark are, the lowest counts 0 and the highest 1."
    ]


def _largest_part(complete: CellTable, reference: Collection[str]) -> str:
    """Return on which benchmark BOLT gets most of its Overall, how much, and the scale there."""
    rows = means(complete)
    of_bolt = {
        b: seed_statistics.normalised(row, reference)["bolt"] / len(rows)
        for b, row in rows.items()
        if "bolt" in row
    }
    total = sum(of_bolt.values())
    if len(of_bolt) < len(rows) or not total:
        return ""
    most = max(of_bolt, key=lambda b: of_bolt[b])
    if of_bolt[most] < max(MIN_NAMED_PART, total / 2.0):
        return ""
    scale = [mean for a, mean in rows[most].items() if a in reference]
    return (
        f"{printed_overall(of_bolt[most])} from {label(most)}, where regrets lie between "
        f"{printed_mean(min(scale))} and {printed_mean(max(scale))},"
    )


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
