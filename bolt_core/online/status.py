"""The state of an optimizer in words: which limit holds, and what that means for the user."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bolt_core.common.text import counted, duration, seconds
from bolt_core.theory.response_time import ResponseTime


@dataclass(frozen=True, slots=True)
class Status:
    """What an optimizer does now; `str()` gives it in words."""

    algorithm: str
    told: int  # observations told, failed ones included
    failed: int  # of them
    kept: int  # of them in the dataset
    warmup: int  # random settings before the first choice
    n_star: int | None  # None: no limit
    response: ResponseTime | None  # R(n)
    size_limit: int | None  # what thinking time allows; None: no limit
    think_within: float | None  # seconds
    thinking: tuple[int, float] | None  # (n, seconds that 99 % of passes take); None: not measured
    limited: bool  # whether thinking time removed observations lately
    fresh_for: float | None  # seconds

    @property
    def warmup_left(self) -> int:
        """The successful observations that are missing until settings are no longer random."""
        return max(self.warmup - (self.told - self.failed), 0)

    @property
    def limit(self) -> str | None:
        """The limit on the dataset that holds: "n*", "thinking time", or None."""
        if self.limited:
            return "thinking time"
        return "n*" if self.n_star is not None and self.kept >= self.n_star else None

    def __str__(self) -> str:
        parts = [f"{counted(self.told, 'observation')} told, {self.kept:,} kept."]
        if self.fresh_for is None and self.warmup_left:
            left = counted(self.warmup_left, "more observation")
            parts.append(f"Settings are random until {left} came.")
            return " ".join(parts)
        parts += [self._limit_in_words(), self._thinking_in_words(), self._freshness_in_words()]
        return " ".join(part for part in parts if part)

    def _limit_in_words(self) -> str:
        if self.limit == "n*":
            return (
                f"The limit is n* = {self.n_star}: with more observations each response would take "
                "so much longer that the others lose more than the new ones add."
            )
        if self.limit == "thinking time":
            return (
                f"The limit is thinking time: about {self.kept:,} observations can be learned from "
                f"within {seconds(self.think_within)}; the least relevant ones are removed."
            )
        if self.n_star is not None:
            return f"No limit holds yet; n* is {self.n_star}."
        if self.response is not None and self.response.constant:
            period = duration(float(self.response(self.kept)))
            return (
                f"No limit holds: the time between settings is about {period} whatever the dataset "
                "size, so that more observations still help."
            )
        return "No limit holds: more observations still help."

    def _thinking_in_words(self) -> str:
        if self.thinking is None:
            return ""
        n, taken = self.thinking
        words = f"99 % of passes think for at most {seconds(taken)} at n = {n}"
        if self.think_within is None or self.size_limit is None or self.limit == "thinking time":
            return f"{words}."
        allowed = seconds(self.think_within)
        return f"{words}; {allowed} are allowed, enough for about {self.size_limit:,} observations."

    def _freshness_in_words(self) -> str:
        if self.fresh_for is None:
            return ""
        if math.isinf(self.fresh_for):
            return "The model does not depend on time, so that a suggestion does not age."
        return f"A suggestion is worth using for {duration(self.fresh_for)}."
