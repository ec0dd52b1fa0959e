"""On how many benchmarks BOLT is first or second, as the paper says that it is on each."""

from collections import Counter
from collections.abc import Mapping

from bolt_core.analysis.seed_statistics import competition_ranks
from bolt_core.common.text import counted, listed
from bolt_core.report.builders.pairs import MEASURES
from bolt_core.report.campaign_tables import marked
from bolt_core.report.model.blocks import printed_mean
from bolt_core.report.model.cases import Cases
from bolt_core.report.model.paper_table import printed
from bolt_core.runs.lane_names import label


def in_words(cases: Cases) -> list[str]:
    """Return on how many benchmarks BOLT has one of the two lowest means of Table 2's algorithms.

    Algorithms that have one on as many are named. There is no sentence unless the paper's BOLT is
    first or second on all of these benchmarks, and all of Table 2's algorithms are ranked on them.
    """
    papers = [printed(b)["mean"] for b in cases.benchmarks]
    if not all("bolt" in _first_and_second(row) for row in papers):
        return []
    clauses = []
    for average, measure in MEASURES.items():
        rows = {b: _means(cases, b, average) for b in cases.benchmarks}
        if [row.keys() for row in rows.values()] == [paper.keys() for paper in papers]:
            clauses.append(f"by {measure} {_on_how_many(rows)}")
    if not clauses:
        return []
    return [
        "The paper's BOLT is first or second on each benchmark; here, by its mean and among the "
        f"same algorithms, it is so {listed(clauses)}."
    ]


def _on_how_many(rows: Mapping[str, Mapping[str, float]]) -> str:
    """Return on how many benchmarks BOLT is first or second, where not, and which others are."""
    leaders = {b: _first_and_second(row) for b, row in rows.items()}
    counts = Counter(a for each in leaders.values() for a in each)
    missing = [marked(b) for b, each in leaders.items() if "bolt" not in each]
    as_often = [a for a in counts if a != "bolt" and counts[a] >= counts["bolt"]]
    aside = [f"not on {listed(missing)}"] if missing else []
    aside += [f"{label(a)} on {counts[a]}" for a in as_often]
    of_all = f"on {counts['bolt'] or 'none'} of {counted(len(rows), 'benchmark')}"
    return of_all + (f" ({'; '.join(aside)})" if aside else "")


def _means(cases: Cases, benchmark: str, average: str) -> dict[str, float]:
    """Return the mean regrets of Table 2's algorithms that are ranked on a benchmark."""
    row = cases.fair_row(benchmark, average=average)
    return {a: cell.mean for a, cell in row.items() if a in cases.reference}


def _first_and_second(row: Mapping[str, float]) -> set[str]:
    """Return the algorithms of rank 1 or 2; means that are printed alike share a rank."""
    if not row:
        return set()
    ranks = competition_ranks(list(row.values()), printed_mean)
    return {a for a, rank in zip(row, ranks, strict=True) if rank <= 2}
