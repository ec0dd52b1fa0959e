"""Values in the URL: one that is not possible is dropped before a widget reads it, with a notice.

Streamlit replaces an invalid value of a bound parameter by the default without a word, and raises
for a number that is not finite.
"""

import math
from collections.abc import Collection, Mapping
from difflib import get_close_matches
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

MAX_MAGNITUDE = 1e12  # a larger number overflows in a widget
RANGES: Mapping[str, tuple[float, float]] = {
    "seeds": (1, race_settings.MAX_SEEDS),
    "seed": (0, race_settings.MAX_SEED),
    "warmup": (1, race_settings.MAX_WARMUP),
    "slowdown": race_settings.SPEED_RANGE,
    "t": (-MAX_MAGNITUDE, MAX_MAGNITUDE),  # the replay shows its nearest moment
    "chapter": (-MAX_MAGNITUDE, MAX_MAGNITUDE),  # presenter mode shows its first for any other
    **{name: (dial.steps[0], dial.steps[-1]) for name, dial in DIALS.items()},
}
Allowed = Collection[str] | Mapping[str, str]  # texts, or labels by key
MAX_LISTED = 400  # characters of the possible values in a notice
NOT_A_NUMBER = "not a number"
SHOW_PROBLEM = "possible: an algorithm and a seed, such as bolt.0"
OTHER_NAMES = (  # parameters whose values are checked where they are used
    "race", "lesson", "guess", "present", "hide", "show", "lanes", "board", "campaign", "score_on",
    "more", "bound_noise", "out", "find", "join", "code", "token", "id", "door", "log", "example",
)  # fmt: skip
OTHER_SPELLINGS = {  # of parameters, as a reader of the screen may guess them
    "horizon": "cut", "benchmark": "bench", "algorithm": "algos", "algorithms": "algos",
    "acquisition": "acq", "kernel": "ks", "time": "t", "run": "show", "speed": "slowdown",
}  # fmt: skip
FORMER_TEXTS = {  # of older links; possible, but not listed
    "variants": toolbar.RENAMED_LABELS["variants"][0],
    "board_device": ("stock BoTorch",),
}
BOARD_DEVICES = {"nominal": "nominal device", "paper": "paper device", "race": "this race"}
NOTICES = "link_notices"  # in the session: shown in the next run of the script


def _choices() -> Mapping[str, Allowed]:
    """Return the possible texts of each parameter with a list; links name keys or labels."""
    return {**_fixed_choices(), "bench": _labels_by_key(benchmarks.catalog())}


@cache
def _fixed_choices() -> Mapping[str, Allowed]:
    """Return the choices that do not change while the server runs, as the stored twins do."""
    return {
        "algos": _labels_by_key(algorithms.catalog()),
        "variants": _labels_by_key(algorithms.catalog()),
        "cut": list(race_settings.HORIZON_SECONDS),
        "clock": race_settings.CLOCKS,
        "device": DEVICES,
        "engine": ENGINES,
        "acq": ACQUISITIONS,
        "ls": race_settings.LENGTHSCALES,
        "ks": KERNELS,
        "kt": KERNELS,
        "noise": race_settings.NOISES,
        "k": KERNEL_LABELS,
        "board_device": BOARD_DEVICES,
        **{name: choices for name, (_, choices) in toolbar.REGRET_VIEWS.items()},
    }


def _labels_by_key(catalog: Mapping[str, object]) -> dict[str, str]:
    return {key: str(getattr(spec, "label", "")) for key, spec in catalog.items()}


def _texts(name: str, allowed: Allowed) -> set[str]:
    """Return all texts that a parameter may have: keys, their labels, and those of older links."""
    labels = allowed.values() if isinstance(allowed, Mapping) else ()
    return {*allowed, *labels, *FORMER_TEXTS.get(name, ())}


def refuse_bad(page: str = "") -> None:
    """Drop values and names that are not possible from the URL and restart the script.

    `page` is the URL path of the page; Inside BOLT knows the runs that `show` may name.
    """
    linked = [name for name in st.query_params if name not in st.session_state]  # not by a widget
    numbers = {name: st.query_params[name] for name in RANGES if name in linked}
    notices = [
        _replace_number(name, text, problem)
        for name, text in numbers.items()
        if (problem := number_problem(name, text))
    ]
    for name, allowed in _choices().items():
        notices += _drop_unknown(name, allowed) if name in linked else ()
    if page != "inside" and "show" in linked and not _names_a_run(st.query_params["show"]):
        notices.append(_notice("show", st.query_params.pop("show"), SHOW_PROBLEM))
    notices += [_drop_name(name) for name in linked if name not in known_names()]
    if notices:
        _restart(notices)


def show_notices() -> None:
    """Show once what was dropped; call it when the script will not be restarted."""
    for notice in st.session_state.pop(NOTICES, ()):
        st.warning(markdown.escape(notice), icon=":material/link_off:")


def refuse_unknown(name: str, allowed: Allowed) -> None:
    """Drop the value of one parameter if it is not among `allowed`; for lists that a page knows."""
    if name not in st.session_state and (notices := _drop_unknown(name, allowed)):
        _restart(notices)


def possible(name: str, text: str) -> bool:
    """Return whether a parameter can have this text."""
    if name in RANGES:
        return number_problem(name, text) is None
    return text in _texts(name, _choices().get(name, (text,)))


def number_problem(name: str, text: str) -> str | None:
    """Return why a parameter cannot have this text as its number; None if it can."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
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


def _drop_unknown(name: str, allowed: Allowed) -> list[str]:
    """Take the texts that are not allowed out of the URL, and return a notice for each."""
    texts = _texts(name, allowed)
    given = [word for text in st.query_params.get_all(name) for word in _words(text, texts)]
    unknown = [word for word in given if word not in texts]
    if not unknown:
        return []
    known = [word for word in given if word in texts]
    if known:
        st.query_params[name] = known
    else:
        del st.query_params[name]
    possible = f"possible: {shortened(_listed(allowed), MAX_LISTED)}"
    then = "it is left out" if known else "the default is used"
    return [_notice(name, word, possible, then) for word in unknown]


def _listed(allowed: Allowed) -> str:
    """Return the possible values once each, as keys where there are keys."""
    values = dict.fromkeys(map(str, allowed))
    return ("; " if any("," in value for value in values) else ", ").join(values)


def known_names() -> frozenset[str]:
    """Return the names of all parameters of the pages."""
    return frozenset([*RANGES, *_choices(), *OTHER_NAMES])


def _names_a_run(text: str) -> bool:
    """Return whether a text begins with the key or the label of an algorithm, or is empty."""
    catalog = _labels_by_key(algorithms.catalog())
    return not text or text.split(".")[0] in catalog or text.startswith(tuple(catalog.values()))


def _drop_name(name: str) -> str:
    """Take a parameter that does not exist out of the URL, and return a notice."""
    text = shortened(st.query_params.pop(name), 40)
    near = get_close_matches(name, sorted(known_names()), n=1)
    nearest = OTHER_SPELLINGS.get(name) or (near[0] if near else None)
    hint = f" The nearest one is {nearest}=\N{HORIZONTAL ELLIPSIS}" if nearest else ""
    return f"The link has {shortened(name, 40)}={text}, which is not a setting.{hint}"


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
