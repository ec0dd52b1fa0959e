"""Every chart of the Arena is valid, whatever a race looks like."""

import math
from functools import cache
from itertools import product

import pytest

from bolt_core.figures.arena.distance_to_optimum import distance_chart
from bolt_core.figures.arena.landscape import landscape_now
from bolt_core.figures.arena.leaderboard import leaderboard
from bolt_core.figures.arena.metronome import metronome
from bolt_core.figures.arena.regret_and_size import dataset_size, regret_curve
from bolt_core.figures.arena.response_against_regret import response_against_regret
from tests.support.charts import valid_chart
from tests.support.runs import make_run

BUILDERS = {
    f"{stat}, {scale}, {x}": lambda runs, how=(x, stat, scale): regret_curve(runs, *how)
    for stat, scale, x in product(
        ("average", "instant", "cumulative"), ("linear", "log"), ("seconds", "iterations")
    )
} | {
    "response": response_against_regret,
    "metronome": metronome,
    "leaderboard": leaderboard,
    "landscape": landscape_now,
    "distance": distance_chart,
    "size": dataset_size,
}
each = pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)


@cache
def two_runs(n):
    """Two runs of n passes, made once for all charts: ten thousand passes take a while."""
    return make_run(n), make_run(n, algorithm="bolt", n_star=9)


@each
@pytest.mark.parametrize("n", [0, 1, 2, 15, 16, 17, 10_000])
def test_any_number_of_passes_makes_a_valid_chart(build, n):
    valid_chart(build(list(two_runs(n))))


@each
def test_a_race_without_runs_makes_a_sentence(build):
    assert valid_chart(build([]))["kind"] == "text"


@each
def test_nan_regrets_and_failed_runs_make_a_valid_chart(build):
    lost = [lambda i: math.nan, lambda i: math.nan if i == 30 else 1.0, lambda i: 0.0]
    runs = [
        make_run(40, algorithm=a, regret=r)
        for a, r in zip(("abo", "bolt", "w-dbo"), lost, strict=True)
    ]

    valid_chart(
        build(
            [*runs, make_run(20, error="it broke\nat length"), make_run(0, error="at once", seed=1)]
        )
    )


@each
def test_three_seeds_make_a_valid_chart(build):
    valid_chart(build([make_run(40, seed=seed, regret=1.0 + seed) for seed in range(3)]))
