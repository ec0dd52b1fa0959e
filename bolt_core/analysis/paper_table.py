"""The results that the paper prints in its Table 2, for comparison with runs of this package."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from bolt_core.common import paths


@cache
def paper_table2() -> Mapping[str, Any]:
    """Return Table 2 of the paper, as printed.

    "benchmarks" maps each benchmark to a row with the mean and the standard error of the average
    regret by algorithm ("mean", "error"), and to the algorithms printed in bold ("best") and
    underlined ("overlapping"). "overall" has the mean and the error of the normalised regret.
    """
    table: Mapping[str, Any] = json.loads((paths.DATA / "paper_table2.json").read_text("utf-8"))
    return table
