"""The loop: Algorithm 1 for any optimizer, benchmark and clock."""

from itertools import islice

from bolt_core.loop import iterate, prepare
from bolt_core.types import ClockConfig, RunConfig

MODEL = ClockConfig("model")


def first(n, **changes):
    config = RunConfig(
        **{"algorithm": "random", "benchmark": "eggholder", "clock": MODEL, **changes}
    )
    return list(islice(iterate(prepare(config)), n))


def test_one_seed_gives_one_run():
    assert first(300, seed=7) == first(300, seed=7)


def test_another_seed_gives_another():
    assert first(30, seed=7) != first(30, seed=8)
