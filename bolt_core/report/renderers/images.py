"""Charts as images, with matplotlib: SVG for HTML and Markdown, PDF for LaTeX.

An image is drawn from the same dict as the chart in the browser, with the light colours of the
palette, and names at the ends of lines. Its bytes depend on the chart and the version of
matplotlib only. matplotlib is imported when the first image is drawn.
"""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bolt_core.common.packages import require
from bolt_core.common.types import Array
from bolt_core.figures.shared.palette import line_style
from bolt_core.report.campaign_axes import PLOT_HEIGHT
from bolt_core.report.model.blocks import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, LEFT, TOP, BOTTOM = 450.0, 56.0, 8.0, 34.0  # points: the image, and room at its sides
CATEGORIES_BOTTOM = 46.0  # points: room for slanted names below bars
PIXEL = 0.75  # points per pixel of the browser
BARS_SHARE = 0.8  # of the width of a category, for its bars and dots together
MIN_WIDTH_SHARE = 0.3  # of the picture, for the axes beside very long names
TEXT, GRID, PAPER = "#333A45", "#E3E6EA", "#7A8290"  # colours
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "bolt", "svg.fonttype": "none", "pdf.fonttype": 42, "path.simplify": True,
    "path.simplify_threshold": 0.2, "font.family": "sans-serif", "font.size": 8.5,
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
    "text.parse_math": False, "axes.edgecolor": TEXT, "axes.labelcolor": TEXT,
    "text.color": TEXT, "xtick.color": TEXT, "ytick.color": TEXT, "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.unicode_minus": True,
}  # fmt: skip
DASHES = {  # in line widths
    "solid": (), "dash": (4, 2), "dot": (1, 1.5), "dashdot": (4, 1.5, 1, 1.5), "longdash": (7, 2),
    "longdashdot": (7, 1.5, 1, 1.5),
}  # fmt: skip
MARKERS = {  # plotly's names of symbols; those that end with "-open" are hollow
    "circle": "o", "square": "s", "diamond": "D", "triangle-up": "^", "triangle-down": "v",
    "star": "*", "cross": "P", "pentagon": "p", "hourglass": "d", "triangle-right": ">",
    "triangle-left": "<", "bowtie": "8", "hexagram": "h", "hexagon": "H",
    "star-triangle-up": (3, 1, 0), "star-diamond": (4, 1, 0),
    "circle-cross": "o", "circle-x": "o", "circle-dot": "o", "diamond-wide": "X",
}  # fmt: skip
INNER_MARKERS = {  # what is drawn inside a hollow circle, and its part of the circle's diameter
    "circle-cross-open": ("+", 0.9), "circle-x-open": ("x", 0.65), "circle-open-dot": (".", 0.55),
}  # fmt: skip
DIGITS = re.compile(rb"(\d\.\d\d)\d+")  # no screen or printer shows a thousandth of a point
METADATA = re.compile(rb"\s*<metadata>.*?</metadata>", re.DOTALL)  # repeats the title
_lock = threading.Lock()  # the style is global to matplotlib


def draw(chart: Chart, kind: Literal["svg", "pdf"]) -> bytes:
    """Return the image of a chart."""
    require("drawing the images of a report", "matplotlib")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    layout = chart.figure["layout"]
    bottom = CATEGORIES_BOTTOM if "categoryarray" in layout["xaxis"] else BOTTOM
    height = TOP + PLOT_HEIGHT * PIXEL + bottom
    right = layout["margin"]["r"] * PIXEL
    with _lock, mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH / 72, height / 72))
        box = (LEFT / WIDTH, bottom / height, max(1 - (LEFT + right) / WIDTH, MIN_WIDTH_SHARE))
        axes = figure.add_axes((*box, PLOT_HEIGHT * PIXEL / height))
        _draw(axes, chart.figure["data"], layout)
        stream = io.BytesIO()
        figure.savefig(stream, format=kind, metadata=_metadata(chart, kind))
    data = stream.getvalue()
    if kind == "pdf":
        return data
    return DIGITS.sub(rb"\1", METADATA.sub(b"", data)).replace(b" \n", b"")


def _metadata(chart: Chart, kind: str) -> dict[str, str | None]:
    """Return the title; nothing that changes from day to day."""
    dates = {"Date": None, "Creator": None} if kind == "svg" else {"CreationDate": None}
    return {"Title": chart.alt if kind == "svg" else chart.name, **dates}


def _draw(axes: Axes, data: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> None:
    categories = layout["xaxis"].get("categoryarray", [])
    groups = list(dict.fromkeys(t["offsetgroup"] for t in data if "offsetgroup" in t))
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    for side in ("x", "y"):
        _scale(axes, side, layout[f"{side}axis"])
    if categories:
        axes.set_xticks(range(len(categories)), categories, rotation=20, ha="right")
        axes.tick_params(axis="x", length=0)
    for trace in data:
        x = np.array([categories.index(v) if v in categories else v for v in trace["x"]], float)
        y = np.array(trace["y"], dtype=float)  # None becomes NaN, a gap
        if "offsetgroup" in trace:
            width = BARS_SHARE / len(groups)
            x += (groups.index(trace["offsetgroup"]) - (len(groups) - 1) / 2) * width
        if trace["type"] == "bar":
            _bars(axes, trace, x, y, 0.92 * width)
        elif trace["mode"] == "lines":
            _line(axes, trace, x, y)
        else:
            _points(axes, trace, x, y)
    for note in layout["annotations"]:
        at = (_value(layout["xaxis"], note["x"]), _value(layout["yaxis"], note["y"]))
        axes.annotate(
            note["text"], at, (note["xshift"] * PIXEL, note["yshift"] * PIXEL),
            textcoords="offset points", color=line_style(note["name"]).light, ha=note["xanchor"],
            va="center_baseline", annotation_clip=False,
        )  # fmt: skip


def _scale(axes: Axes, side: str, axis: Mapping[str, Any]) -> None:
    """Set title, scale, range and ticks of an axis."""
    from matplotlib.ticker import MaxNLocator, NullLocator, StrMethodFormatter

    shown = axes.xaxis if side == "x" else axes.yaxis
    axes.set(**{f"{side}label": axis["title"]["text"]})
    if axis.get("type") == "log":
        getattr(axes, f"set_{side}scale")("log", nonpositive="mask")
    if "range" in axis:
        axes.set(**{f"{side}lim": [_value(axis, end) for end in axis["range"]]})
    shown.set_minor_locator(NullLocator())
    if "tickvals" in axis:
        shown.set_ticks(axis["tickvals"], labels=axis["ticktext"])
    else:
        shown.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        shown.set_major_formatter(StrMethodFormatter("{x:,g}"))


def _line(axes: Axes, trace: Mapping[str, Any], x: Array, y: Array) -> None:
    style, opacity, colour = trace["line"], trace.get("opacity", 1.0), _colour(trace)
    dash = style.get("dash", "solid")
    pixels = [float(part.removesuffix("px")) / 2 for part in dash.split()] if "px" in dash else ()
    axes.plot(
        x, y, color=colour, linewidth=style["width"] * PIXEL, alpha=opacity,
        linestyle=(0, DASHES.get(dash, pixels)), zorder=3 if opacity == 1.0 else 2,
    )  # fmt: skip


def _points(axes: Axes, trace: Mapping[str, Any], x: Array, y: Array) -> None:
    """Draw markers; pale ones are single seeds or benchmarks."""
    opacity = trace.get("opacity", 1.0)
    error = trace.get("error_y", {}).get("array")
    symbol = trace["marker"].get("symbol", "circle")
    shape, hollow, _ = symbol.partition("-open")
    fill = {"markerfacecolor": "none", "markeredgewidth": 1.0} if hollow else {"markeredgewidth": 0}
    size = trace["marker"]["size"] * PIXEL * 0.8
    look: dict[str, Any] = {
        "color": _colour(trace), "alpha": opacity, "linestyle": "none", "clip_on": False,
        "zorder": 4 if opacity == 1.0 else 3,
    }  # fmt: skip
    axes.errorbar(
        x, y, error, marker=MARKERS[shape], markersize=size, elinewidth=1.1, capsize=2,
        **fill, **look,
    )  # fmt: skip
    if symbol in INNER_MARKERS:
        inner, part = INNER_MARKERS[symbol]
        axes.plot(x, y, marker=inner, markersize=part * size, markeredgewidth=0.8, **look)


def _bars(axes: Axes, trace: Mapping[str, Any], x: Array, y: Array, width: float) -> None:
    axes.bar(
        x, y, width, color=_colour(trace), alpha=trace.get("marker", {}).get("opacity", 0.85),
        yerr=trace.get("error_y", {}).get("array"),
        error_kw={"ecolor": TEXT, "elinewidth": 0.9, "capsize": 2},
    )  # fmt: skip


def _colour(trace: Mapping[str, Any]) -> str:
    """Return the colour of a trace's algorithm; grey for the paper's values."""
    return line_style(trace["meta"]).light if "meta" in trace else PAPER


def _value(axis: Mapping[str, Any], at: float) -> float:
    """Return the value at a position in the units of plotly's axis."""
    return 10.0**at if axis.get("type") == "log" else at
