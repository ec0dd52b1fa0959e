"""Charts of a campaign against the speed of the device: sizes of the dataset, and regret."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.seed_statistics import MIN_SEEDS_FOR_STANDARD_ERROR, Cell
from bolt_core.campaigns.results import Curve
from bolt_core.common.text import listed
from bolt_core.figures.shared.chart_dicts import plot
from bolt_core.figures.shared.labels import End
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.traces import Trace
from bolt_core.report import campaign_traces as traces
from bolt_core.report.campaign_axes import log_lines_layout
from bolt_core.report.model.blocks import with_error
from bolt_core.runs.lane_names import label, short_label

SPEED = "speed of the device (paper device: 1)"
# Of the distance between two speeds: from one algorithm to the next, and all points of one speed
SIDESTEP, SIDE_BY_SIDE = 0.15, 0.75
NAMED_IN_A_COLUMN = "column"  # cut.js spaces such names again on a phone
# Variants of one algorithm share its colour, so a name at the end of a line begins with its symbol.
SYMBOL_CHARACTERS = {
    "circle": "\N{BLACK CIRCLE}",
    "circle-open": "\N{WHITE CIRCLE}",
    "circle-open-dot": "\N{CIRCLED DOT OPERATOR}",
    "circle-cross-open": "\N{CIRCLED PLUS}",
    "circle-x-open": "\N{CIRCLED TIMES}",
    "square": "\N{BLACK SQUARE}",
}


def sizes(benchmark: str, lines: Sequence[tuple[str, str, Curve]]) -> dict[str, Any]:
    """Median n, and n* dotted, against the speed of the device.

    A line is (algorithm, "n" or "n*", (speeds, sizes)).
    """
    names = {"n": "", "n*": ", n*"}
    dashes = {"n*": "2px 6px"}  # no algorithm has it
    drawn = [
        traces.line(a, short_label(a) + names[what], np.asarray(x), np.asarray(y), dashes.get(what))
        for a, what, (x, y) in lines
    ]
    right = max(t["x"][-1] for t in drawn)  # a name inside the plot would look like data
    ends = [End(t["meta"], t["name"], right, t["y"][-1]) for t in drawn]
    layout = log_lines_layout(SPEED, "observations", drawn, ends, log=True)
    layout["xaxis"] |= _ticks([speed for *_, (x, _) in lines for speed in x])
    shown = "n, and n* of BOLT dotted," if any(what == "n*" for _, what, _ in lines) else "n"
    caption = f"{label(benchmark)}: median {shown} against speed."
    return plot(drawn, layout, caption, caption)


def regrets(
    benchmark: str, measure: str, lines: Sequence[tuple[str, Sequence[tuple[float, Cell]]]]
) -> dict[str, Any]:
    """Regret against the speed of the device: points side by side, with standard errors.

    A line is (algorithm, pairs of a speed and the mean regret there). It is not drawn: points of
    one speed stand beside it, and a line through them would seem to say something in between.
    """
    drawn: list[Trace] = []
    sentences = []
    places = _side_by_side({a: [speed for speed, _ in cells] for a, cells in lines})
    right = max(x for places_of_one in places.values() for x in places_of_one)
    for a, cells in lines:
        texts = [f"{with_error(cell.mean, cell.error)} at speed {s:g}" for s, cell in cells]
        points = traces.means(a, np.array(places[a]), [cell for _, cell in cells], texts)
        drawn.append(points | {"name": _with_symbol(a), "legendgroup": NAMED_IN_A_COLUMN})
        sentences.append(f"{label(a)} {', '.join(texts)}")
    ends = _in_order([a for a, _ in lines], right, [cells[-1][1].mean for _, cells in lines])
    layout = log_lines_layout(SPEED, measure, drawn, ends) | {"hovermode": "closest"}
    layout["xaxis"] |= _ticks([speed for _, cells in lines for speed, _ in cells])
    alt = f"{label(benchmark)}, {measure}: {'; '.join(sentences)}."
    caption = (
        f"{label(benchmark)}: mean {measure} against speed. Bars: standard error, from "
        f"{MIN_SEEDS_FOR_STANDARD_ERROR} seeds on. Points of one speed stand side by side; from "
        f"left to right, as the names from top to bottom: {listed([label(a) for a, _ in lines])}."
        + (" The vertical axis is logarithmic." if layout["yaxis"].get("type") == "log" else "")
    )
    return plot(drawn, layout, alt, caption)


def _in_order(keys: Sequence[str], x: float, last_means: Sequence[float]) -> list[End]:
    """Return the names of points one below the other, in the order of the points.

    They are put at one height, the middle of the last means. `labels` moves them apart, of equals
    the first lowest.
    """
    middle = float(np.median(last_means))
    return [End(key, _with_symbol(key), x, middle) for key in reversed(keys)]


def _ticks(speeds: Sequence[float]) -> dict[str, Any]:
    """Return a tick at each speed that was run."""
    values = sorted(set(speeds))
    return {"tickvals": values, "ticktext": [f"{value:g}" for value in values]}


def _with_symbol(key: str) -> str:
    """Return the name of an algorithm behind the symbol of its points, if that is a character."""
    return f"{SYMBOL_CHARACTERS.get(line_style(key).symbol, '')} {short_label(key)}".lstrip()


def _side_by_side(speeds: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Return where the points of each algorithm stand, so that no error bars overlap.

    The points of one speed are centred about it, also where not all algorithms have one.
    """
    all_speeds = sorted({speed for each in speeds.values() for speed in each})
    gaps = np.diff(np.log10(all_speeds))
    share = min(SIDESTEP, SIDE_BY_SIDE / len(speeds))
    step = float(10.0 ** (share * gaps.min())) if len(gaps) else 1.0
    present = {speed: [a for a in speeds if speed in speeds[a]] for speed in all_speeds}
    return {
        a: [s * step ** (present[s].index(a) - (len(present[s]) - 1) / 2) for s in each]
        for a, each in speeds.items()
    }
