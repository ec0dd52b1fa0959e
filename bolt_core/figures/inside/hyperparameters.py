"""What inference learned, pass by pass: one small panel for each hyperparameter, time in common.

Each axis is logarithmic, as the parameters are learned. A triangle stands where a cold start was
tried beside the warm one, a cross where the fit failed and the last values were kept. The dotted
lines are the bounds of l_T, which move with the data and with time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded, thin
from bolt_core.common.text import counted, seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.removals import oldest_times
from bolt_core.figures.shared.chart_dicts import Times, axis, plot, text_chart
from bolt_core.figures.shared.notes import GrowingColumn
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

PANELS: Mapping[str, str] = {  # column: symbol, in the order of interest
    "lengthscale_time": "l<sub>T</sub> (s)",
    "lengthscale_space": "l<sub>S</sub>",
    "noise_variance": "\N{GREEK SMALL LETTER SIGMA}<sub>0</sub><sup>2</sup>",
    "signal_variance": "\N{GREEK SMALL LETTER LAMDA}",
}
GAP = 0.05  # of the height, between panels
MARKS = 200  # restarts shown
FEW = 400  # points a line: the panels are small
DIGITS = 4  # of each value, however small: the axes are logarithmic
LEAST = 2.0  # an axis spans at least this factor


def hyperparameters(run: RunSnapshot) -> dict[str, Any]:
    """Small multiples over the run's time."""
    known = np.isfinite(run.columns["signal_variance"])
    if not known.any():
        return text_chart(_nothing(run))
    shown = [name for name in PANELS if np.isfinite(run.columns[name]).any()]
    restarted, failed = restarts(run), failures(run)
    drawn: list[tuple[dict[str, Any], Times]] = []
    layout: dict[str, Any] = {}
    for place, name in enumerate(shown):
        suffix = "" if place == 0 else str(place + 1)
        values = run.columns[name]
        bounds = _bounds(run) if name == "lengthscale_time" else []
        drawn += [(_on(suffix, trace), "x") for trace in bounds]
        drawn.append((_on(suffix, _line(run, values, name)), "x"))
        drawn.append((_on(suffix, _marks(run, values, restarted, "cold start")), "x"))
        drawn.append((_on(suffix, _marks(run, values, failed, "failed fit")), "x"))
        layout[f"yaxis{suffix}"] = _upright(name, values, place, len(shown))
    last = "y" if len(shown) == 1 else f"y{len(shown)}"
    layout["xaxis"] = axis("time (s)", anchor=last, range=[0.0, float(run.columns["t"][-1]) or 1.0])
    return plot(drawn, layout, _alt(run, shown), _caption(shown, restarted, failed))


def _says(word: str) -> GrowingColumn:
    """Whether a pass's inference says so."""
    return GrowingColumn(lambda remarks: bool(remarks.get("inference", {}).get(word)))


restarts, failures = _says("restarted"), _says("failed")


def _line(run: RunSnapshot, values: Array, name: str) -> dict[str, Any]:
    x, y = thin(run.columns["t"], values, FEW)
    line = {"width": 2, "shape": "hv"}
    style = {"mode": "lines", "name": PANELS[name], "line": line, "meta": run.config.algorithm}
    return _trace(x, y) | style | {"hovertemplate": "%{y:.3~r}"}


def _marks(run: RunSnapshot, values: Array, rows: Array, name: str) -> dict[str, Any]:
    there = rows.astype(bool) & np.isfinite(values)
    x, y = run.columns["t"][there][-MARKS:], values[there][-MARKS:]
    failed = name == "failed fit"
    marker = {"symbol": "x-open" if failed else "triangle-up-open", "size": 8 if failed else 5}
    return (
        _trace(x, y)
        | {"mode": "markers", "name": name, "marker": marker, "hoverinfo": "skip"}
        | {"opacity": 1.0 if failed else 0.6}
    )


def _bounds(run: RunSnapshot) -> list[dict[str, Any]]:
    """[2 mean gaps of D, max(30 elapsed, 60 s)], as inference had them; D with its newest."""
    t, n = run.columns["t"], run.sizes()
    lost = np.bincount(run.columns.removals()[1], minlength=len(run))
    oldest = np.concatenate([t[:1], oldest_times(run)[:-1]])  # before this pass removed any
    oldest = np.where(np.isfinite(oldest), oldest, t)
    fitted = n + lost
    low = 2.0 * (t - oldest) / np.maximum(fitted - 1.0, 1.0)
    high = np.maximum(30.0 * t, 60.0)
    known = np.isfinite(run.columns["lengthscale_time"]) & (low > 0.0)
    style = {"mode": "lines", "line": {"width": 1, "dash": "dot"}, "opacity": 0.7}
    return [
        _trace(*thin(t[known], side[known], FEW)) | style | {"name": name, "hoverinfo": "skip"}
        for name, side in (("lowest allowed", low), ("highest allowed", high))
    ]


def _trace(x: Array, y: Array) -> dict[str, Any]:
    return {"type": "scatter", "x": rounded(x), "y": rounded(y, DIGITS)}


def _on(suffix: str, trace: dict[str, Any]) -> dict[str, Any]:
    return trace | ({"yaxis": f"y{suffix}"} if suffix else {})


def _upright(name: str, values: Array, place: int, panels: int) -> dict[str, Any]:
    tall = (1.0 - GAP * (panels - 1)) / panels
    top = 1.0 - place * (tall + GAP)
    known = values[np.isfinite(values) & (values > 0.0)]
    low, high = float(known.min()), float(known.max())
    stretch = max(LEAST * low / high, 1.0) ** 0.5 * 1.5
    ends = [float(np.log10(low / stretch)), float(np.log10(high * stretch))]
    ticks = _ticks(*ends)
    names = [f"{v:g}" for v in ticks]
    return axis(
        PANELS[name],
        type="log",
        range=ends,
        domain=[max(top - tall, 0.0), top],
        tickvals=ticks,
        ticktext=[text.replace("-", "\N{MINUS SIGN}") for text in names],
    )


def _ticks(low: float, high: float) -> list[float]:
    """At most four numbers to read: whole decades if there are two, else 1, 2, 5."""
    decades = list(range(int(np.ceil(low)), int(np.floor(high)) + 1))
    if len(decades) >= 2:
        return [10.0**k for k in decades[:: max(len(decades) // 3, 1)]]
    fine = [
        float(f"{m * 10.0**k:.1g}")
        for k in range(int(np.floor(low)), int(np.ceil(high)) + 1)
        for m in (1, 2, 5)
        if low <= np.log10(m * 10.0**k) <= high
    ]
    return fine or [float(f"{10.0 ** ((low + high) / 2):.1g}")]


def _nothing(run: RunSnapshot) -> str:
    if len(run) and not run.columns["warmup"][-1]:
        return "This algorithm has no surrogate: it learns nothing."
    return "Hyperparameters are learned when the warm-up is over."


def _alt(run: RunSnapshot, shown: Sequence[str]) -> str:
    last = int(np.flatnonzero(np.isfinite(run.columns["signal_variance"]))[-1])
    names = {
        "lengthscale_time": "l_T",
        "lengthscale_space": "l_S",
        "noise_variance": "noise variance",
        "signal_variance": "signal variance",
    }
    told = []
    for name in shown:
        value = float(run.columns[name][last])
        unit = seconds(value) if name == "lengthscale_time" else significant(value)
        told.append(f"{names[name]} {unit}")
    return f"Hyperparameters of {label(run.config.algorithm)} now: {', '.join(told)}."


def _caption(shown: Sequence[str], restarted: Array, failed: Array) -> str:
    said = ["Learned anew in each pass, from where the last one ended."]
    if "lengthscale_time" not in shown:
        said.append("This surrogate sees no time, so it has no l_T.")
    else:
        said.append("Dotted: the bounds of l_T, two gaps between observations to 30 elapsed times.")
    if cold := int(restarted.sum()):
        said.append(f"Triangles: a cold start was tried too ({cold:,}).")
    if lost := int(failed.sum()):
        said.append(f"Crosses: {counted(lost, 'failed fit')}, the last values were kept.")
    return " ".join(said)
