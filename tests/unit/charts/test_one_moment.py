"""Headline, leaderboard, curves, landscape and player show one moment of a race."""

import re
from dataclasses import replace

import numpy as np
import pytest

from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import View
from bolt_core.charts.overlay import overlay_races
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store.library import Library
from tests.support import made_race
from tests.support.runs import make_record, make_run

SEED = 20261117
WAIT_SECONDS = 20.0


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    home = tmp_path_factory.mktemp("moments")
    made_race.write(home)
    return Library(home).open(made_race.RACE_ID)


def waiting_run(count):
    """A run like ABO's: from its 15th query on it waits before each query."""
    records, now = [], 0.0
    for i in range(count):
        waited = WAIT_SECONDS if i >= 15 else 0.0
        record = make_record(i, t=now + waited, seconds=waited + 0.1)
        object.__setattr__(record, "waited", waited)
        records.append(record)
        now += waited + 0.1
    return make_run(records, algorithm="abo")


def drawn(name, race):
    return chart_registry.build(name, race, View())


def check_one_moment(race, longest_pass):
    """The time in the headline, the ends of the curves, the queries counted, the player."""
    t = race.t
    headline = drawn("headline", race)["text"]
    board = drawn("leaderboard", race)
    regret, size = drawn("regret", race), drawn("size", race)
    queries = [column["name"] for column in board["columns"]].index("Queries")
    made = {row["key"]: int(row["cells"][queries].replace(",", "")) for row in board["rows"]}
    if said := re.match(r"After (\d+) s ", headline):
        assert int(said[1]) == pytest.approx(t, abs=0.5)
        assert f"after {said[1]} s" in board["alt"]
    for run in race.runs:
        assert made[run.config.algorithm] == run.columns.completed_passes(t + 1e-9)
    for chart in (regret, size):
        for trace in chart.get("data", ()):
            if trace["mode"] == "lines" and trace["x"] and "n*" not in trace["name"]:
                assert trace["x"][-1] == pytest.approx(t, rel=1e-5)
    ticks = [tick for row in drawn("metronome", race).get("rows", ()) for tick in row["ticks"]]
    assert max(ticks, default=0.0) <= t
    shown = re.search(r"at ([0-9.]+) s", drawn("landscape", race).get("alt") or "")
    if shown:
        assert t - longest_pass <= float(shown[1]) <= t + 0.05


def test_fifty_moments_of_a_replay(stored):
    longest = max(float(run.columns["seconds"].max()) for run in stored.runs)
    for t in np.random.default_rng(SEED).uniform(0.0, made_race.HORIZON, 50):
        check_one_moment(stored.at(float(t)), longest)


def test_fifty_moments_of_a_live_race_with_lanes_ahead_and_a_lane_that_waits():
    generator = np.random.default_rng(SEED)
    bolt, gpucb, abo = make_run(3000, algorithm="bolt"), make_run(3000), waiting_run(25)
    for _ in range(50):
        t = float(generator.uniform(2.0, 200.0))
        ahead = t + generator.uniform(0.0, 30.0)
        passed = abo.at(t)  # its next pass has begun, so it waits now
        runs = bolt.at(ahead), gpucb.at(t + 0.05), passed
        check_one_moment(RaceSnapshot("r", RunStatus.RUNNING, runs, t, 600.0), WAIT_SECONDS)


def test_a_lane_that_waits_is_drawn_to_the_moment_and_has_no_response_time_in_words():
    abo = waiting_run(20)
    race = RaceSnapshot("r", RunStatus.RUNNING, (abo,), abo.end + 15.0, 600.0)
    headline = drawn("headline", race)["text"]

    assert drawn("size", race)["data"][0]["x"][-1] == pytest.approx(race.t, rel=1e-5)
    assert "waits" in headline
    assert "response time" not in headline
    assert "response times are" not in drawn("metronome", race)["caption"]


def test_a_winner_on_one_seed_won_this_run():
    runs = [make_run(60, algorithm=key, seed=s) for key in ("bolt", "abo") for s in (0, 1, 2)]
    one = RaceSnapshot("r", RunStatus.RUNNING, (runs[0], runs[3]), 6.0, 60.0)
    three = RaceSnapshot("r", RunStatus.RUNNING, tuple(runs), 6.0, 60.0)

    assert "in this run" in drawn("headline", one)["text"]
    assert "in this run" not in drawn("headline", three)["text"]
    assert "3 seeds" in drawn("headline", three)["text"]


def test_compared_races_have_lanes_of_their_own_and_end_together():
    """Two runs of one seed are no two seeds, and the longer race is cut where the other ends."""

    def race(race_id, passes, horizon):
        run = make_run(passes, algorithm="bolt")
        run = replace(run, status=RunStatus.FINISHED, header={"horizon": horizon})
        return RaceSnapshot(race_id, RunStatus.FINISHED, (run,), horizon, horizon)

    both = overlay_races("a,b", [race("a", 100, 10.0), race("b", 300, 30.0)], ["mine", ""])
    board = drawn("leaderboard", both)

    assert [row["cells"][1] for row in board["rows"]] == ["BOLT, mine", "BOLT, race 2"]
    assert {row["cells"][-1] for row in board["rows"]} == {"100"}
    assert "seeds" not in board["caption"]
    assert both.t == 10.0
    check = [t for t in drawn("regret", both)["data"] if t["mode"] == "lines"]
    assert [trace["x"][-1] for trace in check] == pytest.approx([10.0, 10.0])
