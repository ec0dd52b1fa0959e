"""Values that a run's records note per pass, as columns, and the traces that draw them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bolt_core.analysis.curves import point_times
from bolt_core.analysis.downsample import rounded, thin
from bolt_core.common.types import Array
from bolt_core.figures.shared.chart_dicts import Times, time_axis
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.traces import Trace, dots, line, stems, steps
from bolt_core.runs.snapshot import Rows, RunSnapshot

HOVER = "%{y:.3~r}"
MAX_MARKS = 200  # the newest ones; more would fill the chart


class GrowingColumn:
    """A column of one number per pass, read from the notes; passes already read are kept.

    The notes of a run are one list that is only appended to, so the list's identity tells
    whether the next call is about the same run.
    """

    def __init__(self, read: Callable[[Mapping[str, Any]], float]) -> None:
        self._read = read
        self._last: tuple[object, Array] = None, np.empty(0)

    def __call__(self, run: RunSnapshot) -> Array:
        """Return the column, of length `len(run)`."""
        notes, length = run.columns.notes, len(run)
        last_notes, column = self._last
        if last_notes is not notes:
            column = np.empty(0)
        if len(column) < length:
            new = [float(self._read(noted)) for noted in notes[len(column) : length]]
            column = np.append(column, new)
            self._last = notes, column
        return column[:length]


def noted_values(run: RunSnapshot, name: str) -> Array:
    """Return one number per pass; NaN where it is not noted."""
    values = (noted.get(name) for noted in run.columns.notes[: len(run)])
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def run_time_axis(run: RunSnapshot, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly's properties
    """Return a time axis from 0 s to the end of the run's last pass."""
    return time_axis(float(point_times(run.columns)[-1]) or 1.0, **more)


def run_steps(run: RunSnapshot, x: Array, y: Array, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return a step line in the colour and width of the run's algorithm."""
    look: dict[str, Any] = {"hover": HOVER, "width": line_style(run.config.algorithm).width}
    return steps(*thin(x, y), name, key=run.config.algorithm, **look | style)


def limit_steps(x: Array, y: Array, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return a thin dotted step line: a limit."""
    look: dict[str, Any] = {"width": 1.5, "dash": "dot", "hover": HOVER}
    return steps(*thin(x, y), name, **look | style)


def run_dots(run: RunSnapshot, x: Array, y: Array, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return points in the colour of the run's algorithm."""
    look: dict[str, Any] = {"size": 5, "edge": 0, "hover": HOVER}
    return dots(*thin(x, y), name, key=run.config.algorithm, **look | style)


def vertical_marks(
    run: RunSnapshot, rows: Rows, low: float, high: float, name: str
) -> tuple[Trace, Times]:
    """Return a dashed vertical line at the end of each of the given passes."""
    t = point_times(run.columns)[rows][-MAX_MARKS:]
    marks = line(*stems(t, low, high), name, width=1, dash="dash", hover="skip")
    return marks, rounded(np.repeat(t, 3))
