"""Names beside line ends and points in place of a legend, moved apart where they would overlap."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bolt_core.figures.shared.chart_dicts import margins, note
from bolt_core.figures.shared.palette import label_priority

LINE_HEIGHT = 15.0  # pixels between the middles of two names
CHARACTER_WIDTH = 7.8  # pixels, of a capital letter
MAX_OVERLAPPING = 8  # names shown of a group that would overlap: two races of four lanes
NAME_WIDTH = 0.15  # of the x axis: line ends this near can have overlapping names

POINT_DISTANCE = 9  # pixels between a point and its name
COVERED_WIDTH, COVERED_HEIGHT = 0.18, 22.0  # of the x axis, in pixels: what a name covers

Span = tuple[float, float]  # the lower and the upper end of an axis, in axis units


@dataclass(frozen=True, slots=True)
class End:
    """A line end or a point that is named: its algorithm's key, its name, and where it is."""

    key: str
    label: str
    x: float  # in axis units: the logarithm on a log axis
    y: float


def labelled_ends(
    ends: Sequence[End], y_span: Span, height: float, x_length: float, *, top: int = 8
) -> dict[str, Any]:
    """Return the annotations and margins of a layout in which each line is named at its end."""
    annotations = end_labels(ends, y_span, height, x_length)
    return {"annotations": annotations, "margin": margins(right=margin(ends), top=top)}


def end_labels(
    ends: Sequence[End],
    y_span: Span,
    height: float,
    x_length: float,
    *,
    beside: int = 5,
    crowd: int = MAX_OVERLAPPING,
) -> list[Any]:
    """Return one annotation per end, `beside` pixels to its right.

    `height` is the length of the y axis in pixels, `x_length` that of the x axis in axis units.
    `name` of an annotation is the algorithm's key, for its colour. Of more than `crowd` names that
    would overlap, only `crowd` are shown, always the same ones while they stay together; the
    others can be read by hovering.
    """
    scale = height / (y_span[1] - y_span[0])
    pixels = [(end.y - y_span[0]) * scale for end in ends]
    shifts: dict[int, float] = {}
    for group in _near_in_x(ends, x_length):
        named = _named(group, ends, pixels, crowd)
        shifts |= dict(zip(named, nudges([pixels[i] for i in named], height), strict=True))
    return [
        note(end.label, end.x, end.y, name=end.key)
        | {"xanchor": "left", "yanchor": "middle", "xshift": beside, "yshift": round(shifts[i], 1)}
        for i, end in enumerate(ends)
        if i in shifts
    ]


def point_labels(points: Sequence[End], x_span: Span, y_span: Span, height: float) -> list[Any]:
    """Return one annotation per point, to its right, or to its left where a point is in the way."""
    x_length, pixel = x_span[1] - x_span[0], (y_span[1] - y_span[0]) / height
    labels = end_labels(points, y_span, height, x_length, beside=POINT_DISTANCE)
    for label in labels:
        level = [end.x for end in points if abs(end.y - label["y"]) < COVERED_HEIGHT * pixel]
        right = min((x - label["x"] for x in level if x > label["x"]), default=math.inf)
        left = min((label["x"] - x for x in level if x < label["x"]), default=math.inf)
        if right < min(left, COVERED_WIDTH * x_length):
            label |= {"xanchor": "right", "xshift": -POINT_DISTANCE, "yshift": 0.0}
    return labels


def margin(ends: Sequence[End]) -> int:
    """Return the pixels that the longest name needs on the right."""
    return 14 + math.ceil(CHARACTER_WIDTH * max((len(end.label) for end in ends), default=0))


def nudges(pixels: Sequence[float], height: float = math.inf) -> list[float]:
    """Return how far each name must move so that no two are closer than `LINE_HEIGHT`.

    The order stays. All names end up within the height of the chart if there is room for as many.
    """
    order = sorted(range(len(pixels)), key=lambda i: pixels[i])
    middles = [0.0] * len(pixels)
    for group in _overlapping(order, pixels):
        lowest = _bottom(group, pixels) + LINE_HEIGHT / 2
        for rank, i in enumerate(group):
            middles[i] = lowest + rank * LINE_HEIGHT
    for rank, i in enumerate(reversed(order)):  # down from the top, then up from the axis
        middles[i] = min(middles[i], height - rank * LINE_HEIGHT)
    for rank, i in enumerate(order):
        middles[i] = max(middles[i], LINE_HEIGHT / 2 + rank * LINE_HEIGHT)
    return [middle - pixel for middle, pixel in zip(middles, pixels, strict=True)]


def _overlapping(order: Sequence[int], pixels: Sequence[float]) -> list[list[int]]:
    """Return the groups of names that would overlap, from the lowest up."""
    groups: list[list[int]] = []
    for i in order:
        groups.append([i])
        while len(groups) > 1 and _bottom(groups[-1], pixels) < _top(groups[-2], pixels):
            upper = groups.pop()
            groups[-1] += upper
    return groups


def _named(group: list[int], ends: Sequence[End], pixels: Sequence[float], most: int) -> list[int]:
    """Return all of a group, but of names that overlap only the first ones of the palette."""
    order = sorted(group, key=lambda i: pixels[i])
    kept: set[int] = set()
    for crowd in _overlapping(order, pixels):
        kept |= set(sorted(crowd, key=lambda i: (label_priority(ends[i].key), i))[:most])
    return [i for i in group if i in kept]


def _near_in_x(ends: Sequence[End], x_length: float) -> list[list[int]]:
    """Return the groups of ends so near in x that their names could overlap."""
    groups: list[list[int]] = []
    for i in sorted(range(len(ends)), key=lambda i: ends[i].x):
        if groups and ends[i].x - ends[groups[-1][-1]].x < NAME_WIDTH * x_length:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


def _bottom(group: list[int], pixels: Sequence[float]) -> float:
    return sum(pixels[i] for i in group) / len(group) - LINE_HEIGHT * len(group) / 2


def _top(group: list[int], pixels: Sequence[float]) -> float:
    return _bottom(group, pixels) + LINE_HEIGHT * len(group)
