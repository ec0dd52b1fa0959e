"""Taking back what was told, and ranges that change while an optimizer runs."""

import numpy as np
import pytest

from bolt_core import Bolt, Integer, Real, make
from bolt_core.common.errors import BoltError, ConfigError
from tests.support.own_problem import BOUNDS, drive
from tests.support.plant import KNOBS, drive_plant
from tools.settable_asks import step_errors

SMALL = {"feed": Real(0, 8, max_step=2), "rate": Real(1e-3, 1.0, scale="log"), "n": Integer(1, 6)}


def small_yield(setting, t):
    return -((setting["feed"] - 3.0) ** 2) - np.log10(setting["rate"]) ** 2 - setting["n"]


def drive_small(opt, times):
    for t in times:
        setting = opt.ask(t)
        opt.tell(setting, None, small_yield(setting, t))


@pytest.mark.parametrize("problem", [KNOBS, BOUNDS])
def test_undone_and_told_again_it_goes_on_as_if_nothing_had_happened(problem):
    plain, corrected = Bolt(problem, warmup=5), Bolt(problem, warmup=5)
    for t in np.arange(0.0, 900.0, 60.0):
        x = plain.ask(t)
        other = corrected.ask(t)
        plain.tell(x, t, 1.0 + t)
        corrected.tell(other, t, -99.0)
        corrected.undo()
        corrected.tell(other, t, 1.0 + t)

    assert plain.log().equals(corrected.log())
    assert str(plain.ask(1000.0)) == str(corrected.ask(1000.0))
    assert plain.n_star == corrected.n_star


def test_several_tells_are_taken_back_one_after_another_with_later_asks():
    opt = Bolt(KNOBS, warmup=5)
    asked = [setting for setting, _ in drive_plant(opt, range(30))]
    opt.ask(30 * 60.0)
    for _ in range(3):
        opt.undo()

    assert len(opt.log()) == 28
    assert [(ask.id, ask.setting) for ask in opt.pending] == [(28, asked[27])]
    opt.tell(asked[27], None, 1.0)
    for _ in range(18):  # 20 states in all, of which three were used and one was added
        opt.undo()
    with pytest.raises(ConfigError, match="no tell to take back"):
        opt.undo()
    assert len(opt.log()[lambda log: ~log["pending"]]) == 10


def test_data_told_at_once_are_taken_back_at_once():
    opt = Bolt(KNOBS)
    setting = {"feed": 3.0, "rate": 1e-2, "stages": 3, "catalyst": "B"}
    opt.tell(setting, 0.0, 1.0)
    opt.tell_all([setting] * 5, [1.0, 2.0, 3.0, 4.0, 5.0], [1.0] * 5)
    opt.undo()

    assert len(opt.log()) == 1


@pytest.mark.parametrize("ard", [False, True])
def test_a_changed_range_keeps_the_data_and_what_they_say(ard):
    opt = Bolt(SMALL, warmup=8, ard=ard)
    drive_small(opt, np.arange(0.0, 1500.0, 60.0))
    before = opt.log()
    settings = [{"feed": f, "rate": r, "n": 3} for f in (0.5, 3.0, 5.5) for r in (0.01, 0.3)]
    mean, sd = opt.posterior(settings)
    for change in ({"high": 6}, {"low": -1, "max_step": 0.5}):
        opt.change("feed", **change)
    opt.change("rate", low=1e-2)
    opt.change("n", high=4)

    log = opt.log()
    np.testing.assert_allclose(log["feed"], before["feed"], rtol=1e-12)
    np.testing.assert_allclose(log["rate"], before["rate"], rtol=1e-12)
    assert log["n"].tolist() == before["n"].tolist()
    assert len(opt.dataset) == 25
    if ard:  # one lengthscale for all knobs cannot keep its meaning
        np.testing.assert_allclose(opt.posterior(settings)[0], mean, rtol=1e-6)
        np.testing.assert_allclose(opt.posterior(settings)[1], sd, rtol=1e-6)
    knobs = {
        "feed": Real(-1, 6, max_step=0.5),
        "rate": Real(1e-2, 1.0, scale="log"),
        "n": Integer(1, 4),
    }
    opt.tell({"feed": 3.0, "rate": 0.1, "n": 2}, 1500.0, 1.0)
    asked = []
    for t in np.arange(1560.0, 2000.0, 60.0):
        asked.append(opt.ask(t))
        opt.tell(asked[-1], None, small_yield(asked[-1], t))
    assert step_errors(asked, knobs) == []


def test_a_unit_or_a_step_changes_nothing_else():
    opt, same = Bolt(SMALL, warmup=5), Bolt(SMALL, warmup=5)
    for one in (opt, same):
        drive_small(one, np.arange(0.0, 600.0, 60.0))
    opt.change("feed", unit="l/h", max_step=2.0)

    assert opt.ask(600.0) == same.ask(600.0)
    opt.undo()
    assert opt.spec.knobs["feed"].unit == "l/h"


@pytest.mark.parametrize(
    ("knob", "changes", "words"),
    [
        ("fed", {"high": 6}, "unknown knob 'fed'; did you mean 'feed'"),
        ("feed", {}, "say what to change of knob 'feed'"),
        ("feed", {"hihg": 6}, "did you mean 'high'"),
        ("feed", {"scale": "log"}, "change of knob 'feed' 'scale'"),
        ("feed", {"high": -6}, "knob 'feed' needs low < high"),
        ("catalyst", {"values": ["A"]}, "values of knob 'catalyst' cannot be changed"),
    ],
)
def test_a_change_that_cannot_be_is_refused_with_the_knob(knob, changes, words):
    opt = Bolt(KNOBS)
    with pytest.raises(BoltError, match=words):
        opt.change(knob, **changes)

    assert opt.spec.knobs == Bolt(KNOBS).spec.knobs


def test_algorithms_with_positions_of_their_own_and_plain_bounds_do_not_change():
    opt = make("sw-gpucb", SMALL, warmup=5)
    drive_small(opt, np.arange(0.0, 480.0, 60.0))
    log = opt.log()
    with pytest.raises(ConfigError, match="start anew"):
        opt.change("feed", high=6)
    assert opt.log().equals(log)
    opt.change("feed", max_step=1)

    plain = Bolt(BOUNDS)
    drive(plain, [0.0])
    with pytest.raises(ConfigError, match="plain bounds"):
        plain.change("feed", high=6)


def test_a_setting_asked_for_before_a_change_is_recognised_and_logged_as_told():
    opt = Bolt({"feed": Real(0.3, 8), "rate": Real(1e-4, 0.1, scale="log")})
    asked = [opt.ask(10.0 + k) for k in range(5)]
    for high in (6.1, 9.7, 7.3):
        opt.change("feed", high=high)
        opt.change("rate", high=high / 3)
    for setting in asked:
        opt.tell(setting, None, 1.0)
    opt.tell({"feed": 3.9, "rate": 1e-3}, 20.0, 1.0)

    assert opt.pending == []
    assert opt.log()["ask"].tolist()[:5] == [1, 2, 3, 4, 5]
    told = opt.log()[["feed", "rate"]].to_dict("records")
    assert told == [*asked, {"feed": 3.9, "rate": 1e-3}]
