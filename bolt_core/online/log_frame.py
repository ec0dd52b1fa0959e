"""The log of a problem as a table: what was told, and what is pending."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bolt_core.online.pending import PendingAsk
from bolt_core.runs.own_problem import own_values, own_y
from bolt_core.runs.snapshot import RunSnapshot

if TYPE_CHECKING:
    import pandas as pd


def log_frame(
    run: RunSnapshot,
    asks: Sequence[PendingAsk],
    to_caller_time: Callable[[float], Any],
    names: Sequence[str],
    outcome: str,
) -> pd.DataFrame:
    """Return one row per observation and pending ask; see `OnlineOptimizer.log`."""
    import pandas as pd

    columns = run.columns
    notes = columns.notes[: len(run)]
    x = np.concatenate(
        [columns["x"], np.array([a.x for a in asks]).reshape(-1, columns["x"].shape[1])]
    )
    times = [*columns["t"].tolist(), *(ask.at for ask in asks)]
    numbers = [*(note.get("ask") for note in notes), *(ask.id for ask in asks)]
    data: dict[str, Any] = {"time": [to_caller_time(t) for t in times]}
    data |= zip(names, own_values(run, x), strict=True)
    data[outcome] = [*own_y(run).tolist(), *(math.nan for _ in asks)]
    data["failed"] = [*("failed" in note for note in notes), *(False for _ in asks)]
    data["pending"] = [*(False for _ in notes), *(True for _ in asks)]
    data["ask"] = pd.array(numbers, dtype="Int64")
    return pd.DataFrame(data)
