"""Hostile links: the parsers of query strings, and whole pages as AppTest runs them."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from bolt_core.charts.chart_registry import View
from bolt_core.common.errors import BoltError
from bolt_core.figures.lab import setting as lab
from bolt_core.runs import limits
from bolt_core.store.listing import matching
from bolt_ui import link_values, routes
from bolt_ui.race_settings import Lane, read_settings
from tools.chaos.processes import ROOT, temporary_home
from tools.chaos.report import Check, place_of

Cases = Iterator[tuple[str, random.Random]]
ANY = ("race", "lesson", "present", "hide", "chapter", "t", "at")
TOOLBAR = "bench algos variants seeds seed cut clock slowdown device warmup engine acq noise ks kt"
PARAMETERS = {
    "arena": (*TOOLBAR.split(), "lanes", "x", "stat", "scale"),
    "inside": ("show", "run"),
    "lab": ("lt", "r0", "lin", "quad", "cub", "k", "preset", "more", "bound_noise", "out"),
    "benchmarks": ("board", "board_device", "board_t"),
    "runs": ("q", "tag", "find"),
    "scoreboard": ("campaign", "score_on", "algorithm", "benchmark"),
    "guide": ("section",),
}
ATOMS = (
    *("", "0", "1", "-1", "1.5", "inf", "-inf", "nan", "1e999", "1e-320", "9" * 400, "[]", "{}"),
    *("\x00", "\N{SNOWMAN}", "\u202e", "a" * 3000, "../..", "<script>", "[x](javascript:1)", "$$"),
    *(
        "bolt",
        "gpucb",
        "random",
        "abo",
        "eggholder",
        "powell",
        "temperature",
        "cpu",
        "model",
        "wall",
    ),
    *("engine=botorch", "engine=x", "speed=0", "speed=inf", "speed=1e5", "alpha=nan", "alpha=0.5"),
    *("matern32", "rbf", "paper", "1pct", "nominal", "ucb", "full", "60", "recorded", "bolt.0"),
    *(
        "campaign:tiny:0123456789ab",
        "x:iterations",
        "scale:log",
        "show:bolt.0",
        "BOLT",
        "Eggholder",
    ),
    *(
        "20260101T000000Z-abcd",
        "True",
        "None",
        "1,2",
        "controls",
        "headline",
        "regret",
        "\n",
        "%00",
    ),
)
SEPARATORS = ("", ";", ",", "|", "=", ":", "&", " ")


def value(rng: random.Random) -> str:
    """Return a text for a query parameter: one to four atoms and separators."""
    text = rng.choice(ATOMS)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
        text += rng.choice(SEPARATORS) + rng.choice(ATOMS)
    return text


def parsers(check: Check, cases: Cases) -> None:
    """Call what reads query strings, with texts and with values of other types."""
    results: Counter[str] = Counter()
    for label, rng in cases:
        parse = rng.choice(PARSERS)
        try:
            parse(rng)
            results["read"] += 1
            check.expect(True, label)
        except BoltError as problem:
            results["refused"] += 1
            check.expect(len(str(problem)) < 8000, f"{label}: {len(str(problem))} letters")
        except Exception as problem:  # noqa: BLE001 - what is looked for
            check.expect(False, f"{label}: {parse.__name__}: {place_of(problem)}")
    check.figures = ", ".join(f"{count} {result}" for result, count in results.most_common())


def _view(rng: random.Random) -> object:
    return str(View.parse(value(rng)))


def _chart_request(rng: random.Random) -> object:
    return routes._chart_request(value(rng)).name


def _at(rng: random.Random) -> object:
    return routes._at(value(rng))


def _lane(rng: random.Random) -> object:
    return Lane.parse(str(Lane.parse(value(rng))))


def _number(rng: random.Random) -> object:
    text = value(rng)
    assert link_values.number_problem("seeds", text) or abs(float(text)) < 1e12
    return lab.parse_number(text, 1.0)


def _find(rng: random.Random) -> object:
    return matching([], value(rng))


def _settings(rng: random.Random) -> object:
    """Read settings as the toolbar does, and check that a race of them could be judged."""
    names = rng.sample(PARAMETERS["arena"], rng.randrange(1, 8))
    state: dict[str, Any] = {name: _widget_value(name, rng) for name in names}
    read, problems = read_settings(state)
    configs = read.configs()
    limits.exceeded(configs)
    return read, problems


def _widget_value(name: str, rng: random.Random) -> object:
    """Return a value of a type that the widget of this name can have."""
    if name in ("algos", "variants"):
        return rng.choice((None, [], [value(rng), value(rng)], ["bolt"] * 40))
    if name == "lanes" or rng.random() < 0.4:
        return value(rng)
    return rng.choice((None, True, 0, -1, 10**30, 1e308, math.nan, math.inf, -math.inf, 2.5))


PARSERS = (_view, _chart_request, _at, _lane, _number, _find, _settings, _settings)


@cache
def _without_package_scan() -> None:
    """Read the metadata of installed packages once, not in every AppTest."""
    from streamlit.components.v2 import manifest_scanner

    scan = cache(manifest_scanner.scan_component_manifests)
    manifest_scanner.scan_component_manifests = scan


def pages(check: Check, cases: Cases) -> None:
    """Open pages with hostile links; a page shows notices, never an exception."""
    from streamlit.testing.v1 import AppTest

    from bolt_ui import server_state

    _without_package_scan()
    with temporary_home():
        try:
            for label, rng in cases:
                page = rng.choice(list(PARAMETERS))
                app = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=60)
                if page != "arena":
                    app.switch_page(f"../../pages/{page}.py")
                query = link(page, rng)
                for name, text in query.items():
                    app.query_params[name] = text
                app.run()
                shown = [
                    f"{error.message} {list(error.stack_trace)[-3:]}" for error in app.exception
                ]
                check.expect(not shown, f"{label}: {page} {query}: {shown}"[:3000])
        finally:
            server_state.server().shutdown()


def link(page: str, rng: random.Random) -> dict[str, str]:
    """Return some parameters of a page with hostile values."""
    names = (*PARAMETERS[page], *ANY)
    simple = rng.random() < 0.5
    chosen = rng.sample(names, rng.randrange(1, len(names) + 1))
    return {name: rng.choice(ATOMS) if simple else value(rng) for name in chosen}
