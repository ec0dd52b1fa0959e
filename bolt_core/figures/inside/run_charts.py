"""The charts that look into one run, by name: a snapshot and its scores in, a plain dict out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bolt_core.figures.inside.hyperparameters import hyperparameters
from bolt_core.figures.inside.posterior import posterior
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.figures.inside.removals import removal_table
from bolt_core.figures.inside.rules import rule
from bolt_core.figures.inside.size_history import size_history
from bolt_core.runs.snapshot import RunSnapshot

Within = Callable[[RunSnapshot, Relevance | None], dict[str, Any]]

WITHIN: Mapping[str, Within] = {
    "history": lambda run, _: size_history(run),
    "theta": lambda run, _: hyperparameters(run),
    "departures": lambda run, _: removal_table(run),
    "posterior": posterior,
    "rule": lambda run, _: rule(run),
}
