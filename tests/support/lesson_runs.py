"""Races of a lesson, made by hand: what its runs did is said by the test."""

from bolt_core.common.types import IterationRecord, Observation, RunStatus
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from tests.support.page_kit import race

WARMUP = 15


def run(config, queries, *, beat=0.5, n_star=None, removed=None, status=RunStatus.FINISHED):
    """So many queries, one every `beat` seconds; `removed(i)`: the ids dropped in pass i."""
    history = RunHistory(2)
    for i in range(queries):
        o = Observation(i, (0.5, 0.5), beat * i, 1.0)
        gone = removed(i) if removed and i >= WARMUP else ()
        star = n_star if i >= WARMUP else None
        row = IterationRecord(
            o, 0.0, 1.0, (0.5, 0.5), i, beat, i < WARMUP, n_star=star, removed=gone
        )
        history.append(row)
    about = {"horizon": 180.0, "dimension": 2}
    return RunSnapshot(config, status, history.view(), None, config.key, about)


def sat(lesson, *told, status=RunStatus.FINISHED, **rest):
    """The race of a lesson: for each of its runs, what to hand to `run`."""
    runs = [run(c, status=status, **one) for c, one in zip(lesson.configs(), told, strict=True)]
    return race(*runs, status=status, **({"t": 180.0, "horizon": 180.0} | rest))


def oldest_first(i):
    """The oldest of all that are left, one a pass."""
    return (i - WARMUP,)


def youngest_first(i):
    """The one just made."""
    return (i,)
