"""Charts as the browser takes them (plot, table, text), and the parts of a plot's layout."""

import math
from collections.abc import Sequence
from typing import Any

Times = str | list[float | None] | None
"""When a replay shows the points of a trace: "x" if x is the time, else the time of each point in
seconds; None for a trace that does not grow with time."""

Drawn = dict[str, Any] | tuple[dict[str, Any], Times]


def plot(drawn: Sequence[Drawn], layout: dict[str, Any], alt: str, caption: str) -> dict[str, Any]:
    """Return a plot of traces; those without a point are left out.

    A trace that grows with time comes as a pair with its `Times`. `alt` is the text for screen
    readers, `caption` the text under the plot.
    """
    pairs = [entry if isinstance(entry, tuple) else (entry, None) for entry in drawn]
    shown = [(trace, times) for trace, times in pairs if "x" not in trace or trace["x"]]
    common = {"shapes": [], "annotations": [], "margin": margins()}
    return {
        "kind": "plot",
        "data": [trace for trace, _ in shown],
        "layout": common | layout | {"meta": {"alt": alt, "caption": caption}},
        "times": [times for _, times in shown],
    }


def text_chart(message: str, tone: str = "muted") -> dict[str, Any]:
    """Return a sentence in place of a chart, as while there is nothing to show yet."""
    return {"kind": "text", "text": message, "tone": tone}


def table(
    columns: Sequence[dict[str, str]],
    rows: Sequence[dict[str, Any]],
    alt: str,
    caption: str,
    **more: Any,  # noqa: ANN401 - properties of the browser's table
) -> dict[str, Any]:
    """Return a table; a row holds its `cells` as text and the `key` of its algorithm, or ""."""
    parts = {"columns": list(columns), "rows": list(rows), "alt": alt, "caption": caption}
    return {"kind": "table"} | parts | more


def axis(title: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly's properties
    """Return an axis with a title."""
    return {"title": {"text": title}, **more}


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


def power_ticks(span: tuple[float, float]) -> dict[str, Any]:
    """Return a tick per decade, written as a power of ten; plotly's own are larger than others."""
    powers = range(round(span[0]), round(span[1]) + 1)
    texts = [f"10<sup>{power}</sup>".replace("-", "\N{MINUS SIGN}") for power in powers]
    return {"tickvals": [10.0**power for power in powers], "ticktext": texts}


def margins(*, left: int = 8, right: int = 12, top: int = 12, bottom: int = 8) -> dict[str, int]:
    """Return the margins of a plot in pixels; the browser adds room for ticks and titles."""
    return {"l": left, "r": right, "t": top, "b": bottom}


def note(
    text: str,
    x: float,
    y: float,
    *,
    name: str | None = None,
    **place: Any,  # noqa: ANN401 - plotly's properties
) -> dict[str, Any]:
    """Return a text in a plot; `name` is an algorithm's key, or a role the browser colours."""
    named = {} if name is None else {"name": name}
    return {"text": text, "x": x, "y": y, "showarrow": False} | named | place


def note_above(text: str, x: float, *, name: str) -> dict[str, Any]:
    """Return a text above the plot, at x: the name of a `vertical_line`."""
    return note(text, x, 1.0, name=name, yref="paper", yanchor="bottom")


def vertical_line(x: float, *, name: str, width: float = 1.5, dash: str = "dot") -> dict[str, Any]:
    """Return a line at x over the whole height."""
    sides = {"x0": x, "x1": x, "y0": 0.0, "y1": 1.0, "yref": "paper"}
    return {"name": name, "type": "line", "line": {"width": width, "dash": dash}} | sides


def shaded(x0: float, x1: float, *, name: str) -> dict[str, Any]:
    """Return a pale area between two values of x, behind the curves."""
    sides = {"x0": x0, "x1": x1, "y0": 0.0, "y1": 1.0, "yref": "paper"}
    return {"name": name, "type": "rect", "layer": "below", "line": {"width": 0}} | sides
