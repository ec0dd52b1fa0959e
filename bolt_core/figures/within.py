"""The charts that look into one run, by name: a snapshot and its scores in, a plain dict out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bolt_core.figures.departures import who_left
from bolt_core.figures.history import size_history
from bolt_core.figures.posterior import posterior
from bolt_core.figures.relevance import Relevance
from bolt_core.figures.rules import rule
from bolt_core.figures.theta import hyperparameters
from bolt_core.snapshot import RunSnapshot

Within = Callable[[RunSnapshot, Relevance | None], dict[str, Any]]

WITHIN: Mapping[str, Within] = {
    "history": lambda run, _: size_history(run),
    "theta": lambda run, _: hyperparameters(run),
    "departures": lambda run, _: who_left(run),
    "posterior": posterior,
    "rule": lambda run, _: rule(run),
}
