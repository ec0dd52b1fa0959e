"""Hyperparameters over time: one small panel each, with a common time axis.

Each axis is logarithmic, as the parameters are learned on a logarithmic scale. A triangle marks a
pass that also tried a cold start, a cross one whose fit failed, so that the last values were kept.
The dotted lines are the bounds of l_T, which move with the data and with time. A run with one
lengthscale per input has one line for each in the panel of l_S, of different dashes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded, thin
from bolt_core.analysis.spatial_traps import corner_share, sees_no_structure
from bolt_core.common.text import counted, listed, percent, seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.removals import oldest_times
from bolt_core.figures.shared.chart_dicts import axis, log_ticks, plot, text_chart
from bolt_core.figures.shared.notes import HOVER, GrowingColumn, run_time_axis
from bolt_core.figures.shared.traces import Trace, dots, line, steps
from bolt_core.gp.protocol import MIN_FIT_SIZE
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.theory.kernels import WIENER

PANELS = {  # column: symbol and name, in the order of interest
    "lengthscale_time": ("l<sub>T</sub> (s)", "l_T"),
    "lengthscale_space": ("l<sub>S</sub>", "l_S"),
    "noise_variance": ("\N{GREEK SMALL LETTER SIGMA}<sub>0</sub><sup>2</sup>", "noise variance"),
    "signal_variance": ("\N{GREEK SMALL LETTER LAMDA}", "signal variance"),
}
GAP = 0.05  # between panels, of the height
MAX_MARKS = 200  # the newest ones
MAX_POINTS = 400  # of a line: the panels are small
DIGITS = 4  # of each value, however small: the axes are logarithmic
DASHES = ("solid", "dash", "dashdot", "longdash", "longdashdot")  # of the inputs, in turn
MIN_RATIO = 2.0  # between the ends of an axis


def hyperparameters(run: RunSnapshot) -> dict[str, Any]:
    """Return one panel per hyperparameter over the time of the run."""
    if not np.isfinite(run.columns["signal_variance"]).any():
        return text_chart(_missing(run))
    shown = [name for name in PANELS if np.isfinite(run.columns[name]).any()]
    restarted, failed = restarts(run), failures(run)
    traces: list[Trace] = []
    layout: dict[str, Any] = {}
    for panel, name in enumerate(shown):
        suffix = "" if panel == 0 else str(panel + 1)
        curves = _curves(run, name)
        own = _bounds(run) if name == "lengthscale_time" else []
        own += [_line(run, values, label, k) for k, (label, values) in enumerate(curves.items())]
        values = next(iter(curves.values()))
        own += [
            _marks(run, values, restarted, "cold start", "triangle-up-open", 5, 0.6),
            _marks(run, values, failed, "failed fit", "x-open", 8, 1.0),
        ]
        traces += [trace | ({"yaxis": f"y{suffix}"} if suffix else {}) for trace in own]
        drawn = np.concatenate(list(curves.values()))
        layout[f"yaxis{suffix}"] = _axis(name, drawn, panel, len(shown))
    layout["xaxis"] = run_time_axis(run, anchor="y" if len(shown) == 1 else f"y{len(shown)}")
    caption = _caption(run, shown, restarted, failed)
    return plot(traces, layout, _alt(run, shown), caption, "x")


def _inference_flag(name: str) -> GrowingColumn:
    return GrowingColumn(lambda notes: bool(notes.get("inference", {}).get(name)))


restarts, failures = _inference_flag("restarted"), _inference_flag("failed")


def _curves(run: RunSnapshot, name: str) -> dict[str, Array]:
    """Return the values of a hyperparameter by the name of their line; l_S may have several."""
    symbol, scales = PANELS[name][0], run.columns.scales
    if name != "lengthscale_space" or scales is None:
        return {symbol: run.columns[name]}
    return {f"{symbol}, input {k + 1}": values for k, values in enumerate(scales.T)}


def _line(run: RunSnapshot, values: Array, name: str, nth: int = 0) -> Trace:
    t, values = thin(run.columns["t"], values, MAX_POINTS)
    look = {"dash": DASHES[nth % len(DASHES)]} if nth else {}
    return steps(t, rounded(values, DIGITS), name, key=run.config.algorithm, hover=HOVER, **look)


def _marks(  # noqa: PLR0913 - the look of a mark
    run: RunSnapshot, values: Array, flags: Array, name: str, symbol: str, size: int, opacity: float
) -> Trace:
    rows = flags.astype(bool) & np.isfinite(values)
    t, y = run.columns["t"][rows][-MAX_MARKS:], values[rows][-MAX_MARKS:]
    look: dict[str, Any] = {"symbol": symbol, "size": size, "opacity": opacity}
    return dots(t, rounded(y, DIGITS), name, hover="skip", **look)


def _bounds(run: RunSnapshot) -> list[Trace]:
    """Return the bounds of l_T in inference: two mean gaps of D, and max(30 elapsed, 60 s)."""
    t = run.columns["t"]
    oldest = np.append(t[:1], oldest_times(run)[:-1])  # before the removals of this pass
    oldest = np.where(np.isfinite(oldest), oldest, t)
    fitted = run.sizes() + run.columns.removed_counts()  # observations, including the newest
    low = 2.0 * (t - oldest) / np.maximum(fitted - 1.0, 1.0)
    high = np.maximum(30.0 * t, 60.0)
    rows = np.isfinite(run.columns["lengthscale_time"]) & (low > 0.0)
    stroke: dict[str, Any] = {"width": 1, "dash": "dot", "opacity": 0.7, "hover": "skip"}
    bounds = {"lowest allowed": low, "highest allowed": high}
    thinned = {name: thin(t[rows], bound[rows], MAX_POINTS) for name, bound in bounds.items()}
    return [line(x, rounded(y, DIGITS), name, **stroke) for name, (x, y) in thinned.items()]


def _axis(name: str, values: Array, panel: int, panels: int) -> dict[str, Any]:
    height = (1.0 - GAP * (panels - 1)) / panels
    top = 1.0 - panel * (height + GAP)
    positive = values[np.isfinite(values) & (values > 0.0)]
    low, high = float(positive.min()), float(positive.max())
    stretch = max(MIN_RATIO * low / high, 1.0) ** 0.5 * 1.5
    span = float(np.log10(low / stretch)), float(np.log10(high * stretch))
    domain = [max(top - height, 0.0), top]
    ticks = log_ticks(span, few=True)
    return axis(PANELS[name][0], type="log", range=list(span), domain=domain, **ticks)


def _missing(run: RunSnapshot) -> str:
    if len(run) and not run.columns["warmup"][-1]:
        return "This algorithm has no surrogate and learns no hyperparameters."
    return "Hyperparameters are learned after the warm-up."


def _alt(run: RunSnapshot, shown: Sequence[str]) -> str:
    last = int(np.flatnonzero(np.isfinite(run.columns["signal_variance"]))[-1])
    values = {name: [float(v[last]) for v in _curves(run, name).values()] for name in shown}
    words = {"lengthscale_time": seconds}
    texts = [
        f"{PANELS[name][1]} {listed([words.get(name, significant)(v) for v in numbers])}"
        for name, numbers in values.items()
    ]
    return f"Hyperparameters of {label(run.config.algorithm)} now: {', '.join(texts)}."


def _without_structure(run: RunSnapshot) -> list[str]:
    """Return the sentence on an l_S beyond the diagonal of the box, if the newest one is."""
    l_S, dimension = float(run.columns["lengthscale_space"][-1]), run.columns["x"].shape[1]
    scales = run.columns.scales
    if not sees_no_structure(l_S if scales is None else scales[-1].tolist(), dimension):
        return []
    diagonal = significant(dimension**0.5)
    reason = f"l_S = {significant(l_S)} exceeds sqrt(d) = {diagonal}, the diagonal of the box"
    if scales is not None:
        reason = "in units of the lengthscales the diagonal of the box is shorter than 1"
    sentence = f"The surrogate sees no structure in space: {reason}."
    if share := corner_share(run.columns):
        sentence += f" {percent(share)} of the queries after the warm-up were at corners."
    return [sentence]


def _caption(run: RunSnapshot, shown: Sequence[str], restarted: Array, failed: Array) -> str:
    sentences = [
        *_without_structure(run),
        f"Learned in each pass with {MIN_FIT_SIZE} observations or more, starting from the values "
        "of the pass before.",
    ]
    bounds = (
        "the bounds of l_T, from two mean gaps between observations to 30 times the elapsed time "
        "(at least 60 s)"
    )
    no_time = "This surrogate ignores time, so it has no l_T."
    sentences.append(f"Dotted: {bounds}." if "lengthscale_time" in shown else no_time)
    if (run.header or {}).get("temporal_kernel") == WIENER.name:
        sentences.append("In l_T the Wiener process adds the variance lambda.")
    if cold := int(restarted.sum()):
        sentences.append(f"Triangles: {counted(cold, 'cold start')} tried as well.")
    if failures := int(failed.sum()):
        sentences.append(f"Crosses: {counted(failures, 'failed fit')}; the last values were kept.")
    return " ".join(sentences)
