"""The shapes of a chart as the browser takes them: a plot, a table, a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Times = str | list[float | None] | None  # "x", times of the points, or: does not grow with time


def plot(
    drawn: Sequence[tuple[dict[str, Any], Times]], layout: dict[str, Any], alt: str, caption: str
) -> dict[str, Any]:
    """Traces, each with what the replay cuts it by; those without a point are left out."""
    shown = [(trace, times) for trace, times in drawn if "x" not in trace or trace["x"]]
    common = {"shapes": [], "annotations": [], "margin": {"l": 8, "r": 12, "t": 12, "b": 8}}
    return {
        "kind": "plot",
        "data": [trace for trace, _ in shown],
        "layout": common | layout | {"meta": {"alt": alt, "caption": caption}},
        "times": [times for _, times in shown],
    }


def text(said: str) -> dict[str, Any]:
    """What a panel says while it has nothing to draw, or in place of a drawing."""
    return {"kind": "text", "text": said, "tone": "muted"}


def axis(title: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly's own words
    return {"title": {"text": title}, **more}
