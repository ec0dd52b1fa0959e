"""One sentence on what an algorithm without an n* does with old observations, from its record."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from bolt_core.common.text import counted, seconds, significant
from bolt_core.runs.snapshot import RunSnapshot

RULES: Mapping[str, Callable[[Any], str]] = {  # by the note of the record that describes the rule
    "period": lambda n: f"it resets when its block of {counted(n, 'observation')} is full",
    "window": lambda n: f"it keeps the newest {counted(n, 'observation')}",
    "memory": lambda tau: (
        f"it keeps everything, and trusts it half as much every {seconds(math.log(2.0) * tau)}"
    ),
    "since_reset": lambda n: (
        f"it resets when an observation surprises it; {counted(n, 'observation')} since the last "
        "reset"
    ),
    "budget": lambda b: (
        f"it removes the least relevant observations within a budget; {significant(b)} of it is "
        "left"
    ),
    "ahead": lambda s: (
        f"it keeps every observation and chooses the time of its next query up to {seconds(s)} "
        "ahead"
        if s
        else "it keeps every observation, and does not wait until it trusts its lengthscale"
    ),
}


def stale_data_rule(run: RunSnapshot) -> str | None:
    """Return the sentence; None for an algorithm with an n*, and during the warm-up."""
    if not len(run) or run.columns["warmup"][-1]:
        return None
    notes = run.columns.notes[len(run) - 1]
    if "response" in notes or run.config.algorithm.startswith("bolt"):
        return None
    rule = next((describe(notes[key]) for key, describe in RULES.items() if key in notes), None)
    if rule is None:
        removes = any(run.columns.removed[: len(run)])
        rule = "it has its own rule" if removes else "it keeps every observation"
    return f"This algorithm has no n*: {rule}."
