"""On how many benchmarks BOLT is first or second, as the paper says that it is on each."""

from collections.abc import Mapping

from bolt_core.analysis.seed_statistics import competition_ranks
from bolt_core.common.text import counted, listed
from bolt_core.report.builders.pairs import MEASURES
from bolt_core.report.campaign_tables import marked
from bolt_core.report.model.blocks import printed_mean
from bolt_core.report.model.cases import Cases
from bolt_core.report.model.paper_table import printed


def in_words(cases: Cases) -> list[str]:
    """Return on how many benchmarks BOLT has one of the two lowest means of Table 2's algorithms.

    There is no sentence unless the paper's BOLT is first or second on all of these benchmarks.
    """
    papers = {b: printed(b)["mean"] for b in cases.benchmarks}
    if not all(_is_first_or_second(row) for row in papers.values()):
        return []
    clauses = []
    for average, measure in MEASURES.items():
        rows = {b: _means(cases, b, average) for b in cases.benchmarks}
        if all("bolt" in row for row in rows.values()):
            others = [marked(b) for b, row in rows.items() if not _is_first_or_second(row)]
            of_all = f"{len(rows) - len(others) or 'none'} of {counted(len(rows), 'benchmark')}"
            clauses.append(
                f"on {of_all} by {measure}" + (f" (not on {listed(others)})" if others else "")
            )
    if not clauses:
        return []
    return [
        "The paper's BOLT is first or second on each benchmark; here, among the same algorithms, "
        f"it is so {listed(clauses)}."
    ]


def _means(cases: Cases, benchmark: str, average: str) -> dict[str, float]:
    """Return the mean regrets of Table 2's algorithms that are ranked on a benchmark."""
    row = cases.fair_row(benchmark, average=average)
    return {a: cell.mean for a, cell in row.items() if a in cases.reference}


def _is_first_or_second(row: Mapping[str, float]) -> bool:
    """Whether BOLT has a rank of at most two; means that are printed alike share a rank."""
    if "bolt" not in row:
        return False
    ranks = dict(zip(row, competition_ranks(list(row.values()), printed_mean), strict=True))
    return ranks["bolt"] <= 2
