"""Lanes: seeds belong together, everything else sets runs apart and shows in the name."""

from dataclasses import replace

import pytest

from bolt_core.figures.lanes import lanes
from bolt_core.lanes import lane_key, lane_names, lane_of
from bolt_core.types import ClockConfig, EngineConfig, RunConfig

PLAIN = RunConfig("bolt", "eggholder", clock=ClockConfig("cpu", 15.0))
OTHERS = {
    "exact engine | botorch engine": {"engine": EngineConfig("botorch")},
    "ucb acquisition | ei acquisition": {"engine": EngineConfig(acquisition="ei")},
    "15x slower device | 60x slower device": {"clock": ClockConfig("cpu", 60.0)},
    "15x slower device | this device": {"clock": ClockConfig("cpu", 1.0)},
    "default alpha | alpha=0.5": {"params": {"alpha": 0.5}},
    "full horizon | cut at 60 s": {"horizon": 60.0},
    "15 warm-up queries | 20 warm-up queries": {"warmup": 20},
    "eggholder | powell": {"benchmark": "powell"},
    "default noise | noise=1pct": {"options": {"noise": "1pct"}},
}


def test_seeds_are_one_lane_named_by_its_algorithm():
    seeds = [replace(PLAIN, seed=seed) for seed in range(3)]

    assert list(lane_names(seeds).values()) == ["BOLT"]
    assert len({lane_key(config) for config in seeds}) == 1


@pytest.mark.parametrize("words", OTHERS)
def test_what_differs_makes_two_lanes_and_names_both(words):
    other = replace(PLAIN, **OTHERS[words])
    first, second = words.split(" | ")

    assert list(lane_names([PLAIN, other]).values()) == [f"BOLT ({first})", f"BOLT ({second})"]
    assert lane_key(PLAIN) != lane_key(other)
    assert lane_of(PLAIN) != lane_of(other)


def test_other_algorithms_do_not_lengthen_a_name():
    slower = replace(PLAIN, algorithm="gpucb", clock=ClockConfig("cpu", 60.0))

    assert list(lane_names([PLAIN, slower]).values()) == ["BOLT", "GPUCB"]


def test_clocks_and_devices_are_told_apart():
    modelled = [replace(PLAIN, clock=ClockConfig("model", 1.0, (0, c, 0, 0))) for c in (1e-3, 0.25)]
    names = list(lane_names([PLAIN, *modelled]).values())

    assert names[1:] == [f"BOLT (model clock, device 0 {c} 0 0)" for c in (0.001, 0.25)]


def test_an_algorithm_that_is_not_installed_goes_by_its_key():
    assert list(lane_names([replace(PLAIN, algorithm="mine")]).values()) == ["mine"]


def test_two_lanes_of_one_algorithm_share_its_colour_and_differ_in_their_dash(made):
    one = made(20)
    two = replace(one, config=replace(one.config, engine=EngineConfig("botorch")))
    first, second = lanes([one, two, replace(one, config=replace(one.config, seed=4))])

    assert (len(first.runs), len(second.runs)) == (2, 1)
    assert first.ink.light == second.ink.light
    assert first.ink.dash != second.ink.dash
    assert first.label == "Random (exact engine)"
