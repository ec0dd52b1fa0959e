"""Values in the URL: one that is not possible is dropped before a widget reads it, with a notice.

Streamlit replaces an invalid value of a bound parameter by the default without a word, and raises
for a number that is not finite.
"""

import math
from collections.abc import Collection, Mapping
from functools import cache

import streamlit as st

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import KERNELS
from bolt_core.common.devices import NAMES as DEVICES
from bolt_core.common.text import shortened
from bolt_core.common.types import ACQUISITIONS, ENGINES
from bolt_core.figures.lab.setting import DIALS
from bolt_core.theory.kernels import LABELS as KERNEL_LABELS
from bolt_ui import markdown, race_settings, toolbar

RANGES: Mapping[str, tuple[float, float]] = {
    "seeds": (1, race_settings.MAX_SEEDS),
    "seed": (0, race_settings.MAX_SEED),
    "warmup": (1, race_settings.MAX_WARMUP),
    "slowdown": race_settings.SPEED_RANGE,
    "chapter": (-math.inf, math.inf),  # presenter mode shows its first chapter for any other
    **{name: (dial.steps[0], dial.steps[-1]) for name, dial in DIALS.items()},
}
MAX_MAGNITUDE = 1e12  # a larger number overflows in a widget
MAX_LISTED = 400  # characters of the possible values in a notice
NOT_A_NUMBER = "not a number"
NOTICES = "link_notices"  # in the session: shown in the next run of the script


@cache
def _choices() -> Mapping[str, Collection[str]]:
    """Return the possible texts of each parameter with a list; links name keys or labels."""
    return {
        "bench": _keys_and_labels(benchmarks.catalog()),
        "algos": _keys_and_labels(algorithms.catalog()),
        "variants": [
            *_keys_and_labels(algorithms.catalog()),
            toolbar.RENAMED_LABELS["variants"][0],
        ],
        "cut": list(race_settings.HORIZON_SECONDS),
        "clock": race_settings.CLOCKS,
        "device": DEVICES,
        "engine": ENGINES,
        "acq": ACQUISITIONS,
        "ks": KERNELS,
        "kt": KERNELS,
        "noise": race_settings.NOISES,
        "k": [*KERNEL_LABELS, *KERNEL_LABELS.values()],
        **{name: choices for name, (_, choices) in toolbar.REGRET_VIEWS.items()},
    }


def _keys_and_labels(catalog: Mapping[str, object]) -> list[str]:
    return [*catalog, *(str(getattr(spec, "label", "")) for spec in catalog.values())]


def refuse_bad() -> None:
    """Drop values that are not possible from the URL and restart the script."""
    linked = [name for name in st.query_params if name not in st.session_state]  # not by a widget
    numbers = {name: st.query_params[name] for name in RANGES if name in linked}
    notices = [
        _replace_number(name, text, problem)
        for name, text in numbers.items()
        if (problem := number_problem(name, text))
    ]
    for name, allowed in _choices().items():
        notices += _drop_unknown(name, allowed) if name in linked else ()
    if notices:
        _restart(notices)


def show_notices() -> None:
    """Show once what was dropped; call it when the script will not be restarted."""
    for notice in st.session_state.pop(NOTICES, ()):
        st.warning(markdown.escape(notice), icon=":material/link_off:")


def refuse_unknown(name: str, allowed: Collection[str]) -> None:
    """Drop the value of one parameter if it is not among `allowed`; for lists that a page knows."""
    if name not in st.session_state and (notices := _drop_unknown(name, allowed)):
        _restart(notices)


def possible(name: str, text: str) -> bool:
    """Return whether a parameter can have this text."""
    if name in RANGES:
        return number_problem(name, text) is None
    return text in _choices().get(name, (text,))


def number_problem(name: str, text: str) -> str | None:
    """Return why a parameter cannot have this text as its number; None if it can."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or (name not in DIALS and abs(number) >= MAX_MAGNITUDE):
        return NOT_A_NUMBER
    low, high = RANGES[name]
    return None if low <= number <= high else f"possible: {low:g} to {high:g}"


def _replace_number(name: str, text: str, problem: str) -> str:
    """Move a slider of the lab to its nearest end, drop any other number, and return a notice."""
    if name in DIALS and problem != NOT_A_NUMBER:
        st.query_params[name] = f"{DIALS[name].nearest(float(text)):g}"
        return _notice(name, text, problem, "the nearest one is used")
    del st.query_params[name]
    return _notice(name, text, problem)


def _drop_unknown(name: str, allowed: Collection[str]) -> list[str]:
    """Take the texts that are not allowed out of the URL, and return a notice for each."""
    given = [word for text in st.query_params.get_all(name) for word in _words(text, allowed)]
    unknown = [word for word in given if word not in allowed]
    if not unknown:
        return []
    known = [word for word in given if word in allowed]
    if known:
        st.query_params[name] = known
    else:
        del st.query_params[name]
    possible = f"possible: {shortened(', '.join(dict.fromkeys(allowed)), MAX_LISTED)}"
    then = "it is left out" if known else "the default is used"
    return [_notice(name, word, possible, then) for word in unknown]


def _words(text: str, allowed: Collection[str]) -> list[str]:
    """Return the names in a text; a label may contain a comma, and an empty text names none."""
    if not text or text in allowed:
        return [text] if text else []
    return [word.strip() for word in text.split(",") if word.strip()] or [text]


def _notice(name: str, text: str, problem: str, then: str = "the default is used") -> str:
    return f"The link has {name}={shortened(text, 40)}; {problem}. {then.capitalize()}."


def _restart(notices: list[str]) -> None:
    st.session_state[NOTICES] = [*st.session_state.get(NOTICES, ()), *notices]
    st.rerun()
