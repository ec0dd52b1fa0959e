"""Panels that the browser keeps up to date: a page names a chart, the browser fetches and draws it.

The scripts are in bolt_ui/static and are served under a hash of their contents. The inline script
here is sent with every rerun of a page, so it is short. One store in the browser polls for all
panels of a page, without a rerun of the page.
"""

import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from bolt_core.charts.chart_registry import View, get, inked
from bolt_core.figures.arena.removal_marks import marks
from bolt_core.live.class_tally import TallyView
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot
from bolt_ui.routes import STATIC, stamp, tally_payload

TALLY_PERIOD_MS = 1000  # between two requests
Width = Literal["stretch", "content"]
LOAD = """
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector('.bolt-root');
  const tell = value => setTriggerValue('pressed', value);
  if (!root.firstChild) root.style.minHeight = `${data.height ?? 0}px`;  // until it is drawn
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

    `view` holds the fields of a View: x="iterations", show="bolt.0". The zoom is kept while race
    and view stay the same. With `stage`, for an audience, letters and lines are larger and a plot
    is as high as the screen.
    """
    get(chart)  # raises an error for an unknown name
    request = {"chart": chart, "view": str(View.of(view)), "race": race}
    mount("panel.js", key, request | {"height": height, "live": live, "stage": stage})


def panels(race: RaceSnapshot, **view: str | bool) -> Callable[..., None]:
    """Return `panel` with race and view filled in, for calls like show("size", key="size")."""
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
    """Show a chart that belongs to no race; the zoom is kept while `view` stays the same.

    `on_press` is called when a cell of a table is clicked; `pressed(key)` then returns which.
    """
    encoded = json.dumps(inked(chart), allow_nan=False, separators=(",", ":"))
    data = {"given": encoded, "view": view or key, "height": height, "file": f"bolt_{key}"}
    mount("panel.js", key, data, on_press)


def pressed(key: str) -> object:
    """Return what was clicked, as sent by the browser: the caller must check it."""
    return st.session_state[key].pressed


def preload() -> None:
    """Load plotly.js before there is a chart, so that the first chart is drawn without delay."""
    mount("plot.js", "preload", {})


def status(race: str, row: dict[str, Any], *, run: str, live: bool) -> None:
    """Show the status row of a race (`bolt_core.charts.status_row`).

    While the race is live, the browser keeps the row up to date, and has the page run again when
    its state is no longer the one in `row`.
    """
    mount("status.js", "status", {"race": race, "row": row, "run": run, "live": live})


def transport(
    race: RaceSnapshot,
    *,
    key: str,
    autoplay: bool = False,
    speed: float = 20.0,
    runs: Sequence[RunSnapshot] = (),
) -> None:
    """Show the replay controls (play, step, speed, slider); every panel of this race follows them.

    It reaches to the end of `runs` (default: to the time that all runs have reached). Marks below
    the slider show when observations of these runs were removed. A page whose address has ?t=123.4
    opens at that moment.
    """
    span = min(max(run.end for run in runs), race.horizon or math.inf) if runs else race.t
    data = {"race": race.race_id, "span": span, "autoplay": autoplay, "speed": speed}
    mount("transport.js", key, data | {"marks": inked(marks(runs or race.runs, span))})


def moment(race: str, *, key: str = "moment") -> None:
    """Show a link to the present moment of the replay, to be copied."""
    mount("share.js", key, {"race": race})


def chapters(titles: Sequence[str], chosen: int, *, key: str, on_press: Callable[[], None]) -> None:
    """Show a bar of chapters for clicks, Left and Right; `pressed(key)` then returns which."""
    mount("chapters.js", key, {"titles": list(titles), "chosen": chosen}, on_press)


def tally(view: TallyView, options: Sequence[str], *, key: str, **look: Any) -> None:  # noqa: ANN401
    """Show how many of a class have answered, kept up to date by the browser.

    `look` says how: `bars` draws one bar per option, once this visitor may see the counts; `own`
    marks an option; `period` is in milliseconds; `large` is meant for an audience. The page is run
    again when the state or the question of the tally changes.
    """
    data = {"code": view.code, "options": list(options), "view": tally_payload(view)}
    mount("tally.js", key, data | {"period": TALLY_PERIOD_MS, "large": False} | look)


def freeze(race: str, *, key: str = "freeze") -> None:
    """Show a button (and the F key) that freezes every panel of this race."""
    mount("freeze.js", key, {"race": race}, width="content")


def refresh(*, key: str = "refresh") -> None:
    """Show a choice of how often the panels are updated; the browser remembers it."""
    mount("refresh.js", key, {}, width="content")


def mount(
    script: str,
    key: str,
    data: dict[str, Any],
    on_press: Callable[[], None] | None = None,
    width: Width = "stretch",
) -> None:
    """Show what a script of bolt_ui/static makes of the data; `on_press` is called for a press."""
    source = {"script": f"bolt-assets/{stamp()}/{script}"}
    handlers: dict[str, Any] = {"on_pressed_change": on_press} if on_press else {}
    _component(key=key, data=source | data, height="content", width=width, **handlers)
