"""A race as it was at an earlier time."""

from dataclasses import replace

import numpy as np
import pytest

from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import View
from bolt_core.common.types import RunStatus, SpeedChange
from bolt_core.live.conductor import Conductor
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store.library import Library
from tests.support.live_races import HEAVY, ended, lane
from tests.support.runs import make_record, make_run


@pytest.fixture
def run():
    """Four passes of a second, the third after a wait of half a second; then it failed."""
    passes = [make_record(i, t=float(i)) for i in range(4)]
    waited = make_record(2, t=2.5, removed=(0,))
    object.__setattr__(waited, "waited", 0.5)
    return make_run(
        [*passes[:2], waited, passes[3]], status=RunStatus.FAILED, error="no surrogate today"
    )


@pytest.mark.parametrize(
    ("t", "length"), [(-1.0, 0), (0.0, 0), (0.99, 0), (1.0, 1), (2.99, 2), (3.0, 3), (3.5, 3)]
)
def test_passes_that_were_over_by_then_are_there(run, t, length):
    then = run.at(t)

    assert len(then) == length == np.sum(run.columns.ends() <= t)
    assert list(then.records) == list(run.records)[:length]
    assert (then.status, then.error) == (RunStatus.RUNNING, None)
    assert then.members() == run.members(upto=length - 1)
    assert then.sizes().tolist() == run.sizes()[:length].tolist()


def test_at_its_end_a_run_is_what_it_is(run):
    assert run.at(4.0) is run
    assert run.upto(4) is run
    assert run.at(4.0).error == "no surrogate today"


def test_nothing_is_copied(run):
    assert np.shares_memory(run.at(2.0).columns["t"], run.columns["t"])


def test_what_was_told_out_of_order_is_there_in_the_order_of_the_record():
    """The Python API takes any times; a record is replayed from its first line on."""
    run = make_run([make_record(i, t=t, seconds=0.0) for i, t in enumerate((0.0, 5.0, 2.0, 6.0))])

    assert [len(run.at(t)) for t in (0.0, 2.0, 4.9, 5.0, 6.0)] == [1, 1, 1, 3, 4]


def test_a_pass_is_not_over_before_its_observation():
    """The last one of the Python API: nobody has asked since, so its seconds are not known yet."""
    last = make_record(1, t=3.0, seconds=0.0)
    object.__setattr__(last, "waited", 2.0)
    run = make_run([make_record(0, t=0.0), last])

    assert run.columns.ends().tolist() == [1.0, 3.0]
    assert [len(run.at(t)) for t in (1.0, 2.9, 3.0)] == [1, 1, 2]


def test_changes_of_speed_show_once_they_have_happened(run):
    changes = (SpeedChange(1, 1.0, 2.0, 2.0), SpeedChange(3, 3.0, 0.5, 1.0))
    object.__setattr__(run, "speeds", changes)

    assert [len(run.at(t).speeds) for t in (0.5, 1.0, 2.9, 3.0, 9.0)] == [0, 1, 1, 2, 2]


def test_a_race_is_cut_run_by_run(run):
    short = run.upto(2)
    race = RaceSnapshot("a-race", RunStatus.FINISHED, (run, short), 2.0, 5.0, eta=3.0)
    then = race.at(1.5)

    assert [len(r) for r in then.runs] == [1, 1]
    assert (then.status, then.t, then.horizon, then.eta) == (RunStatus.RUNNING, 1.5, 5.0, None)
    assert then.version == 2
    assert race.at(3.5).runs[1] is short
    assert race.at(99.0) is race


def test_charts_of_all_lanes_show_the_time_that_all_have_reached(run):
    ahead, slow = replace(run, status=RunStatus.STOPPED, error=None), run.upto(2)
    race = RaceSnapshot("a-race", RunStatus.STOPPED, (slow, ahead), 2.0, 60.0)
    shown = race.together()

    assert [len(r) for r in race.at(3.0).runs] == [2, 3]  # of one run alone, all can be replayed
    assert [len(r) for r in shown.runs] == [2, 2]
    assert [r.moment for r in shown.runs] == [2.0, 2.0]
    assert [r.status for r in shown.runs] == [RunStatus.RUNNING, RunStatus.STOPPED]
    assert shown.together() is shown


def test_a_run_that_finished_keeps_its_last_pass_and_one_that_fails_later_has_not_failed(run):
    done = replace(run, status=RunStatus.FINISHED, header={"horizon": 3.5})
    race = RaceSnapshot("a-race", RunStatus.FINISHED, (done, run), 3.5, 3.5)
    finished, fails_later = race.together().runs

    assert len(finished) == 4  # its last pass ends at 4 s
    assert (len(fails_later), fails_later.status, fails_later.error) == (3, RunStatus.RUNNING, None)
    assert replace(race, t=4.0).together().runs[1].status == RunStatus.FAILED


def test_the_headline_of_a_replay_speaks_of_the_cursor():
    """Not of the slowest run's last pass, which may be long ago."""
    quick, slow = make_run(100), make_run(40, algorithm="bolt")
    race = RaceSnapshot("a-race", RunStatus.FINISHED, (quick, slow), 10.0, 10.0)
    told = [chart_registry.build("headline", race.at(t), View())["text"] for t in (3.0, 8.0)]

    assert [text.partition(" s ")[0] for text in told] == ["After 3", "After 8"]
    assert "after 8 s" in chart_registry.build("leaderboard", race.at(8.0), View())["alt"]


def test_a_stored_race_is_cut_like_the_live_one(tmp_path, trouble):
    conductor = Conductor(tmp_path)
    configs = [lane("thinker", horizon=6.0, clock=HEAVY), lane(horizon=6.0)]
    race = conductor.wait(conductor.start(configs), ended)
    conductor.shutdown()
    told = Library(tmp_path).open(race.race_id)

    assert race.t == told.t == 6.0
    for t in (0.0, 1.0, 3.3, 5.9):
        live, read = race.at(t), told.at(t)
        assert live.t == t
        assert [list(run.records) for run in live.runs] == [list(run.records) for run in read.runs]
        assert all((run.columns.ends() <= t).all() for run in live.runs)
