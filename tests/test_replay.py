"""A race as it was at an earlier time."""

import numpy as np
import pytest

from bolt_core.library import Library
from bolt_core.live import Conductor
from bolt_core.race import RaceSnapshot
from bolt_core.types import RunStatus, SpeedChange
from tests.helpers import record, snapshot
from tests.live_races import HEAVY, ended, lane


@pytest.fixture
def run():
    """Four passes of a second, the third after a wait of half a second; then it failed."""
    passes = [record(i, t=float(i)) for i in range(4)]
    waited = record(2, t=2.5, removed=(0,))
    object.__setattr__(waited, "waited", 0.5)
    return snapshot([*passes[:2], waited, passes[3]], RunStatus.FAILED, "no surrogate today")


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


def test_a_long_run_is_cut_with_a_few_looks(made):
    run, looked = made(3000), []

    class Counted:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            looked.append(other)
            return self.value < other

    assert run.columns.passes(Counted(150.0)) == np.sum(run.columns.ends() <= 150.0)
    assert len(looked) <= 12  # log2 of 3000


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
