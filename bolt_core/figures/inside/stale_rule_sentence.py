"""What an algorithm without an n* does with old observations, from what its record notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from bolt_core.common.text import seconds, significant
from bolt_core.runs.snapshot import RunSnapshot

HALF = math.log(2.0)

RULES: Mapping[str, Callable[[Any], str]] = {  # by the note that tells of it
    "period": lambda n: f"it resets when its block of {n:,} observations is full",
    "window": lambda n: f"it keeps the newest {n:,} observations",
    "memory": lambda tau: (
        f"it keeps everything, and trusts it half as much every {seconds(HALF * tau)}"
    ),
    "since_reset": lambda n: (
        f"it resets when an observation surprises it; {n:,} have come since the last reset"
    ),
    "budget": lambda b: (
        "it removes what matters least while a budget allows, "
        f"of which {significant(b)} is saved up"
    ),
    "ahead": lambda s: (
        f"it keeps every observation and chooses its next time up to {seconds(s)} ahead"
        if s
        else "it keeps every observation and looks now, until it trusts its lengthscale"
    ),
}


def stale_data_rule(run: RunSnapshot) -> str | None:
    """One sentence, or None for an algorithm with an n* (or with nothing said yet)."""
    if not len(run) or run.columns["warmup"][-1]:
        return None
    notes = run.columns.notes[len(run) - 1]
    if "response" in notes or run.config.algorithm.startswith("bolt"):
        return None
    said = next((rule(notes[key]) for key, rule in RULES.items() if key in notes), None)
    if said is None:
        everything = not any(run.columns.removed[: len(run)])
        said = "it keeps every observation" if everything else "it has a rule of its own"
    return f"This algorithm has no n*: {said}."
