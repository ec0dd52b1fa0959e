"""Each algorithm's own rule for old observations: n* for BOLT, something else in its place.

One builder a family, looked up by the algorithm's key (`abo-t` is of the family `abo`); all draw
from what the records note. A stranger's algorithm gets a sentence, or the drawing of the family
named in its notes: who notes a `window` has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bolt_core.figures.inside.response_and_size import fit_summary, response_and_size
from bolt_core.figures.inside.rule_budget import budget, waits
from bolt_core.figures.inside.rule_memory import forgetting, sliding_window, trust
from bolt_core.figures.inside.rule_resets import periodic, surprises
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared.chart_dicts import text_chart
from bolt_core.runs.snapshot import RunSnapshot

Rule = Callable[[RunSnapshot], dict[str, Any]]

NEVER_FORGETS = (
    "No rule for old observations: its surrogate sees no time, so a value from the first second "
    "counts like one from the last. It keeps every one, and each answer takes longer than the "
    "one before."
)
RULES: Mapping[str, Rule] = {  # by family
    "tv-gpucb": forgetting,
    "r-gpucb": periodic,
    "abo": waits,
    "sw-gpucb": sliding_window,
    "w-gpucb": trust,
    "et-gpucb": surprises,
    "w-dbo": budget,
    "gpucb": lambda _: text_chart(NEVER_FORGETS),
    "random": lambda _: text_chart("No rule: it looks anywhere, always, and learns from nothing."),
}
NOTES: Mapping[str, Rule] = {  # by what a record notes, for algorithms of other packages
    "period": periodic,
    "window": sliding_window,
    "memory": trust,
    "surprise": surprises,
}


def rule(run: RunSnapshot) -> dict[str, Any]:
    """The chart of the rule, or the words that stand for it."""
    key = run.config.algorithm
    if key == "bolt" or key.startswith("bolt-"):
        return _n_star(run)
    if not len(run) or run.columns["warmup"][-1]:
        return text_chart("Its rule for old observations begins after the warm-up.")
    family = next((name for name in RULES if key == name or key.startswith(f"{name}-")), None)
    if family is not None:
        return RULES[family](run)
    noted = run.columns.notes[len(run) - 1]
    if "response" in noted:
        return _n_star(run)
    found = next((draw for name, draw in NOTES.items() if name in noted), None)
    return found(run) if found else text_chart(stale_data_rule(run) or "It has a rule of its own.")


def _n_star(run: RunSnapshot) -> dict[str, Any]:
    figure = response_and_size(run)
    if not figure["data"]:
        return text_chart(fit_summary(run))
    return {"kind": "plot", "times": [None] * len(figure["data"]), **figure}
