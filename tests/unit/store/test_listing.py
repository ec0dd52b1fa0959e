"""One row a race."""

from dataclasses import replace
from pathlib import Path

import pytest

from bolt_core.common.types import ClockConfig, RunStatus
from bolt_core.store.library import StoredRace
from bolt_core.store.listing import age, listing, matching
from bolt_core.store.record_files import RecordFile
from tests.support.runs import make_config


def filed(algorithm="bolt", seed=0, *, status=RunStatus.FINISHED, size=2_000_000, **summary):
    usual = {"iterations": 100, "n": 30, "n_star": None, "regret": 1.0, "spark": [2.0, 1.0]}
    return RecordFile(
        Path("x.jsonl"), f"{algorithm}{seed}", "r", 0,
        make_config(algorithm=algorithm, seed=seed, clock=ClockConfig("cpu", 15.0)),
        status, {"label": "Mine"}, usual | summary, size, 1000.0,
    )  # fmt: skip


def row(*runs, name="", tags=(), live=None):
    race = StoredRace("r", runs, name, tags)
    return listing([race], {"r": live} if live else {}, now=1120.0)[0]


def test_the_best_is_the_lowest_mean_over_seeds():
    listed = row(
        filed("bolt", 0, regret=3.0),
        filed("bolt", 1, regret=1.0, n=40),
        filed("gpucb", 0, regret=2.5),
    )

    assert (listed.best, listed.regret, listed.n) == ("BOLT", 2.0, 35.0)
    assert (listed.seeds, listed.steps, listed.megabytes) == ("0\N{EN DASH}1", 300, 6.0)
    assert listed.clock == "CPU time, slowed 15\N{MULTIPLICATION SIGN}"
    assert listed.age == "2 min"


def test_the_share_of_corners_is_that_of_the_winner():
    winner = filed("bolt", 0, regret=1.0, corner_share=0.2), filed("bolt", 1, corner_share=0.4)
    other = filed("gpucb", regret=2.0, corner_share=0.9)

    assert row(*winner, other).corner_share == pytest.approx(0.3)
    assert row(filed("bolt")).corner_share is None  # a record of an earlier version


def test_a_baseline_wins_only_among_baselines():
    random, hold = filed("random", regret=0.1), filed("hold", regret=0.2)

    assert row(random, hold, filed("gpucb", regret=5.0)).best == "GPUCB"
    assert row(random, hold).best == "Random"


def test_lanes_that_read_the_same_share_the_win():
    listed = row(filed("bolt", regret=2.5041), filed("gpucb", regret=2.5039))

    assert (listed.best, listed.regret) == ("BOLT and GPUCB", 2.5039)


def test_a_failed_run_wins_nothing():
    listed = row(filed("bolt", regret=0.1, status=RunStatus.FAILED), filed("gpucb", regret=5.0))

    assert (listed.best, listed.regret) == ("GPUCB", 5.0)


def test_without_a_summary_the_numbers_are_unknown():
    listed = row(filed(regret=None, n=None, spark=[], iterations=0))

    assert (listed.best, listed.regret, listed.n, listed.steps) == (None, None, None, 0)


def test_a_live_race_has_its_live_status():
    assert row(filed(status=RunStatus.INTERRUPTED), live=RunStatus.RUNNING).status == "running"


def test_a_race_without_a_name_is_known_by_its_start():
    run = replace(filed(), header={"started": "2026-11-16T05:36:10+00:00"})

    assert row(run).name == "16 Nov 2026, 05:36 UTC"
    assert row(run, name="mine").name == "mine"
    assert row(replace(run, header={"started": 3, "run_id": "x"})).name == "x"


def test_many_algorithms_are_counted():
    keys = ("bolt", "gpucb", "w-dbo", "abo", "r-gpucb", "tv-gpucb")

    assert row(*(filed(k) for k in keys)).algorithms.endswith("ABO and 2 more")


@pytest.mark.parametrize(
    ("words", "matches"),
    [
        ("", 1),
        ("egg bolt", 1),
        ("lecture", 1),
        ("cpu 15", 1),
        ("wlan", 0),
        ("slow", 1),
        ("bolt abo", 0),
    ],
)
def test_every_word_must_stand_somewhere(words, matches):
    rows = [row(filed(), name="Lecture 3", tags=("slow",))]

    assert len(matching(rows, words)) == matches


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (-3, "0 s"),
        (59, "59 s"),
        (61, "1 min"),
        (7200, "2 h"),
        (86_400 * 3, "3 d"),
        (86_400 * 30, "4 weeks"),
        (86_400 * 800, "2 years"),
    ],
)
def test_an_age_has_one_unit(seconds, expected):
    assert age(seconds) == expected
