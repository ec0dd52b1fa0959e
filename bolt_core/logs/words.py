"""Verdicts in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from bolt_core.common.text import counted, in_natural_unit, listed, significant
from bolt_core.logs.verdict import Drift, Interval, Reason, Verdict
from bolt_core.theory.kernels import LABELS


def interval_text(interval: Interval) -> str:
    """The interval of l_T in words; an open end is called more or less than the other one."""
    low, high = interval.low, interval.high
    if low is None and high is None:
        return "anything"
    if low is None:
        return f"less than {in_natural_unit(high or 0.0)}"
    if high is None:
        return f"more than {in_natural_unit(low)}"
    return f"{in_natural_unit(low)} to {in_natural_unit(high)}"


def verdict_texts(
    verdict: Verdict, span: float, needed: int, confounded: Sequence[str]
) -> tuple[str, ...]:
    """Return the answer, its evidence, how fast, and which rows were used, in sentences."""
    if verdict.reason is Reason.FEW_ROWS:
        return (
            f"It cannot be told whether this drifts: the log has {counted(verdict.total, 'row')}, "
            f"and {needed} are needed with so many knobs.",
        )
    texts = [_answer(verdict, span, confounded), _evidence(verdict)]
    if verdict.interval is not None and verdict.drift is not Drift.NO:
        texts.append(_speed(verdict, verdict.interval))
    if verdict.thinned:
        texts.append(
            f"{len(verdict.rows):,} of {counted(verdict.total, 'row')} were used: spread over the "
            "whole log, over its last quarter, its last sixteenth and so on."
        )
    return tuple(texts)


def _answer(verdict: Verdict, span: float, confounded: Sequence[str]) -> str:
    interval = verdict.interval
    match verdict.reason:
        case Reason.EVIDENCE:
            return "It drifts: the effect of the knobs changes with time."
        case Reason.STEADY:
            low = in_natural_unit(interval.low or 0.0) if interval else "the log"
            return (
                f"It does not drift within this log: if the effect of the knobs changes at all, "
                f"then over more than {low}, and the log spans {in_natural_unit(span)}."
            )
        case Reason.CONFOUNDED:
            moved = listed(list(confounded)) if confounded else "the knobs"
            return (
                f"It cannot be told whether this drifts: {moved} moved with time and did not come "
                "back, so that an effect of time and one of the knobs look alike."
            )
        case Reason.LEVEL:
            return (
                "It cannot be told whether the best setting drifts: the level of the outcome "
                "changes with time, but a level that moves by itself, or noise that is correlated "
                "from row to row, explains the log as well."
            )
        case Reason.NO_STRUCTURE:
            return (
                "It cannot be told whether this drifts: the knobs explain next to nothing of the "
                "outcome, with time or without."
            )
        case _:
            return (
                "It cannot be told whether this drifts: the log agrees with no drift, and also "
                "with one that is faster than the log is long."
            )


def _evidence(verdict: Verdict) -> str:
    return (
        f"Twice the log likelihood ratio of the model with time against the one without is "
        f"{significant(verdict.evidence)}; of 100 logs without drift, one exceeds "
        f"{significant(verdict.threshold)}."
    )


def _speed(verdict: Verdict, interval: Interval) -> str:
    kernel = LABELS.get(verdict.temporal_kernel, verdict.temporal_kernel)
    best = "" if verdict.lengthscale is None else f"{in_natural_unit(verdict.lengthscale)}"
    half = in_natural_unit(verdict.half_life or 0.0)
    ends = interval_text(interval)
    if interval.low is None or interval.high is None:
        return f"l_T, the lengthscale in time ({kernel}), is {ends} (95 % interval)."
    return (
        f"l_T, the lengthscale in time ({kernel}), is {best}, 95 % interval {ends}: after {half} "
        "the correlation with now is one half."
    )
