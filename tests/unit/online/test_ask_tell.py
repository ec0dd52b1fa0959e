"""Passes driven by a caller: what is a pass, what is recorded, what time is."""

from datetime import UTC, datetime

import numpy as np
import pytest

from bolt_core import Bolt, make
from bolt_core.common.errors import ConfigError, RecordError
from tests.support.own_problem import BOUNDS, drive, f
from tests.support.wording import in_order


def test_asking_twice_is_no_pass_and_no_response_time():
    opt = Bolt(BOUNDS, warmup=3)
    drive(opt, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0])
    opt.ask(60.0)
    before = opt.response_time, opt.to_frame()["seconds"].tolist()
    opt.ask(60.0)
    opt.ask(61.0)

    assert (opt.response_time, opt.to_frame()["seconds"].tolist()) == before


def test_a_pause_is_no_response_time_and_a_slower_pace_is_one():
    opt = Bolt(BOUNDS, warmup=3)
    days = [86_400.0 * day + 60.0 * np.arange(12.0) for day in range(3)]
    drive(opt, np.concatenate(days))
    told = opt.to_frame()["seconds"].to_numpy()
    assert np.all(told[3:-1] == 60.0)  # two nights among them
    assert opt.response_time.constant

    slower = 86_400.0 * 3 + 600.0 * np.arange(20.0)
    drive(opt, slower)
    told = opt.to_frame()["seconds"].to_numpy()
    assert np.all(told[-8:-1] == 600.0)


def test_a_question_does_not_settle_what_time_is():
    opt = Bolt(BOUNDS)
    with pytest.raises(ConfigError, match="nothing is learned yet"):
        opt.scores()

    assert opt.ask(60.0).shape == (2,)


def test_two_resets_among_data_told_at_once_are_both_in_the_record():
    rng = np.random.default_rng(0)
    opt = make("et-gpucb", BOUNDS, warmup=10)
    drive(opt, np.arange(20.0))
    places = rng.uniform([0, -1], [5, 1], (20, 2))
    jumps = np.repeat([0.0, 1e4, -1e4, 1e4], 5)
    opt.tell_all(places, 20.0 + np.arange(20.0), jumps)

    assert opt.snapshot().members() == [o.i for o in opt.dataset]


@pytest.mark.parametrize("key", ["sw-gpucb", "r-gpucb", "w-gpucb"])
def test_drift_is_learned_over_all_the_time_that_is_known(key):
    rng = np.random.default_rng(1)
    opt = make(key, BOUNDS)
    places, times = rng.uniform([0, -1], [5, 1], (80, 2)), np.sort(rng.uniform(-7200.0, 0.0, 80))
    opt.tell_all(places, times, [f(x, t / 100.0) for x, t in zip(places, times, strict=True)])
    opt.ask(1.0)
    opt.tell([1.0, 0.0], 1.0, 0.0)

    drift = opt._inner.optimizer._policy.drift
    assert drift.gap == pytest.approx(7200.0 / 80, rel=1.0)
    assert drift._inference.theta.lengthscale_time > 60.0  # the bound of a run that has just begun


def test_questions_without_a_time_are_about_the_newest_time_known():
    opt = Bolt(BOUNDS)
    drive(opt, np.arange(20.0))

    assert opt.scores().tolist() == opt.scores(19.0).tolist()
    assert opt.posterior([1.0, 0.0]) == opt.posterior([1.0, 0.0], 19.0)


def test_who_tells_time_in_datetimes_is_answered_in_datetimes():
    opt, noon = Bolt(BOUNDS), datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
    x = opt.ask(noon)
    opt.tell(x, opt.at, 1.0)

    assert opt.at == noon
    assert in_order(repr(opt), "<bolt", "'your problem'", "d = 2", " 1 observations>")


def test_a_folder_is_no_file_to_save_to(tmp_path):
    with pytest.raises(RecordError, match="it is a folder"):
        Bolt(BOUNDS).save(tmp_path)

    assert list(tmp_path.parent.glob(".*.part")) == []
