"""Lanes: what belongs together, and what it is called."""

import pytest

from bolt_core.common import devices
from bolt_core.common.types import ClockConfig, EngineConfig
from bolt_core.live.race import Race
from bolt_core.runs.lane_names import lane_key, lane_names, short_lane_names
from tests.support.live_races import lane


def names(*configs):
    return list(lane_names(configs).values())


def test_seeds_share_a_lane_and_nothing_else_does():
    base = lane("bolt")
    others = [
        lane("gpucb"),
        lane("bolt", engine=EngineConfig("botorch")),
        lane("bolt", clock=ClockConfig("cpu", 15.0)),
        lane("bolt", params={"alpha": 0.5}),
    ]

    assert lane_key(base) == lane_key(lane("bolt", seed=7))
    assert len({lane_key(config) for config in [base, *others]}) == 5


def test_one_lane_an_algorithm_goes_by_its_label():
    assert names(lane("bolt"), lane("w-dbo"), lane("bolt", seed=1)) == ["BOLT", "W-DBO"]


SPEEDS = [ClockConfig("cpu", slowdown) for slowdown in (1.0, 15.0, 60.0)]
DEVICES = [
    ClockConfig("model"),
    ClockConfig("model", device=tuple(4.0 * c for c in devices.device("nominal"))),
    ClockConfig("model", device=tuple(0.5 * c for c in devices.device("paper"))),
    ClockConfig("model", device=(0.1, 0.0, 0.0, 0.0)),
]


@pytest.mark.parametrize(
    ("configs", "expected"),
    [
        (
            [lane("bolt"), lane("gpucb"), lane("bolt", engine=EngineConfig("botorch"))],
            ["BOLT, exact engine", "GPUCB", "BOLT, botorch engine"],
        ),
        (
            [lane("bolt", clock=clock) for clock in SPEEDS],
            ["BOLT, this machine", "BOLT, device 15× slower", "BOLT, device 60× slower"],
        ),
        (
            [lane("bolt", clock=clock) for clock in DEVICES],
            [
                "BOLT, nominal device",
                "BOLT, nominal device 4× slower",
                "BOLT, paper device 2× faster",
                "BOLT, device 0.1,0,0,0",
            ],
        ),
        ([lane("bolt", clock=clock) for clock in DEVICES[:2]], ["BOLT", "BOLT, 4× slower"]),
        (
            [lane("w-dbo"), lane("w-dbo", params={"alpha": 0.5})],
            ["W-DBO, alpha=0.25", "W-DBO, alpha=0.5"],
        ),
        (
            [lane("bolt"), lane("bolt", engine=EngineConfig("botorch", "ei"))],
            ["BOLT, exact engine, ucb acquisition", "BOLT, botorch engine, ei acquisition"],
        ),
        ([lane("gone"), lane("gone", params={"k": 2})], ["gone", "gone, k=2"]),
    ],
)
def test_lanes_of_one_algorithm_say_what_differs(configs, expected):
    assert names(*configs) == expected


@pytest.mark.parametrize(
    ("configs", "expected"),
    [
        ([lane("bolt"), lane("w-dbo")], ["BOLT", "W-DBO"]),
        ([lane("bolt", clock=clock) for clock in DEVICES[:2]], ["nominal device", "4× slower"]),
        (
            [lane("bolt", clock=clock) for clock in DEVICES[1:3]],  # of two devices: both are named
            ["nominal device 4× slower", "paper device 2× faster"],
        ),
        (
            [lane(key, clock=clock) for key in ("bolt", "bolt-keep") for clock in DEVICES[:2]],
            ["BOLT", "BOLT, 4× slower", "keeps all", "keeps all, 4× slower"],
        ),
        (
            [lane("w-dbo"), lane("w-dbo", clock=DEVICES[1], params={"alpha": 0.5})],
            ["alpha=0.25", "4× slower, alpha=0.5"],
        ),
        ([lane("bolt")], ["nominal device"]),
    ],
)
def test_short_names_leave_out_what_all_lanes_share(configs, expected):
    assert short_lane_names(configs) == expected


def test_a_race_numbers_its_lanes_and_its_places(tmp_path):
    configs = [lane("bolt"), lane("gpucb"), lane("bolt", seed=1)]
    runs = Race(configs, tmp_path).snapshot().runs

    assert [run.header["lane"] for run in runs] == [0, 1, 0]
    assert [run.header["place"] for run in runs] == [0, 1, 2]
    assert list(lane_names(runs).values()) == ["BOLT", "GPUCB"]
