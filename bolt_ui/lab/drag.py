"""Ten observations that can be dragged out of their dataset, and back.

The browser draws and drags; who is out goes to the server, which computes both sides of the
theorem and the scores. The same by click, by Enter on a focused observation, or by the pills.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from bolt_core.figures.lab.removal_chart import LEFT, NOW, PLACES, RIGHT, TIMES, LeftOut, tiny

KEY = "drag"
_here = Path(__file__)
_component = st.components.v2.component(
    "bolt.lab_drag",
    html="<div class='bolt-drag'></div>",
    css=_here.with_suffix(".css").read_text(encoding="utf-8"),
    js=_here.with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def dataset(left: LeftOut, *, on_move: Callable[[], None]) -> None:
    """The dataset of `left`; `on_move` is called when somebody takes one out or puts one back."""
    scores = left.scores
    least = min(scores, key=lambda i: scores[i]) if scores else None
    points = [
        {
            "x": float(PLACES[i]),
            "t": float(TIMES[i]),
            "out": i in left.out,
            "score": scores.get(i, 0.0),
            "said": tiny(scores[i]) if i in scores else "",
            "least": i == least,
        }
        for i in range(len(TIMES))
    ]
    sides = {"change": left.gap.change, "limit": left.gap.limit}
    said = {"change": tiny(left.gap.change), "limit": tiny(left.gap.limit)}
    frame = {"now": NOW, "left": LEFT, "right": RIGHT}
    data = {"points": points, "sides": sides, "said": said, "frame": frame}
    _component(key=KEY, data=data, height="content", on_moved_change=on_move)


def moved() -> list[int]:
    """Who the browser says is out: anything, until it has been checked."""
    told = st.session_state[KEY].moved
    return list(told) if isinstance(told, list | tuple) else []
