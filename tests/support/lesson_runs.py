"""Races of a lesson, whose runs do what the test chooses."""

from bolt_core.common.types import RunStatus
from tests.support.page_kit import race
from tests.support.runs import WARMUP_PASSES, make_run


def lesson_run(config, queries, *, beat=0.5, removed=None, status=RunStatus.FINISHED, **values):
    """Return a run of so many queries, one every `beat` seconds; pass i removes `removed(i)`."""
    columns = {"n_star": None, "regret": 1.0, "y": 1.0, "x": (0.5, 0.5), "best_x": (0.5, 0.5)}
    return make_run(
        queries, config=config, status=status, seconds=beat, n=lambda i: i, run_id=config.key,
        removed=lambda i: removed(i) if removed and i >= WARMUP_PASSES else (),
        header={"horizon": 180.0, "dimension": 2}, **(columns | values),
    )  # fmt: skip


def lesson_race(lesson, *outcomes, status=RunStatus.FINISHED, **rest):
    """Return the race of a lesson, with one outcome (arguments of `lesson_run`) per run."""
    runs = [
        lesson_run(config, status=status, **outcome)
        for config, outcome in zip(lesson.configs(), outcomes, strict=True)
    ]
    return race(*runs, status=status, **({"t": 180.0, "horizon": 180.0} | rest))


def oldest_first(i):
    """Return the oldest of all that are left, one per pass."""
    return (i - WARMUP_PASSES,)


def youngest_first(i):
    """Return the observation that was just made."""
    return (i,)
