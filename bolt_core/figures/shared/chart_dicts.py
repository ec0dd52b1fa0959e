"""Charts as the browser takes them (plot, table, text), and the parts of a plot's layout."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bolt_core.common.text import LONG_RACE, time_unit

Times = str | list[float | None] | None
"""When a replay shows the points of a trace: "x" if x is the time, else the time of each point in
seconds; None for a trace that does not grow with time."""

Drawn = dict[str, Any] | tuple[dict[str, Any], Times]


def plot(
    drawn: Sequence[Drawn], layout: dict[str, Any], alt: str, caption: str, times: Times = None
) -> dict[str, Any]:
    """Return a plot of traces; those without a point are left out.

    `times` are those of all traces, except for one that comes as a pair with its own. `alt` is the
    text for screen readers, `caption` the text under the plot.
    """
    pairs = [entry if isinstance(entry, tuple) else (entry, times) for entry in drawn]
    shown = [(trace, times) for trace, times in pairs if "x" not in trace or trace["x"]]
    common = {"shapes": [], "annotations": [], "margin": margins()}
    full = common | layout | {"meta": {"alt": alt, "caption": caption}}
    data, all_times = [trace for trace, _ in shown], [times for _, times in shown]
    return {"kind": "plot", "data": data, "layout": full, "times": all_times}


def text_chart(message: str, tone: str = "muted") -> dict[str, Any]:
    """Return a sentence in place of a chart, as while there is nothing to show yet."""
    return {"kind": "text", "text": message, "tone": tone}


def texts_of(chart: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts of a chart without what is drawn: `alt`, `caption` and `chip`.

    The browser cuts curves at a moment of a replay by itself, and needs the texts of that moment.
    """
    if chart["kind"] == "text":
        return {"kind": "texts", "alt": chart["text"], "caption": chart["text"]}
    described = chart["layout"]["meta"] if chart["kind"] == "plot" else chart
    known = {name: described[name] for name in ("alt", "caption", "chip") if described.get(name)}
    return {"kind": "texts"} | known


def table(
    columns: Sequence[dict[str, str]],
    rows: Sequence[dict[str, Any]],
    alt: str,
    caption: str,
    **more: Any,  # noqa: ANN401 - properties of the browser's table
) -> dict[str, Any]:
    """Return a table; a row holds its `cells` as text and the `key` of its algorithm, or ""."""
    texts = {"alt": alt, "caption": caption}
    return {"kind": "table", "columns": list(columns), "rows": list(rows)} | texts | more


def axis(title: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly's properties
    """Return an axis with a title."""
    return {"title": {"text": title}, **more}


def time_axis(end: float, title: str = "time", begin: float = 0.0, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a time axis over seconds; on one of hours or days, the ticks are in that unit."""
    unit, name = time_unit(end) if end >= LONG_RACE else (1.0, "s")
    ticks = {} if name == "s" else _unit_ticks(begin, end, unit)
    return axis(f"{title} ({name})", range=[begin, end], **ticks, **more)


def log_axis(title: str, span: tuple[float, float], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a logarithmic axis over `span`, in powers of ten, with ticks at round numbers.

    `dtick=1` among `more` leaves the ticks to plotly, one per decade.
    """
    ticks = {} if "dtick" in more or "tickvals" in more else log_ticks(span)
    return axis(title, type="log", range=list(span), **ticks, **more)


def log_ticks(span: tuple[float, float], *, few: bool = False) -> dict[str, Any]:
    """Return ticks at powers of ten, and at 2 and 5 times these on axes of at most two decades.

    `few` is for small panels: at most about four ticks, at 2 and 5 only where `span` holds fewer
    than two powers of ten.
    """
    low, high = span
    powers = range(math.floor(low), math.ceil(high) + 1)
    decades = [10.0**power for power in powers if low <= power <= high]
    if len(decades) >= 2 and (few or high - low > 2.0):
        shown = decades[:: max(len(decades) // 3, 1)] if few else decades
    else:
        values = [step * 10.0**power for power in powers for step in (1.0, 2.0, 5.0)]
        shown = [value for value in values if low <= math.log10(value) <= high]
    shown = shown or [float(f"{10.0 ** ((low + high) / 2):.1g}")]
    texts = [f"{value:,g}".replace("-", "\N{MINUS SIGN}") for value in shown]
    return {"tickvals": shown, "ticktext": texts}


def _unit_ticks(begin: float, end: float, unit: float) -> dict[str, Any]:
    """Return about five ticks at round multiples of a unit, for an axis in seconds."""
    rough = (end - begin) / unit / 5.0 or 1.0
    decade = 10.0 ** math.floor(math.log10(rough))
    step = next(k * decade for k in (1.0, 2.0, 5.0, 10.0) if k * decade >= rough)
    counts = range(math.ceil(begin / unit / step), math.floor(end / unit / step) + 1)
    values = [float(f"{count * step:.12g}") for count in counts]
    return {"tickvals": [value * unit for value in values], "ticktext": [f"{v:g}" for v in values]}


def power_ticks(span: tuple[float, float]) -> dict[str, Any]:
    """Return a tick per decade, written as a power of ten; plotly's own are larger than others."""
    powers = range(round(span[0]), round(span[1]) + 1)
    texts = [f"10<sup>{power}</sup>".replace("-", "\N{MINUS SIGN}") for power in powers]
    return {"tickvals": [10.0**power for power in powers], "ticktext": texts}


def margins(*, left: int = 8, right: int = 12, top: int = 12, bottom: int = 8) -> dict[str, int]:
    """Return the margins of a plot in pixels; the browser adds room for ticks and titles."""
    return {"l": left, "r": right, "t": top, "b": bottom}


def note(text: str, x: float, y: float, **place: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a text in a plot; `name` is an algorithm's key, or a role the browser colours."""
    return {"text": text, "x": x, "y": y, "showarrow": False} | place


def named_line(
    x: float, text: str, *, name: str, width: float = 1.5
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a `vertical_line`, and the text above the plot that names it."""
    above = note(text, x, 1.0, name=name, yref="paper", yanchor="bottom")
    return vertical_line(x, name=name, width=width), above


def corner_note(text: str, x: float, y: float, **place: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a text that begins at a point of the plot, given as shares of width and height."""
    return note(text, x, y, xref="paper", xanchor="left", yref="paper", **place)


def vertical_line(x: float, *, name: str, width: float = 1.5) -> dict[str, Any]:
    """Return a dotted line at x over the whole height."""
    return _full_height(x, x, name=name, type="line", line={"width": width, "dash": "dot"})


def shaded(x0: float, x1: float, *, name: str) -> dict[str, Any]:
    """Return a pale area between two values of x, behind the curves."""
    return _full_height(x0, x1, name=name, type="rect", layer="below", line={"width": 0})


def _full_height(x0: float, x1: float, **look: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"x0": x0, "x1": x1, "y0": 0.0, "y1": 1.0, "yref": "paper"} | look
