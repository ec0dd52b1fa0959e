"""What optimizers answer, here and over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple


class Best(NamedTuple):
    """The setting that the surrogate thinks best at a time."""

    setting: Any  # a dict of knobs, or an array for plain bounds
    mean: float  # of the outcome there
    sd: float  # standard deviation of that mean
    at: float | datetime


class Ask(NamedTuple):
    """A setting that was asked for and has no result yet."""

    id: int
    setting: Any
    at: float | datetime
    explores: bool = False  # a random setting among those that may still be the best
