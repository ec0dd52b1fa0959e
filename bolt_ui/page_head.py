"""The heading of a page, and the first lines of the landing page."""

import html

import streamlit as st

from bolt_core.store import bundled_race
from bolt_ui import links
from bolt_ui.markdown import escape
from bolt_ui.widgets import page_link

TAGLINE = (
    "Optimizers race to follow an optimum that moves while they compute; BOLT decides how many "
    "observations are worth their time."
)
PAPER = (  # its address is not known here, so the link searches for the title
    "https://openreview.net/search?term=Time-Varying%20Bayesian%20Optimization%20Without%20a"
    "%20Metronome"
)
DEFINITIONS = {
    "regret": "**Regret**: f(x\\*, t) \N{MINUS SIGN} f(x, t), what a query at x loses against the "
    "best x\\* at that moment. Lower is better.",
    "n": "**n**: the number of observations that an algorithm keeps, its dataset size. More data "
    "tell more, and take longer to compute with.",
    "n*": r"**n\***: the dataset size that BOLT recommends, at which one more observation tells "
    "as much as the longer response time makes the others stale.",
}
ALL_DEFINITIONS = "\n\n".join(DEFINITIONS.values())
COMPACT = "font-size:1.05rem;font-weight:650;line-height:1.4;margin:0;padding:0"


def compact_heading(title: str) -> None:
    """Show the heading of a page as part of a row; the charts start above the fold."""
    st.html(f'<h1 style="{COMPACT}">{html.escape(title)}</h1>', width="content")


def landing() -> None:
    """Say what this is and what is shown, with links to the paper and the Guide."""
    with st.container(horizontal=True, vertical_alignment="center", key="landing", gap="small"):
        compact_heading("Arena")
        st.markdown(TAGLINE, width="content", help=ALL_DEFINITIONS)
        st.link_button("Paper", PAPER, icon=":material/article:", type="tertiary")
        page_link(links.GUIDE, "Guide", "menu_book")


def recording_name() -> str:
    """Return the name of the race that the landing page plays, as Markdown."""
    return f"Recorded race: **{escape(bundled_race.name())}**"
