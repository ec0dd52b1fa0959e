"""The limits of what visitors may run."""

import pytest

from bolt_core.common.devices import thinking_time
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.runs import duration_estimate, limits

MODEL = ClockConfig("model")


def run(algorithm="random", benchmark="eggholder", **rest):
    return RunConfig(algorithm, benchmark, **{"clock": MODEL, "horizon": 10.0, **rest})


def test_a_race_at_the_limits_exceeds_none():
    assert limits.exceeded([run(seed=seed) for seed in range(limits.MAX_SEEDS)]) == []
    assert limits.exceeded_by_visitor(1, 1) == []


def test_each_limit_is_named_with_the_value_that_exceeds_it():
    (seeds,) = limits.exceeded([run(seed=seed) for seed in range(11)])
    assert "11 seeds" in seeds
    (lanes,) = limits.exceeded([run("bolt", params={"alpha": 0.1 + i / 99}) for i in range(13)])
    assert "13 lanes" in lanes
    (races,) = limits.exceeded_by_visitor(1, 2)
    assert "1 live race" in races
    assert "2 waiting" in races


def test_a_race_that_would_compute_for_hours_is_named():
    fast = ClockConfig("model", device=(1e-4, 0.0, 0.0, 0.0))
    (clause,) = limits.exceeded([run("gpucb", "powell", clock=fast, horizon=None)])
    assert "30 min" in clause


@pytest.mark.parametrize(
    ("configs", "value"),
    [
        ([], "at least one"),
        ([run(options={"path": "/dev/zero"})], "path=/dev/zero"),
        ([run(clock=ClockConfig("wall"))], "wall"),
        ([run(), run(benchmark="powell")], "one benchmark"),
    ],
)
def test_what_no_live_race_may_do_is_refused_whoever_asks(configs, value):
    with pytest.raises(ConfigError, match=value):
        limits.check_live(configs)


def test_no_race_within_the_limits_reaches_two_thousand_observations():
    """So that no pass of a visitor holds up other races for a second (docs/limits.md)."""
    seconds = [thinking_time(duration_estimate.EXACT_ENGINE, n) for n in range(2000)]

    assert sum(seconds) > limits.MAX_CPU_SECONDS
