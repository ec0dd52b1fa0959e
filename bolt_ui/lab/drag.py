"""Ten observations that can be dragged out of their dataset and back into it.

The browser draws and drags, and sends the rows that are left out. The server computes both sides of
the theorem and the scores. A click, Enter on a focused observation and the pills do the same.
"""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from bolt_core.figures.lab.removal_chart import LEFT, NOW, PLACES, RIGHT, TIMES, LeftOut
from bolt_core.figures.lab.size_chart import tiny

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
    """Show the observations of `left`; `on_move` is called when one is taken out or put back."""
    scores = left.scores
    least = min(scores, key=lambda i: scores[i]) if scores else None
    points = [
        {
            "x": float(PLACES[i]),
            "t": float(TIMES[i]),
            "out": i in left.out,
            "score": scores.get(i, 0.0),
            "text": tiny(scores[i]) if i in scores else "",
            "least": i == least,
        }
        for i in range(len(TIMES))
    ]
    sides = {"change": left.gap.change, "limit": left.gap.limit}
    texts = {name: tiny(value) for name, value in sides.items()}
    frame = {"now": NOW, "left": LEFT, "right": RIGHT}
    data = {"points": points, "sides": sides, "texts": texts, "frame": frame}
    _component(key=KEY, data=data, height="content", on_moved_change=on_move)


def moved_rows() -> list[int]:
    """Return the rows that the browser says are left out; they are not checked yet."""
    rows = st.session_state[KEY].moved
    return list(rows) if isinstance(rows, list | tuple) else []
