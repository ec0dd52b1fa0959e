"""Parts of the Inside page: which run it shows, and its charts in the order of Algorithm 1."""

import streamlit as st

from bolt_core.charts.chart_registry import choices
from bolt_core.common.types import RunStatus
from bolt_core.runs.lane_names import lane_key, lane_names
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import layout, link_values, race_buttons, race_status, session
from bolt_ui.chart_component import panels, transport

TALL_HEIGHT = 440  # pixels: two plots of 220 one below the other


def current_race() -> RaceSnapshot:
    """Return the watched race, or the built-in recording."""
    return session.watched() or bundled_race.race()


def run_titles(race: RaceSnapshot) -> dict[str, str]:
    """Return the title of each run on screen, by its name in links."""
    runs, names = choices(race), lane_names(race.runs)
    several_seeds = len({run.config.seed for run in runs.values()}) > 1
    return {
        name: names[lane_key(run)] + (f", seed {run.config.seed}" if several_seeds else "")
        for name, run in runs.items()
    }


def linked_run(race: RaceSnapshot) -> str:
    """Return the run that the URL names or titles; BOLT's first run if it names none."""
    titles, wanted = run_titles(race), st.query_params.get("show", "")
    return next((name for name in titles if wanted in (name, titles[name])), next(iter(titles)))


def pick_run(race: RaceSnapshot) -> str:
    """Show a selection of the runs and return the chosen one."""
    titles = run_titles(race)
    link_values.refuse_unknown("show", titles)
    if (linked := st.query_params.get("show", "")) in titles:  # the widget binds titles, not names
        st.query_params["show"] = titles[linked]
        st.rerun()
    chosen: str = st.selectbox(
        "Run",
        list(titles),
        format_func=lambda name: titles[name],
        key="show",
        bind="query-params",
        width=240,
    )
    return chosen if chosen in titles else next(iter(titles))


def notices(race: RaceSnapshot) -> None:
    """Say why the last press had no effect, and what is shown if no race is watched."""
    race_buttons.refusal()
    race_status.unknown_race(session.watched_id() if session.watched() is None else None)
    if race.race_id == bundled_race.RACE_ID:
        st.caption(f"Showing the built-in recording of {bundled_race.label()}.")


def charts(race: RaceSnapshot, name: str) -> None:
    """Show the charts of one run: observe, fit, compute n*, score, remove."""
    show = panels(race, show=name)
    bolt, paused = name.startswith("bolt"), race.status == RunStatus.PAUSED
    with st.container(key="above"):  # also when empty, so that charts are not remounted
        if race.status.ended and race.t:
            transport(race, key="transport", runs=[choices(race)[name]])
        if paused:
            layout.card("**Algorithm 1** line by line: press Step", "steps", show)
    and_n_star = " **and n\\***" if bolt else ""
    rows = (
        (
            ("fit", f"**Response time** R(n){and_n_star}", TALL_HEIGHT),
            ("scores", "**Relevance of each observation** W\N{SUBSCRIPT TWO}", TALL_HEIGHT),
        ),
        (
            ("history", f"**Dataset size** n{and_n_star} over time", layout.CHART_HEIGHT),
            ("departures", "**Recently removed observations**", layout.CHART_HEIGHT),
        ),
        (
            ("theta", "**Hyperparameters** over time", TALL_HEIGHT),
            ("posterior", "**Posterior** and the observations", TALL_HEIGHT),
        ),
    )
    for row in rows:
        for column, (chart, title, height) in zip(st.columns(2, gap="small"), row, strict=True):
            with column:
                layout.card(title, chart, show, height)
    if not bolt:
        layout.card("**The algorithm's rule** for old observations", "rule", show)
    if not paused:
        layout.card("**Algorithm 1** in the last pass", "steps", show)
