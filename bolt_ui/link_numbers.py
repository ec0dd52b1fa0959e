"""Numbers in the URL: one that is not finite is dropped before a widget reads it, with a notice.

Streamlit converts the text of a bound parameter without a check, and `?seeds=inf` would raise.
"""

import math

import streamlit as st

from bolt_core.common.text import shortened
from bolt_core.figures.lab.setting import DIALS
from bolt_ui import markdown

NAMES = ("seeds", "seed", "warmup", "slowdown", "chapter", *DIALS)
MAX_MAGNITUDE = 1e12  # beyond any widget's limits
NOTICES = "link_notices"  # in the session: shown in the next run of the script


def refuse_bad() -> None:
    """Drop numbers that no widget can read from the URL, restart the script and say so."""
    given = {name: st.query_params[name] for name in NAMES if name in st.query_params}
    bad = {name: text for name, text in given.items() if not readable(name, text)}
    if bad:
        for name in bad:
            del st.query_params[name]
        st.session_state[NOTICES] = [
            f"The link has {name}={shortened(text, 40)}, not a number; the default is used."
            for name, text in bad.items()
        ]
        st.rerun()
    for notice in st.session_state.pop(NOTICES, ()):
        st.warning(markdown.escape(notice), icon=":material/link_off:")


def readable(name: str, text: str) -> bool:
    """Return whether a widget can read this number; dials of the lab are clamped to their range."""
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and (name in DIALS or abs(number) < MAX_MAGNITUDE)
