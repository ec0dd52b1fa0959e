"""Names at the ends of the lines instead of a legend, nudged apart where they would collide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bolt_core.figures.shared.palette import place

GAP = 15.0  # pixels between the middles of two names
CHARACTER = 7.8  # pixels, about: capitals
CROWD = 5  # names that may touch
NEAR = 0.15  # of the x axis: about the width of a name


@dataclass(frozen=True, slots=True)
class End:
    """Where a line ends, and whose it is."""

    key: str
    label: str
    x: float
    y: float  # in axis units: the logarithm on a log axis


def end_labels(
    ends: Sequence[End],
    axis: tuple[float, float],
    height: float,
    across: float,
    *,
    beside: int = 5,
    crowd: int = CROWD,
) -> list[Any]:
    """One for each end, `beside` it; `name` carries the algorithm's key, for its colour.

    Of more than a `crowd` that would overlap, so many are named, always the same ones while they
    stay together; the others are read by hovering.
    """
    scale = height / (axis[1] - axis[0])
    pixels = [(end.y - axis[0]) * scale for end in ends]
    shifts: dict[int, float] = {}
    for group in _side_by_side(ends, across):
        named = _named(group, ends, pixels, crowd)
        placed = nudges([pixels[i] for i in named], height)
        shifts |= dict(zip(named, placed, strict=True))
    return [
        {
            "name": end.key,
            "text": end.label,
            "x": end.x,
            "y": end.y,
            "showarrow": False,
            "xanchor": "left",
            "yanchor": "middle",
            "xshift": beside,
            "yshift": round(shifts[i], 1),
        }
        for i, end in enumerate(ends)
        if i in shifts
    ]


def margin(ends: Sequence[End]) -> int:
    """Room on the right for the longest name."""
    return 14 + math.ceil(CHARACTER * max((len(end.label) for end in ends), default=0))


def nudges(pixels: Sequence[float], height: float = math.inf) -> list[float]:
    """How far each name must move so that no two are closer than GAP; the order stays.

    All end up between the axis and the top, as long as there is room for as many.
    """
    order = sorted(range(len(pixels)), key=lambda i: pixels[i])
    placed = _touching(order, pixels)
    spots = [0.0] * len(pixels)
    for group in placed:
        low = _bottom(group, pixels) + GAP / 2
        for rank, i in enumerate(group):
            spots[i] = low + rank * GAP
    for rank, i in enumerate(reversed(order)):  # down from the top, then up from the axis
        spots[i] = min(spots[i], height - rank * GAP)
    for rank, i in enumerate(order):
        spots[i] = max(spots[i], GAP / 2 + rank * GAP)
    return [spot - given for spot, given in zip(spots, pixels, strict=True)]


def _touching(order: Sequence[int], pixels: Sequence[float]) -> list[list[int]]:
    """Groups of names that would overlap, from the lowest up."""
    placed: list[list[int]] = []
    for i in order:
        placed.append([i])
        while len(placed) > 1 and _bottom(placed[-1], pixels) < _top(placed[-2], pixels):
            upper = placed.pop()
            placed[-1] += upper
    return placed


def _named(group: list[int], ends: Sequence[End], pixels: Sequence[float], most: int) -> list[int]:
    """All of a group, but of a crowd only those that come first in the palette."""
    order = sorted(group, key=lambda i: pixels[i])
    kept: set[int] = set()
    for crowd in _touching(order, pixels):
        kept |= set(sorted(crowd, key=lambda i: (place(ends[i].key), i))[:most])
    return [i for i in group if i in kept]


def _side_by_side(ends: Sequence[End], across: float) -> list[list[int]]:
    """Groups of ends so near in x that their names could meet."""
    groups: list[list[int]] = []
    for i in sorted(range(len(ends)), key=lambda i: ends[i].x):
        if groups and ends[i].x - ends[groups[-1][-1]].x < NEAR * across:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


def _middle(group: list[int], pixels: Sequence[float]) -> float:
    return sum(pixels[i] for i in group) / len(group)


def _bottom(group: list[int], pixels: Sequence[float]) -> float:
    return _middle(group, pixels) - GAP * len(group) / 2


def _top(group: list[int], pixels: Sequence[float]) -> float:
    return _middle(group, pixels) + GAP * len(group) / 2
