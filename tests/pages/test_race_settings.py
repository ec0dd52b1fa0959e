"""What to race, as a link says it: read and written alike, clamped, the same luck for all lanes."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import KERNELS
from bolt_core.common import devices
from bolt_core.common.errors import BoltError
from bolt_core.common.types import ACQUISITIONS, ENGINES, ClockConfig
from bolt_ui.race_settings import (
    CUTS,
    FAVOURITES,
    LARGEST_SEED,
    LONGEST_WARMUP,
    MOST_LANES,
    SEEDS,
    SLOWDOWN,
    SPEEDS,
    Choice,
    Lane,
    checked,
    expectation,
    slower,
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
    return Lane(key, draw(st.sampled_from([None, *ENGINES])), draw(st.floats(*SPEEDS)), params)


@settings(deadline=None)
@given(any_lane())
def test_a_lane_is_read_as_it_is_written(lane):
    assert Lane.parse(str(lane)) == lane


@settings(deadline=None)
@given(st.lists(any_lane(), max_size=5))
def test_lanes_in_a_link_are_read_in_their_order(lanes):
    choice, troubles = checked({"algos": [], "lanes": " | ".join(map(str, lanes))})

    assert choice.lanes == tuple(lanes)
    assert not troubles


def test_a_lane_is_written_with_no_more_than_it_needs():
    assert str(Lane("bolt")) == "bolt"
    assert str(Lane("bolt", "botorch", 4.0)) == "bolt;engine=botorch;speed=4"
    assert str(Lane.parse(" w-dbo ; alpha = 0.50 ;; ")) == "w-dbo;alpha=0.5"


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
        "bolt;speed=fast",
        "bolt;alpha=1",
        "w-dbo;alpha=nan",
        "w-dbo;alpha=11",
        "w-dbo;floor=2.5",
    ],
)
def test_a_lane_that_cannot_be_is_an_error_and_leaves_the_others(text):
    with pytest.raises(BoltError):
        Lane.parse(text)
    choice, troubles = checked({"algos": ["bolt"], "lanes": f"{text or ';'}|gpucb"})

    assert [lane.algorithm for lane in choice.lanes] == ["bolt", "gpucb"]
    assert len(troubles) == 1
    assert "left out" in troubles[0]


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS.split()), ANYTHING), SOME, SOME)
def test_whatever_arrives_becomes_a_race_that_can_be(state, algos, variants):
    choice, _ = checked({**state, "algos": algos, "variants": variants})

    assert choice.benchmark in benchmarks.catalog()
    assert len(choice.lanes) <= MOST_LANES
    assert 1 <= choice.seeds <= SEEDS
    assert 0 <= choice.seed <= LARGEST_SEED
    assert 1 <= choice.warmup <= LONGEST_WARMUP
    assert SPEEDS[0] <= choice.clock.slowdown <= SPEEDS[1]
    assert choice.clock.kind in ("cpu", "model")
    assert choice.cut in CUTS.values()
    assert choice.engine.name in ENGINES
    assert choice.engine.acquisition in ACQUISITIONS
    assert set(choice.options.values()) <= {*KERNELS, "1pct"}
    assert len(choice.configs()) == len(choice.lanes) * choice.seeds
    assert expectation(choice)


@pytest.mark.parametrize(
    ("name", "given", "field", "wanted"),
    [
        ("seeds", 999, "seeds", SEEDS),
        ("seeds", 0, "seeds", 1),
        ("seed", -5, "seed", 0),
        ("seed", 10**9, "seed", LARGEST_SEED),
        ("warmup", 0, "warmup", 1),
        ("warmup", 10**6, "warmup", LONGEST_WARMUP),
        ("cut", "7", "cut", 60.0),
        ("cut", "full", "cut", math.inf),
        ("bench", "EVIL", "benchmark", "eggholder"),
    ],
)
def test_what_is_too_much_is_clamped_and_what_is_unknown_is_the_usual(name, given, field, wanted):
    assert getattr(checked({name: given})[0], field) == wanted


def test_nothing_said_is_the_usual_race():
    choice, troubles = checked({})

    assert {lane.algorithm for lane in choice.lanes} == set(FAVOURITES)
    assert choice.clock == ClockConfig("cpu", SLOWDOWN, devices.device("nominal"))
    assert choice.horizon == 60.0
    assert not choice.options
    assert not troubles
    assert checked({"algos": None})[0].lanes == ()


def test_pills_come_in_the_order_of_the_registry_and_lanes_after_them():
    everything = list(algorithms.catalog())
    state = {"algos": everything[::-1], "variants": everything, "lanes": "abo;speed=2|abo;speed=3"}
    few = {**state, "algos": ["gpucb", "abo"], "variants": ["random"]}

    assert [lane.algorithm for lane in checked(state)[0].lanes] == everything[:MOST_LANES]
    assert [str(lane) for lane in checked(few)[0].lanes] == [
        "abo", "gpucb", "random", "abo;speed=2", "abo;speed=3",
    ]  # fmt: skip


def test_every_lane_has_the_same_seeds_and_differs_only_in_what_it_says():
    state = {
        "bench": "powell", "algos": ["bolt"], "lanes": "bolt;engine=botorch|w-dbo;speed=4;alpha=1",
        "seeds": 3, "seed": 5, "cut": "full", "warmup": 20, "acq": "logei", "kt": "rbf",
    }  # fmt: skip
    configs = checked(state)[0].configs()
    of = [configs[k : k + 3] for k in (0, 3, 6)]

    assert len(configs) == 9
    assert [[c.seed for c in lane] for lane in of] == [[5, 6, 7]] * 3
    assert [lane[0].engine.name for lane in of] == ["exact", "botorch", "exact"]
    assert [lane[0].clock.slowdown for lane in of] == [15.0, 15.0, 60.0]
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
    lane = checked({"clock": "model", "device": name, "algos": [], "lanes": "bolt;speed=4"})[0]

    assert slower(usual, 1.0) is usual
    assert slower(usual, 4.0).slowdown == 4.0
    # Each c_j times 4 is exact in floating point.
    assert lane.configs()[0].clock.device == tuple(4.0 * c for c in usual.device)


def test_a_horizon_is_never_beyond_the_benchmarks_own():
    own = benchmarks.get("temperature").row.horizon

    assert Choice("temperature", cut=math.inf).horizon == own
    assert Choice("temperature", cut=60.0).horizon == 60.0
    assert Choice("temperature", cut=10 * own).horizon == own


def test_the_expectation_adds_up_what_each_lane_takes():
    one = checked({"algos": ["bolt"]})[0]
    many = checked({"algos": ["bolt"], "seeds": 10, "cut": "full"})[0]
    slow = checked({"algos": ["bolt"], "lanes": "bolt;speed=0.1"})[0]

    # 60 s / 15 on the cpu and 60 / 0.05 queries of 1.5 ms beside: 5.8 s, told in steps of 5.
    assert expectation(one) == (
        "One run of 60 s on its own clock: about 10 s here if the machine is idle."
    )
    # Ten times 600 / 15 + 12 000 * 1.5 ms = 58 s.
    assert "10 runs, each of 600 s on its own clock: about 10 min" in expectation(many)
    # A device ten times as fast has ten times as much to compute: 5.8 + 41.8 s.
    assert "2 runs, each of 60 s on its own clock: about 50 s" in expectation(slow)


def test_the_expectation_promises_nothing_it_cannot_know():
    assert expectation(checked({"algos": []})[0]) == "Choose at least one algorithm."
    told = expectation(checked({"algos": ["bolt"], "clock": "model"})[0])
    assert told == "One run of 60 s on its own clock, as fast as this machine computes."
