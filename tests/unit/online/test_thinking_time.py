"""Thinking time: its limit on the dataset, warm starts with many rows, the state in words."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bolt_core import Bolt, Real, make
from bolt_core.algorithms.size_limit import rows_beyond, stale_rows
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.online.thinking_time import MIN_LIMIT, ThinkingTime, default_seconds, thinned

KNOBS = {"feed": Real(0, 8), "heat": Real(280, 420)}


class Device:
    """A clock on which a pass with n observations takes c n^3 seconds, or twice that."""

    def __init__(self, c):
        self.now, self.c, self.calls = 0.0, c, 0
        self.opt = None

    def __call__(self):
        self.calls += 1
        if self.calls % 2 == 0 and self.opt is not None:  # the end of an ask or tell
            slow = 2.0 if self.calls % 14 == 0 else 1.0
            self.now += slow * self.c * len(self.opt.dataset) ** 3 / 2.0
        return self.now


def drive(opt, steps, period=60.0):
    for k in steps:
        setting = opt.ask(k * period)
        opt.tell(
            setting, None, math.sin(k / 50.0) * setting["feed"] - (setting["heat"] - 350) ** 2 / 1e3
        )


def on_device(c, **options):
    device = Device(c)
    opt = Bolt(KNOBS, warmup=5, clock=device, **options)
    device.opt = opt
    return opt


def test_the_dataset_stays_where_a_pass_takes_as_long_as_allowed():
    opt = on_device(1e-6, think_within=0.05)
    drive(opt, range(70))
    sizes = opt.to_frame()["size"][50:]
    largest = (0.05 / 1e-6) ** (1 / 3)  # 36.8, at which one start takes 0.05 s; a second start more

    assert sizes.max() <= largest
    assert sizes.min() >= 0.5 * largest
    assert opt.status().limit == "thinking time"
    assert "thinking time" in str(opt.status())
    assert opt.snapshot().members() == [o.i for o in opt.dataset]


def test_a_tenth_of_the_spacing_is_allowed_unless_thinking_takes_most_of_it():
    times = np.arange(0.0, 6000.0, 60.0).tolist()

    assert default_seconds(times, 0.01) == pytest.approx(6.0)
    assert default_seconds(times, 50.0) is None
    assert default_seconds([0.01 * k for k in range(100)], 0.001) == 0.05
    assert default_seconds([0.0, 60.0], None) == 1.0
    assert default_seconds([0.0] * 50, None) == 1.0


def test_without_names_there_is_no_limit_unless_it_is_asked_for():
    plain, limited = Bolt([(0, 1)]), Bolt([(0, 1)], think_within=0.5)

    assert plain.status().size_limit is None
    assert limited.status().size_limit > MIN_LIMIT


def test_one_slow_pass_in_many_does_not_move_the_limit_and_a_slower_machine_does():
    thinking = ThinkingTime()
    for k in range(200):
        thinking.add(100, 0.01 if k != 150 else 5.0)
    before = thinking.limit(0.08)
    for _ in range(256):
        thinking.add(100, 0.08)

    assert before == pytest.approx(100 * 7.2 ** (1 / 3), abs=1)
    assert thinking.limit(0.08) < 100
    assert ThinkingTime().limit(1e-9) == MIN_LIMIT


def test_the_reference_survives_a_restart():
    thinking, again = ThinkingTime(), ThinkingTime()
    for _ in range(20):
        thinking.add(80, 0.02)
    again.restore(thinking.state())

    assert again.limit(0.05) == thinking.limit(0.05)
    assert again.typical == thinking.typical


def test_a_long_log_is_learned_from_in_part_and_kept_in_the_log():
    rng = np.random.default_rng(0)
    opt = Bolt(KNOBS, think_within=0.02)
    settings = [{"feed": 8 * a, "heat": 280 + 140 * b} for a, b in rng.random((3000, 2))]
    opt.tell_all(settings, (60.0 * np.arange(3000.0)).tolist(), [s["feed"] for s in settings])

    times = [o.t for o in opt.dataset]
    assert len(opt.log()) == 3000
    assert len(times) <= opt.status().size_limit + 1
    assert times[-1] == 60.0 * 2999
    assert times[0] < 60.0 * 300  # some old ones, from which slow changes are learned
    assert opt.best().setting["feed"] > 7.0
    assert opt.snapshot().members() == [o.i for o in opt.dataset]


def test_what_a_long_log_leaves_out_is_not_computed_with(monkeypatch):
    sizes, condition = [], ExactEngine.condition

    def noted(engine, data, inference):
        sizes.append(len(data))
        return condition(engine, data, inference)

    opt = Bolt(KNOBS, warmup=5, think_within=0.02)
    for minute in range(12):
        opt.tell(opt.ask(60.0 * minute), None, float(minute % 5))
    monkeypatch.setattr(ExactEngine, "condition", noted)
    settings = [{"feed": 8 * a, "heat": 280 + 140 * a} for a in np.linspace(0, 1, 1500)]
    opt.tell_all(settings, (1e4 + 60.0 * np.arange(1500.0)).tolist(), [0.0] * 1500)
    opt.ask(2e5)

    assert len(opt.log()) == 1513  # with the one that is pending
    assert max(sizes, default=0) < 500


def test_thinning_keeps_the_newest_half_and_spreads_the_rest():
    rows = thinned(list(range(1000)), 100)

    assert rows[-50:] == list(range(950, 1000))
    assert rows[0] == 0
    assert 95 <= len(rows) <= 100
    assert max(np.diff(rows[:50])) <= 21
    assert thinned([0.0, 1.0], 5) == [0, 1]


def surrogate(times, l_T):
    rng = np.random.default_rng(0)
    engine = ExactEngine(Model(2))
    data = Data.of(rng.random((len(times), 2)), np.array(times), rng.standard_normal(len(times)))
    return engine.condition(data, Inference(Hyperparameters(1.0, 0.3, l_T, 0.01)))


def test_stale_observations_leave_first_and_then_the_least_relevant():
    fitted = surrogate([0.0, 1.0, 2.0, *np.arange(100.0, 117.0)], l_T=5.0)
    scores = fitted.removal_scores(117.0)

    assert stale_rows(fitted, 117.0) == [0, 1, 2]
    assert rows_beyond(fitted, 117.0, 19) == [int(np.argmin(scores[:3]))]
    assert set(rows_beyond(fitted, 117.0, 16)[:3]) == {0, 1, 2}
    assert len(rows_beyond(fitted, 117.0, 16)) == 4
    assert len(rows_beyond(fitted, 117.0, 5)) == 5  # a quarter at most
    assert rows_beyond(fitted, 117.0, 20) == []
    static = surrogate(np.arange(20.0), l_T=1e6)
    assert stale_rows(static, 30.0) == []
    assert rows_beyond(static, 30.0, 19) == [static.removals(30.0, 1)[0][0]]


def test_the_status_says_what_holds_in_words():
    opt = make("bolt", KNOBS, warmup=5, think_within=100.0)
    assert "5 more observations" in str(opt.status())
    drive(opt, range(12))
    status = opt.status()

    assert status.limit is None
    assert status.response.constant
    assert "60 s whatever" in str(status)
    recommended = replace(status, n_star=10)
    assert recommended.limit == "n*"
    assert "n* = 10" in str(recommended)
    assert replace(recommended, n_star=50).limit is None
    assert replace(recommended, limited=True).limit == "thinking time"
