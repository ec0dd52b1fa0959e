"""What a page or a program sees of a problem: immutable, built once per version."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from bolt_core.common.knobs import Value
from bolt_core.online.answers import FIRST_VALUE
from bolt_core.online.log_frame import log_frame
from bolt_core.online.pending import PendingAsk
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.online.results import Best
from bolt_core.online.status import Status
from bolt_core.runs.snapshot import RunSnapshot

if TYPE_CHECKING:
    import pandas as pd

Setting: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class PendingSetting:
    """A setting that was asked for and has no result yet."""

    id: int  # the number of the ask
    setting: Setting
    at: datetime  # UTC: when it was asked for
    previous: Setting | None  # the setting that was applied before it, as far as is known
    is_random: bool  # chosen at random, because too little is known
    fresh_for: float | None  # seconds for which it is worth using; None: not known; may be inf
    outside: tuple[str, ...] = ()  # knobs whose value is outside the range that they have now
    explores: bool = False  # random, among the settings that may still be the best


@dataclass(frozen=True)
class ProblemView:
    """A problem at one version. Nothing in it changes."""

    id: str
    version: int  # grows with every change; views of equal versions are equal
    spec: ProblemSpec
    created: datetime  # UTC
    changed: datetime  # UTC: the last change
    pending: tuple[PendingSetting, ...]  # oldest first
    last_setting: Setting | None  # applied last, as far as is known: asked for or told
    status: Status  # counts, n*, which limit holds; str() gives it in words
    best: Best | None  # the best setting at `best.at`; None before anything is learned
    fresh_for: float | None  # seconds for which a suggestion is worth using; None: not known
    lengthscale_time: float | None  # l_T in seconds
    can_undo: bool
    simulated: bool  # a simulated plant measures it
    notes: tuple[str, ...]  # sentences about its file; usually empty
    run: RunSnapshot  # what was told, in the form that charts use
    asks: tuple[PendingAsk, ...]  # the pending ones, in unit coordinates and seconds
    origin: datetime | None  # UTC: second 0 of `run`; None before the first ask or tell

    @property
    def next(self) -> PendingSetting | None:
        """The setting to try next: the oldest one without a result; None if there is none."""
        return self.pending[0] if self.pending else None

    @property
    def fresh_until(self) -> datetime | None:
        """When `next` is no longer worth using; None if that is not known, or never."""
        if self.next is None or self.fresh_for is None or math.isinf(self.fresh_for):
            return None
        try:
            return self.next.at + timedelta(seconds=self.fresh_for)
        except OverflowError:
            return None

    @property
    def n_star(self) -> int | None:
        """The recommended dataset size; None: no limit."""
        return self.status.n_star

    @property
    def told(self) -> int:
        """The number of measurements so far, failed ones included."""
        return self.status.told

    def to_time(self, seconds: float) -> datetime:
        """Return a time of `run` as a datetime in UTC."""
        if self.origin is None:
            raise ValueError("nothing was asked for or told yet")
        return self.origin + timedelta(seconds=seconds)

    @cached_property
    def log(self) -> pd.DataFrame:
        """What was told, and what is pending, one row each.

        Columns: time (UTC), one per knob, the outcome, failed, pending, ask, and whether the value
        was corrected. The index is the row number that `Problems.correct` takes; pending asks come
        last.
        """
        names, outcome = list(self.spec.knobs), self.spec.outcome
        frame = log_frame(self.run, self.asks, self.to_time, names, outcome)
        notes = self.run.columns.notes[: len(self.run)]
        corrected = [*(FIRST_VALUE in note for note in notes), *(False for _ in self.asks)]
        return frame.assign(**{CORRECTED: corrected})


CORRECTED = "corrected"  # column of a log: the value is not the one that was told first


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """One line of the list of problems, which is read without opening them."""

    id: str
    name: str
    knobs: tuple[str, ...]
    outcome: str
    measurements: int  # told so far, failed ones included
    created: datetime  # UTC
    changed: datetime  # UTC
    yours: bool  # whether the caller may change it
    simulated: bool
    running: bool  # whether its simulated plant is running
    error: str | None = None  # why it cannot be read


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a tell."""

    stored: bool  # False: it was told before with the same ask or key, and nothing has changed
    told: int  # observations so far
    answered: int | None  # the number of the ask that it answers, if it answers one
