"""A small drawer of charts: lines, points with errors, bars; linear or log axes; names at the side.

It takes the same dicts as plotly and needs no browser. Names stand where lines end, moved apart
where they would meet, in the line's colour; dashes say the same again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from bolt_core.report.model.blocks import with_error

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 66, 130, 16, 50
SPACE = 14.0  # pixels between two names
INK, FAINT = "#333A45", "#E3E6EA"
HALO = 'paint-order="stroke" stroke="#FFFFFF" stroke-width="3"'  # a name over a line stays legible
DASHES = {
    "solid": "", "dash": "8 4", "dot": "2 3", "dashdot": "8 3 2 3", "longdash": "14 4",
    "longdashdot": "14 3 2 3",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Axis:
    """From values to pixels."""

    low: float
    high: float
    log: bool
    start: float
    stop: float

    def at(self, value: float) -> float:
        v, low, high = (map(math.log10, (value, self.low, self.high))) if self.log else (
            value, self.low, self.high,
        )  # fmt: skip
        return self.start + (v - low) / ((high - low) or 1.0) * (self.stop - self.start)

    def ticks(self) -> list[float]:
        if not self.log:
            return _steps(self.low, self.high)
        decades = math.log10(self.high / self.low)
        leads = (1, 2, 5) if decades < 2 else (1, 3) if decades < 3 else (1,)
        exponents = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        found = [lead * 10.0**e for e in exponents for lead in leads]
        inside = [v for v in found if self.low * 0.999 <= v <= self.high * 1.001]
        return inside if len(inside) > 1 else _steps(self.low, self.high)


def draw(figure: dict[str, Any], alt: str) -> str:
    """The chart as SVG text."""
    data, layout = figure["data"], figure["layout"]
    bars = any(trace["type"] == "bar" for trace in data)
    y = _axis(_values(data, "y"), layout["yaxis"], (HEIGHT - BOTTOM, TOP), zero=bars)
    if bars:
        body = _names_below(data) + _bars(data, y)
    else:
        x = _axis(_values(data, "x"), layout["xaxis"], (LEFT, WIDTH - RIGHT))
        body = _grid_x(x) + _curves(data, x, y)
    text = "\n".join([*_frame(layout, y), *body])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="12">\n<title>{escape(alt)}</title>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#FFFFFF"/>\n{text}\n</svg>\n'
    )


def _frame(layout: dict[str, Any], y: Axis) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for tick in y.ticks():
        at = y.at(tick)
        parts.append(_line(LEFT, at, right, at, FAINT))
        parts.append(_text(LEFT - 8, at + 4, f"{tick:g}", "end"))
    parts.append(_line(LEFT, bottom, right, bottom, INK))
    parts.append(_text((LEFT + right) / 2, HEIGHT - 12, layout["xaxis"]["title"]["text"], "middle"))
    middle = (TOP + bottom) / 2
    words = escape(layout["yaxis"]["title"]["text"])
    parts.append(
        f'<text transform="translate(14 {middle:.1f}) rotate(-90)" text-anchor="middle" '
        f'fill="{INK}">{words}</text>'
    )
    return parts


def _grid_x(x: Axis) -> list[str]:
    bottom = HEIGHT - BOTTOM
    return [
        part
        for tick in x.ticks()
        for part in (
            _line(x.at(tick), bottom, x.at(tick), bottom + 5, INK),
            _text(x.at(tick), bottom + 18, f"{tick:g}", "middle"),
        )
    ]


def _curves(data: Sequence[dict[str, Any]], x: Axis, y: Axis) -> list[str]:
    parts, names = [], []
    for trace in data:
        points = [(x.at(a), y.at(b)) for a, b in _points(trace, x.log, y.log)]
        if not points:
            continue
        lines = trace["mode"] == "lines"
        colour = (trace["line"] if lines else trace["marker"])["color"]
        parts += _path(points, trace) if lines else _marks(points, trace, y, colour)
        side = WIDTH - RIGHT + 8 if lines else points[-1][0] + 9
        names.append((side, points[-1][1] + 4, trace["name"], colour))
    placed = _apart(names, TOP + 4, HEIGHT - BOTTOM)
    return parts + [_text(px, py, words, "start", colour) for px, py, words, colour in placed]


def _path(points: Sequence[tuple[float, float]], trace: dict[str, Any]) -> list[str]:
    style = trace["line"]
    steps = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
    dash = DASHES.get(style["dash"], style["dash"].replace("px", ""))
    return [
        f'<polyline points="{steps}" fill="none" stroke="{style["color"]}" '
        f'stroke-width="{style["width"]:g}" stroke-dasharray="{dash or "none"}">'
        f"{_told(trace['name'])}</polyline>"
    ]


def _marks(
    points: Sequence[tuple[float, float]], trace: dict[str, Any], y: Axis, colour: str
) -> list[str]:
    parts = []
    for (px, py), value, error in zip(points, trace["y"], trace["error_y"]["array"], strict=True):
        low, high = (min(max(v, y.low), y.high) for v in (value - error, value + error))
        parts.append(_line(px, y.at(low), px, y.at(high), colour))
        told = _told(f"{trace['name']}: {with_error(value, error)}")
        parts.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4.5" fill="{colour}">{told}</circle>')
    return parts


def _names_below(data: Sequence[dict[str, Any]]) -> list[str]:
    """Names under the bars, and what the colours are."""
    names = data[0]["x"]
    wide = (WIDTH - RIGHT - LEFT) / len(names)
    bottom = HEIGHT - BOTTOM
    parts = [
        f'<text transform="translate({LEFT + (i + 0.6) * wide:.1f} {bottom + 14}) rotate(-20)" '
        f'text-anchor="end" font-size="11" fill="{INK}">{escape(name)}</text>'
        for i, name in enumerate(names)
    ]
    if len(data) > 1:
        parts.append(_text(WIDTH - RIGHT + 8, TOP + 12, "colour: these runs", "start"))
        parts.append(_text(WIDTH - RIGHT + 8, TOP + 30, "grey: the paper", "start"))
    return parts


def _bars(data: Sequence[dict[str, Any]], y: Axis) -> list[str]:
    names = data[0]["x"]
    wide = (WIDTH - RIGHT - LEFT) / len(names)
    each = 0.8 * wide / len(data)
    parts = []
    for place, trace in enumerate(data):
        rows = zip(
            trace["x"], trace["y"], trace["error_y"]["array"], trace["marker"]["color"], strict=True
        )
        for name, value, error, colour in rows:
            left = LEFT + (names.index(name) + 0.1) * wide + place * each
            top, foot = sorted((y.at(value), y.at(0.0)))
            told = _told(f"{name}, {trace['name']}: {value:.2f} ± {error:.2f}")
            parts.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{each * 0.92:.1f}" '
                f'height="{max(foot - top, 1.0):.1f}" fill="{colour}">'
                f"{told}</rect>"
            )
            middle = left + each * 0.46
            parts.append(_line(middle, y.at(value - error), middle, y.at(value + error), INK))
    return parts


def _axis(
    values: Sequence[float], spec: dict[str, Any], pixels: tuple[float, float], zero: bool = False
) -> Axis:
    log = spec.get("type") == "log"
    known = [v for v in values if v > 0] if log else list(values)
    low, high = (min(known), max(known)) if known else (1.0, 10.0) if log else (0.0, 1.0)
    if log:
        high = high if high > 1.05 * low else low * 10.0
        return Axis(low / (high / low) ** 0.04, high * (high / low) ** 0.04, True, *pixels)
    pad = 0.05 * (high - low) or 0.3 * abs(high) or 0.5
    low = min(low, 0.0) if zero or 0 <= low < 0.3 * high else low - pad
    return Axis(low, high + pad, False, *pixels)


def _values(data: Sequence[dict[str, Any]], name: str) -> list[float]:
    found = [v for trace in data for v in trace[name] if isinstance(v, int | float)]
    if name == "y":
        for trace in data:
            errors = trace.get("error_y", {}).get("array", ())
            found += [v + s * e for v, e in zip(trace["y"], errors, strict=False) for s in (-1, 1)]
    return found


def _points(trace: dict[str, Any], log_x: bool, log_y: bool) -> list[tuple[float, float]]:
    pairs = zip(trace["x"], trace["y"], strict=True)
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return [(a, b) for a, b in known if (a > 0 or not log_x) and (b > 0 or not log_y)]


def _apart(
    names: Sequence[tuple[float, float, str, str]], top: float, bottom: float
) -> list[tuple[float, float, str, str]]:
    """Names moved up or down until none covers another that stands about as far right."""
    placed: list[tuple[float, float, str, str]] = []
    for px, py, words, colour in sorted(names, key=lambda n: n[1]):
        near = [y for x, y, other, _ in placed if abs(x - px) < 7 * max(len(other), len(words))]
        placed.append((px, max([py, *(y + SPACE for y in near)]), words, colour))
    over = max((y for _, y, _, _ in placed), default=0.0) - bottom
    if over <= 0:
        return placed
    lifted: list[tuple[float, float, str, str]] = []  # the lowest first, pushed back up
    for px, py, words, colour in reversed(placed):
        near = [y for x, y, other, _ in lifted if abs(x - px) < 7 * max(len(other), len(words))]
        lifted.append((px, max(min([py, bottom, *(y - SPACE for y in near)]), top), words, colour))
    return lifted


def _steps(low: float, high: float) -> list[float]:
    """Four to eight round values."""
    raw = (high - low) / 5 or 1.0
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _told(words: str) -> str:
    """What a browser says of a shape that is pointed at."""
    return f"<title>{escape(words)}</title>"


def _text(x: float, y: float, words: str, anchor: str, colour: str = INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" {HALO}>'
        f"{escape(words)}</text>"
    )
