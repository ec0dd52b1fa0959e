"""The rule of each algorithm for old observations: n* for BOLT, another one for the others.

There is one chart per family, found by the algorithm's key (`abo-t` is of the family `abo`); all
are drawn from the notes of the record. An algorithm of another package gets the chart of the family
whose notes it has (a `window`, for example), or a sentence.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bolt_core.figures.inside.response_and_size import fit_summary, response_and_size
from bolt_core.figures.inside.rule_budget import budget, waits
from bolt_core.figures.inside.rule_memory import forgetting, injection, sliding_window, trust
from bolt_core.figures.inside.rule_resets import periodic, surprises
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared.chart_dicts import text_chart
from bolt_core.runs.snapshot import RunSnapshot

Rule = Callable[[RunSnapshot], dict[str, Any]]

NEVER_REMOVES = (
    "No rule for old observations: the surrogate ignores time, so a value from the first second "
    "counts like one from the last. All observations are kept, and the response time grows with "
    "their number."
)
RULES: Mapping[str, Rule] = {  # by family
    "tv-gpucb": forgetting,
    "r-gpucb": periodic,
    "abo": waits,
    "sw-gpucb": sliding_window,
    "w-gpucb": trust,
    "et-gpucb": surprises,
    "w-dbo": budget,
    "gpucb": lambda _: text_chart(NEVER_REMOVES),
    "ui-tvbo": injection,
    "hold": lambda _: text_chart(
        "No rule for old observations: the best setting of the warm-up is measured again and again."
    ),
    "extremum-seeking": lambda _: text_chart(
        "No rule for old observations: only the newest one steers the oscillation."
    ),
    "random": lambda _: text_chart("No rule: every query is random, and nothing is learned."),
}
NOTED_RULES: Mapping[str, Rule] = {  # by a note of the record, for algorithms of other packages
    "period": periodic,
    "window": sliding_window,
    "memory": trust,
    "surprise": surprises,
}


def rule(run: RunSnapshot) -> dict[str, Any]:
    """Return the chart of the rule, or a sentence."""
    key = run.config.algorithm
    if key == "bolt" or key.startswith("bolt-"):
        return _n_star(run)
    if not len(run) or run.columns["warmup"][-1]:
        return text_chart("The rule for old observations begins after the warm-up.")
    for name, draw in RULES.items():
        if key == name or key.startswith(f"{name}-"):
            return draw(run)
    notes = run.columns.notes[len(run) - 1]
    if "response" in notes:
        return _n_star(run)
    for name, draw in NOTED_RULES.items():
        if name in notes:
            return draw(run)
    return text_chart(stale_data_rule(run) or "This algorithm has its own rule.")


def _n_star(run: RunSnapshot) -> dict[str, Any]:
    chart = response_and_size(run)
    return chart if chart["data"] else text_chart(fit_summary(run))
