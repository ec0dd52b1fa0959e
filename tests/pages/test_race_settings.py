"""The settings of a race: lanes and links are read as written, and invalid values are clamped."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import KERNELS
from bolt_core.common import devices
from bolt_core.common.errors import BoltError
from bolt_core.common.types import ACQUISITIONS, ENGINES, ClockConfig
from bolt_core.runs import duration_estimate, expected_duration, limits, machine_speed
from bolt_core.runs.machine_speed import MachineSpeed, SpeedMeter
from bolt_ui.race_settings import (
    DEFAULT_ALGORITHMS,
    DEFAULT_SLOWDOWN,
    HORIZON_SECONDS,
    MAX_LANES,
    MAX_SEED,
    MAX_SEEDS,
    MAX_WARMUP,
    SPEED_RANGE,
    Lane,
    expectation,
    query,
    read_settings,
    slower,
    widget_values,
)

PARAMS = {
    "w-dbo": {"alpha": st.floats(0.0, 10.0), "floor": st.integers(2, 10_000)},
    "sw-gpucb": {"window": st.integers(0, 100_000)},
    "w-gpucb": {"memory": st.floats(0.0, 1e12)},
    "et-gpucb": {"delta": st.floats(1e-6, 0.999)},
    "bolt": {},
    "random": {},
}
KEYS = "bench seeds seed cut clock slowdown device engine acq ks kt noise warmup"
WORDS = st.sampled_from(["", "EVIL", "nan", "powell", "model", "full", "botorch", "rbf", "1pct"])
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), WORDS, st.lists(WORDS, max_size=3)
)


RUNNERS = st.sampled_from(["bolt", "abo", "random", "bolt-oldest", "EVIL", ""])
SOME = st.none() | st.lists(RUNNERS, max_size=4)


@st.composite
def any_lane(draw):
    key = draw(st.sampled_from(sorted(PARAMS)))
    known = PARAMS[key]
    chosen = draw(st.sets(st.sampled_from(sorted(known)))) if known else ()
    params = {name: draw(known[name]) for name in sorted(chosen)}
    engine, ard = (
        draw(st.sampled_from([None, *ENGINES])),
        draw(st.sampled_from([None, True, False])),
    )
    return Lane(key, engine, draw(st.floats(*SPEED_RANGE)), params, ard)


@hypothesis_settings(deadline=None)
@given(any_lane())
def test_a_lane_is_parsed_as_it_is_written(lane):
    assert Lane.parse(str(lane)) == lane


@hypothesis_settings(deadline=None)
@given(st.lists(any_lane(), max_size=5))
def test_lanes_in_a_link_are_read_in_their_order(lanes):
    settings, problems = read_settings({"algos": [], "lanes": " | ".join(map(str, lanes))})

    assert settings.lanes == tuple(lanes)
    assert not problems


def test_a_lane_is_written_with_no_more_than_it_needs():
    untidy = " w-dbo ; alpha = 0.50 ;; "

    assert str(Lane("bolt")) == "bolt"
    assert str(Lane("bolt", "botorch", 4.0)) == "bolt;engine=botorch;speed=4"
    assert str(Lane.parse(untidy)) == "w-dbo;alpha=0.5"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "evil",
        "bolt;engine",
        "bolt;engine=gpy",
        "bolt;engine=1",
        "bolt;speed=0",
        "bolt;speed=1001",
        "bolt;speed=inf",
        "bolt;speed=nan",
        "bolt;speed=true",
        "bolt;ard=2",
        "bolt;speed=fast",
        "bolt;alpha=1",
        "w-dbo;alpha=nan",
        "w-dbo;alpha=11",
        "w-dbo;floor=2.5",
    ],
)
def test_an_invalid_lane_raises_and_is_left_out_of_a_race(text):
    with pytest.raises(BoltError):
        Lane.parse(text)
    settings, problems = read_settings({"algos": ["bolt"], "lanes": f"{text or ';'}|gpucb"})

    assert [lane.algorithm for lane in settings.lanes] == ["bolt", "gpucb"]
    assert len(problems) == 1
    assert "left out" in problems[0]


@hypothesis_settings(deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS.split()), ANYTHING), SOME, SOME)
def test_any_widget_state_becomes_a_valid_race(state, algos, variants):
    settings, _ = read_settings({**state, "algos": algos, "variants": variants})

    assert settings.common.benchmark in benchmarks.catalog()
    assert len(settings.lanes) <= MAX_LANES
    assert 1 <= settings.seeds <= MAX_SEEDS
    assert 0 <= settings.common.seed <= MAX_SEED
    assert 1 <= settings.common.warmup <= MAX_WARMUP
    assert SPEED_RANGE[0] <= settings.common.clock.slowdown <= SPEED_RANGE[1]
    assert settings.common.clock.kind in ("cpu", "model")
    longest = benchmarks.get(settings.common.benchmark).row.horizon
    assert settings.common.horizon in {min(cut, longest) for cut in HORIZON_SECONDS.values()}
    assert settings.common.engine.name in ENGINES
    assert settings.common.engine.acquisition in ACQUISITIONS
    assert set(settings.common.options.values()) <= {*KERNELS, "1pct"}
    assert len(settings.configs()) == len(settings.lanes) * settings.seeds
    assert expectation(settings.configs())


@pytest.mark.parametrize(("name", "given", "wanted"), [("seeds", 999, MAX_SEEDS), ("seeds", 0, 1)])
def test_the_number_of_seeds_is_clamped(name, given, wanted):
    assert read_settings({name: given})[0].seeds == wanted


@pytest.mark.parametrize(
    ("name", "given", "field", "wanted"),
    [
        ("seed", -5, "seed", 0),
        ("seed", 10**9, "seed", MAX_SEED),
        ("warmup", 0, "warmup", 1),
        ("warmup", 10**6, "warmup", MAX_WARMUP),
        ("cut", "7", "horizon", 120.0),
        ("cut", "full", "horizon", 600.0),
        ("bench", "EVIL", "benchmark", "eggholder"),
    ],
)
def test_values_out_of_range_are_clamped_and_unknown_ones_replaced(name, given, field, wanted):
    assert getattr(read_settings({name: given})[0].common, field) == wanted


def test_an_empty_state_is_the_default_race():
    settings, problems = read_settings({})

    assert {lane.algorithm for lane in settings.lanes} == set(DEFAULT_ALGORITHMS)
    assert settings.common.clock == ClockConfig(
        "model", DEFAULT_SLOWDOWN, devices.device("nominal")
    )
    assert settings.common.horizon == 120.0
    assert not settings.common.options
    assert not problems
    assert read_settings({"algos": None})[0].lanes == ()


def test_lengthscales_per_input_are_of_the_race_or_of_a_lane():
    state = {"algos": ["bolt"], "lanes": "bolt;ard=false", "ls": "per input"}
    configs = read_settings(state)[0].configs()
    again = read_settings(widget_values(configs))[0].configs()

    assert [c.engine.ard for c in configs] == [True, False]
    assert again == configs
    assert "ls=per+input" in query(configs)
    assert "ls=" not in query(configs[1:])
    assert widget_values(configs[1:])["ls"] == "one"


def test_pills_come_in_the_order_of_the_registry_and_lanes_after_them():
    everything = list(algorithms.catalog())
    state = {"algos": everything[::-1], "variants": everything, "lanes": "abo;speed=2|abo;speed=3"}
    few = {**state, "algos": ["gpucb", "abo"], "variants": ["random"]}

    assert [lane.algorithm for lane in read_settings(state)[0].lanes] == everything[:MAX_LANES]
    assert [str(lane) for lane in read_settings(few)[0].lanes] == [
        "abo", "gpucb", "random", "abo;speed=2", "abo;speed=3",
    ]  # fmt: skip


def test_lanes_share_seeds_and_differ_only_in_their_own_settings():
    state = {
        "bench": "powell", "algos": ["bolt"], "lanes": "bolt;engine=botorch|w-dbo;speed=4;alpha=1",
        "seeds": 3, "seed": 5, "cut": "full", "warmup": 20, "acq": "logei", "kt": "rbf",
    }  # fmt: skip
    configs = read_settings(state)[0].configs()
    of = [configs[k : k + 3] for k in (0, 3, 6)]

    assert len(configs) == 9
    assert [[c.seed for c in lane] for lane in of] == [[5, 6, 7]] * 3
    assert [lane[0].engine.name for lane in of] == ["exact", "botorch", "exact"]
    usual = DEFAULT_SLOWDOWN
    assert [lane[0].clock.slowdown for lane in of] == [usual, usual, 4.0 * usual]
    assert [dict(lane[0].params) for lane in of] == [{}, {}, {"alpha": 1}]
    for config in configs:
        assert config.benchmark == "powell"
        assert config.horizon == benchmarks.get("powell").row.horizon
        assert config.warmup == 20
        assert config.engine.acquisition == "logei"
        assert config.options == {"temporal_kernel": "rbf"}


@pytest.mark.parametrize("name", ["nominal", "paper"])
def test_a_slower_device_is_slower_on_either_clock(name):
    usual = ClockConfig("model", 1.0, devices.device(name))
    lane = read_settings({"clock": "model", "device": name, "algos": [], "lanes": "bolt;speed=4"})[
        0
    ]

    assert slower(usual, 1.0) is usual
    assert slower(usual, 4.0).slowdown == 4.0
    # Each c_j times 4 is exact in floating point.
    assert lane.configs()[0].clock.device == tuple(4.0 * c for c in usual.device)


def test_lanes_on_one_device_are_the_same_whatever_the_idle_slowdown_is():
    """The model clock has no slowdown: races that differ in it only are compared as they ran."""
    nominal = devices.device("nominal")
    slow = tuple(4.0 * c for c in nominal)
    clocks = [ClockConfig("model", s, d) for s, d in ((1.0, nominal), (15.0, nominal), (1.0, slow))]
    (common,) = read_settings({"algos": ["bolt"]})[0].configs()
    values = widget_values([replace(common, clock=clock) for clock in clocks])

    assert values["algos"] == ["bolt"]
    assert values["lanes"] == "bolt;speed=4"


def test_the_horizon_is_at_most_that_of_the_benchmark():
    own = benchmarks.get("temperature").row.horizon
    for cut, seconds in HORIZON_SECONDS.items():
        settings, _ = read_settings({"bench": "temperature", "cut": cut})

        assert settings.common.horizon == min(seconds, own)


def duration(settings, live_races=0):
    """Return the duration in the expectation of a race."""
    return re.search(r"Takes about ([^.]*)\.", expectation(settings.configs(), live_races)).group(1)


@pytest.fixture
def idle_reference(monkeypatch):
    """The reference machine with nothing else to do."""
    meter = SpeedMeter(lambda: MachineSpeed(1.0, 1.0), load=lambda: 0.0)
    meter.measure_now()
    monkeypatch.setattr(expected_duration, "METER", meter)
    monkeypatch.setattr(machine_speed, "load", lambda: 0.0)


@pytest.mark.usefixtures("idle_reference")
@pytest.mark.parametrize("clock", ["model", "cpu"])
def test_the_expectation_is_the_one_estimate_of_the_duration(clock):
    settings = read_settings({"algos": ["bolt", "gpucb"], "clock": clock})[0]
    estimate = sum(map(duration_estimate.cpu_seconds, settings.configs()))
    takes = expected_duration.expected(settings.configs())

    assert "2 algorithms" in expectation(settings.configs())
    assert duration(settings) == str(takes)
    assert takes.low < estimate < takes.high
    assert duration(settings, live_races=2) != duration(settings)


@pytest.mark.usefixtures("idle_reference")
def test_the_expectation_names_seeds_and_lanes():
    settings = {"algos": ["bolt"], "clock": "cpu", "cut": "60"}

    assert "10 seeds" in expectation(read_settings(settings | {"seeds": 10})[0].configs())
    lanes = read_settings(settings | {"lanes": "bolt;speed=0.1"})[0]
    assert "2 lanes" in expectation(lanes.configs())


def test_a_race_beyond_the_limit_says_so_with_the_number_of_the_limit():
    many = {"algos": ["gpucb", "abo"], "bench": "powell", "cut": "full", "seeds": 10}
    configs = read_settings(many | {"lanes": "gpucb;speed=0.01"})[0].configs()
    (clause,) = limits.exceeded_cpu(configs)

    assert clause[1:] in expectation(configs)


def test_without_an_algorithm_there_is_nothing_to_expect():
    assert "at least one" in expectation(read_settings({"algos": []})[0].configs())
