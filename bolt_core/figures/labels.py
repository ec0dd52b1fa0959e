"""Names at the ends of the lines instead of a legend, nudged apart where they would collide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

GAP = 15.0  # pixels between the middles of two names
CHARACTER = 7.2  # pixels, about


@dataclass(frozen=True, slots=True)
class End:
    """Where a line ends, and whose it is."""

    key: str
    label: str
    x: float
    y: float  # in axis units: the logarithm on a log axis


def end_labels(ends: Sequence[End], axis: tuple[float, float], height: float) -> list[Any]:
    """One for each end; `name` carries the algorithm's key, for the component that colours it."""
    scale = height / (axis[1] - axis[0])
    return [
        {
            "name": end.key,
            "text": end.label,
            "x": end.x,
            "y": end.y,
            "showarrow": False,
            "xanchor": "left",
            "yanchor": "middle",
            "xshift": 5,
            "yshift": round(shift, 1),
        }
        for end, shift in zip(ends, nudges([end.y * scale for end in ends]), strict=True)
    ]


def margin(ends: Sequence[End]) -> int:
    """Room on the right for the longest name."""
    return 14 + math.ceil(CHARACTER * max((len(end.label) for end in ends), default=0))


def nudges(pixels: Sequence[float]) -> list[float]:
    """How far each name must move so that no two are closer than GAP; the order stays."""
    order = sorted(range(len(pixels)), key=lambda i: pixels[i])
    placed: list[list[int]] = []  # groups of names that touch
    for i in order:
        placed.append([i])
        while len(placed) > 1 and _bottom(placed[-1], pixels) < _top(placed[-2], pixels):
            upper = placed.pop()
            placed[-1] += upper
    shifts = [0.0] * len(pixels)
    for group in placed:
        low = _bottom(group, pixels) + GAP / 2
        for rank, i in enumerate(group):
            shifts[i] = low + rank * GAP - pixels[i]
    return shifts


def _middle(group: list[int], pixels: Sequence[float]) -> float:
    return sum(pixels[i] for i in group) / len(group)


def _bottom(group: list[int], pixels: Sequence[float]) -> float:
    return _middle(group, pixels) - GAP * len(group) / 2


def _top(group: list[int], pixels: Sequence[float]) -> float:
    return _middle(group, pixels) + GAP * len(group) / 2
