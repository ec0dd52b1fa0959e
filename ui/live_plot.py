"""Plotly for live data: one small component that redraws in place.

`st.plotly_chart` destroys and rebuilds its chart on every update, whatever its key: zoom, hover
and legend are lost. Here the figure is a plain dict, and the browser's node lives on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from bolt_core.figures import colours

_component = st.components.v2.component(
    "bolt.live_plot",
    html="<div class='bolt-plot' style='width:100%'></div>",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,  # plotly writes its own rules into the document
)


def live_plot(
    figure: Mapping[str, Any], *, key: str, version: int, view: str, height: int = 360
) -> None:
    """Show `figure`; zoom is kept while `view` stays the same."""
    keys = list(dict.fromkeys(trace["meta"] for trace in figure["data"] if "meta" in trace))
    data = {
        "figure": json.dumps(figure, allow_nan=False, separators=(",", ":")),
        "colours": colours(keys),
        "version": version,
        "view": view,
        "height": height,
        "name": f"bolt_{key}",
    }
    _component(key=key, data=data, height="content")


def preload() -> None:
    """Fetch plotly.js while there is nothing to draw yet, so that the first chart comes at once."""
    _component(key="preload", data={"figure": None}, height="content")
