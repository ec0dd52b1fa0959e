"""Panels that keep themselves up to date: a page names a chart, the browser fetches and draws it.

The scripts are ui/static, served under a hash of their contents; what is inline here travels with
every rerun of a page, so it is a few lines. One store in the browser polls for all panels of a
page; Python has nothing to do with a tick.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from bolt_core.charts.chart_registry import View, get, inked
from bolt_core.figures.arena.removal_marks import marks
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot
from bolt_ui.routes import STATIC, stamp

Width = Literal["stretch", "content"]
LOAD = """
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector('.bolt-root');
  const tell = value => setTriggerValue('pressed', value);
  if (!root.firstChild) root.style.minHeight = `${data.height ?? 0}px`;  // its place is kept
  const script = import(new URL(data.script, document.baseURI).href);
  script.then(it => { if (root.isConnected) it.mount(root, { ...data, tell }); });
  return () => script.then(it => it.unmount(root));
}
"""

_component = st.components.v2.component(
    "bolt.live",
    html="<div class='bolt-root'></div>",
    css=Path(STATIC / "panel.css").read_text(encoding="utf-8"),
    js=LOAD,
    isolate_styles=False,  # plotly writes its own rules into the document
)


def panel(
    chart: str,
    *,
    key: str,
    race: str,
    live: bool,
    height: int = 360,
    stage: bool = False,
    **view: str,
) -> None:
    """Show a chart of a race and keep it up to date; `live` says whether the race may move on.

    `view` is how to look at it, as View: x="iterations", show="bolt.0". Zoom is kept while race
    and view stay the same. On the `stage`, before an audience, letters and lines are larger and a
    plot is as high as the screen.
    """
    get(chart)  # an unknown name is an error of the page, said here
    asked = {"chart": chart, "view": str(View.of(view)), "race": race}
    _mount("panel.js", key, asked | {"height": height, "live": live, "stage": stage})


def panels(race: RaceSnapshot, **view: str | bool) -> Callable[..., None]:
    """A `panel` for one race, looked at in one way: show("size", key="size") is then enough."""
    fixed: dict[str, Any] = {"race": race.race_id, "live": not race.status.ended, **view}
    return partial(panel, **fixed)


def still(
    chart: dict[str, Any],
    *,
    key: str,
    height: int = 300,
    view: str = "",
    on_press: Callable[[], None] | None = None,
) -> None:
    """Show a chart that belongs to no race; zoom is kept while `view` stays the same.

    `on_press` is called when somebody presses a cell of a table; `pressed(key)` is then which.
    """
    given = json.dumps(inked(chart), allow_nan=False, separators=(",", ":"))
    data = {"given": given, "view": view or key, "height": height, "file": f"bolt_{key}"}
    _mount("panel.js", key, data, on_press)


def pressed(key: str) -> object:
    """What the browser says was pressed: anything, until it has been checked."""
    return st.session_state[key].pressed


def preload() -> None:
    """Fetch plotly.js while there is nothing to draw yet, so that the first chart comes at once."""
    _mount("panel.js", "preload", {})


def transport(
    race: RaceSnapshot,
    *,
    key: str,
    autoplay: bool = False,
    speed: float = 20.0,
    runs: Sequence[RunSnapshot] = (),
) -> None:
    """Play, step, speed and a slider: every panel of this race on the page follows.

    Below the slider, when observations of `runs` (all, if none are given) left. A page whose
    address says ?t=123.4 opens at that moment.
    """
    data = {"race": race.race_id, "span": race.span, "autoplay": autoplay, "speed": speed}
    _mount("transport.js", key, data | {"marks": inked(marks(runs or race.runs, race.span))})


def moment(race: str, *, key: str = "moment") -> None:
    """The link to the moment at which the replay of this race stands, to be copied."""
    _mount("share.js", key, {"race": race})


def chapters(titles: Sequence[str], chosen: int, *, key: str, on_press: Callable[[], None]) -> None:
    """A bar of chapters, turned by a press or by Left and Right; `pressed(key)` is then which."""
    _mount("chapters.js", key, {"titles": list(titles), "chosen": chosen}, on_press)


def freeze(race: str, *, key: str = "freeze") -> None:
    """A button (and the F key) that holds every panel of this race still."""
    _mount("freeze.js", key, {"race": race}, width="content")


def refresh(*, key: str = "refresh") -> None:
    """How often panels look for something new; this browser remembers it."""
    _mount("refresh.js", key, {}, width="content")


def _mount(
    script: str,
    key: str,
    data: dict[str, Any],
    on_press: Callable[[], None] | None = None,
    width: Width = "stretch",
) -> None:
    place = {"script": f"bolt-assets/{stamp()}/{script}"}
    heard: dict[str, Any] = {"on_pressed_change": on_press} if on_press else {}
    _component(key=key, data=place | data, height="content", width=width, **heard)
