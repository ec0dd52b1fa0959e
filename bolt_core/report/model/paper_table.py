"""The paper's Table 2 beside ours: printed values, and which rows can be compared."""

from collections.abc import Mapping, Sequence

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.paper_table import paper_table2

Row = Mapping[str, Mapping[str, float]]  # {"mean": {algorithm: value}, "error": {...}}
NO_VALUES: Row = {"mean": {}, "error": {}}
NOT_COMPARABLE = {
    "griewank": "Griewank: the paper's box, l_T and regret cannot all be right. Ours is the box as "
    "printed, [-600, 600]^6, where a random query costs 150; the paper reports 0.57 to 0.69.",
    "temperature": "Temperature: the paper uses the first day of the recording. Ours is a rank-4 "
    "summary of 2004-03-06 unless a recording is given.",
    "wlan": "WLAN: the paper does not specify path loss, layout and mobility. Ours is our own "
    "specification on the same scale.",
}


def printed(benchmark: str) -> Row:
    """Return the printed row of a benchmark; without values if the paper has none."""
    row: Row = paper_table2()["benchmarks"].get(benchmark, NO_VALUES)
    return row


def overall(benchmarks: Sequence[str], algorithms: Sequence[str]) -> Row:
    """Return the paper's Overall: as printed, or computed over some benchmarks and algorithms.

    It has no values if the paper lacks one of the benchmarks, or all but one of the algorithms.
    """
    rows, total = paper_table2()["benchmarks"], paper_table2()["overall"]
    keys = [key for key in algorithms if key in total["mean"]]
    if len(keys) < 2 or not set(benchmarks) <= set(rows):
        return NO_VALUES
    if len(benchmarks) == len(rows) and len(keys) == len(total["mean"]):
        as_printed: Row = total
        return as_printed
    means = {b: {a: rows[b]["mean"][a] for a in keys} for b in benchmarks}
    cells = seed_statistics.overall(means, keys)
    return {
        "mean": {a: cell.mean for a, cell in cells.items()},
        "error": {a: cell.error for a, cell in cells.items() if cell.error is not None},
    }
