"""The passes of a run as a data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bolt_core.runs.record_fields import COLUMNS, POINTS

if TYPE_CHECKING:
    import pandas as pd

    from bolt_core.runs.snapshot import Columns


def frame_of(columns: Columns) -> pd.DataFrame:
    """Return one row per pass: scalars, regret, size of D after it, x_k, best_x_k, removed.

    With one lengthscale per knob, `lengthscale_space` is the geometric mean of the columns
    `lengthscale_space_k`.
    """
    import pandas as pd

    table: dict[str, Any] = {
        column.name: columns[column.name].astype(float if column.optional else column.type)
        for column in COLUMNS
    }
    if columns.scales is not None:
        scales = enumerate(columns.scales.T)
        table |= {f"lengthscale_space_{k + 1}": values for k, values in scales}
    table |= {"regret": columns["regret"], "size": columns["size"].astype(int)}
    for name in POINTS:
        table |= {f"{name}_{k + 1}": c for k, c in enumerate(columns[name].T)}
    table["removed"] = list(columns.removed[: columns.length])
    return pd.DataFrame(table)
