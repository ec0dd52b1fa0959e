"""Ask and tell with names: what is asked for can be set, steps, pending settings, errors."""

import math
from datetime import UTC, datetime

import numpy as np
import pytest

from bolt_core import Bolt, Choice, Integer, OnlineOptimizer, ProblemSpec, Real, make
from bolt_core.common.errors import BoltError, ConfigError
from tests.support import algorithm_keys
from tests.support.own_problem import BOUNDS
from tests.support.plant import KNOBS, drive_plant, yield_of
from tools.settable_asks import plant, step_errors


def test_a_mixed_problem_is_followed():
    opt = Bolt(KNOBS, maximize="yield", warmup=10)
    drive_plant(opt, range(60))
    late = [yield_of(setting, t) for setting, t in drive_plant(opt, range(60, 80))]

    rng = np.random.default_rng(0)
    draws = [{n: k.from_unit(rng.random()) for n, k in KNOBS.items()} for _ in range(200)]
    assert np.mean(late) > np.mean([yield_of(setting, 70 * 60.0) for setting in draws]) + 1.0


@pytest.mark.parametrize("key", algorithm_keys.MAIN)
def test_whatever_an_algorithm_asks_for_can_be_set_within_its_step(key):
    opt = make(key, KNOBS, maximize="yield", warmup=5)
    asked = [setting for setting, _ in drive_plant(opt, range(15))]

    assert step_errors(asked, KNOBS) == []


@pytest.mark.parametrize("seed", [0, 1])
def test_steps_hold_with_late_failed_and_missing_results_and_changed_ranges(seed):
    assert plant(seed, 40, change_every=15) == 0


def test_the_last_setting_is_the_newest_in_time():
    opt = Bolt({"feed": Real(0, 8, max_step=1)})
    assert opt.last_setting is None
    opt.tell({"feed": 5.0}, 100.0, 1.0)
    opt.tell({"feed": 1.0}, 50.0, 1.0)  # late
    assert opt.last_setting == {"feed": 5.0}
    asked = opt.ask(100.0)
    assert abs(asked["feed"] - 5.0) <= 1.0
    assert opt.last_setting == asked
    opt.tell({"feed": 2.0}, 160.0, 1.0)  # the ask was not followed
    assert opt.last_setting == {"feed": 2.0}


def test_minimising_an_outcome_is_maximising_its_negative():
    down = Bolt(KNOBS, minimize="cost", warmup=5)
    up = Bolt(KNOBS, maximize="yield", warmup=5)
    for t in np.arange(0.0, 900.0, 60.0):
        setting = down.ask(t)
        assert setting == up.ask(t)
        down.tell(setting, t, -yield_of(setting, t))
        up.tell(setting, t, yield_of(setting, t))

    assert down.best().setting == up.best().setting
    assert down.best().mean == -up.best().mean
    assert down.log()["cost"].tolist() == (-up.log()["yield"]).tolist()


@pytest.mark.parametrize(
    ("problem", "options", "words"),
    [
        (KNOBS, {"maximize": "a", "minimize": "b"}, "not both"),
        (BOUNDS, {"maximize": "yield"}, "plain bounds have no names"),
        (BOUNDS, {"minimize": "cost"}, "plain bounds have no names"),
        (ProblemSpec(KNOBS), {"minimize": True}, "leave out maximize and minimize"),
        (ProblemSpec(KNOBS, algorithm="abo"), {}, "Bolt is not abo"),
        ({"feed": (0, 8)}, {}, "'feed' must be Real, Integer or Choice"),
        ({}, {}, "1 to 100 knobs"),
        (BOUNDS, {"think_within": -1}, "think_within"),
    ],
)
def test_a_problem_that_is_not_clear_is_refused(problem, options, words):
    with pytest.raises(ConfigError, match=words):
        Bolt(problem, **options)


GOOD = {"feed": 3.0, "rate": 1e-2, "stages": 3, "catalyst": "B"}


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({**GOOD, "fed": 1}, "unknown knob 'fed'; did you mean 'feed'"),
        ({k: v for k, v in GOOD.items() if k != "rate"}, "no value for knob 'rate'"),
        ({**GOOD, "stages": 2.5}, "'stages' is set to whole numbers, got 2.5"),
        ({**GOOD, "catalyst": "D"}, "'catalyst' cannot be set to 'D'"),
        ({**GOOD, "feed": "much"}, "'feed' takes a finite number"),
        ({**GOOD, "feed": math.nan}, "'feed' takes a finite number"),
        ({**GOOD, "rate": -1.0}, "'rate' has scale = 'log'"),
        ([3.0, 1e-2, 3, 0], "a setting is a dict"),
        (None, "x may be None only with the id"),
    ],
)
def test_a_setting_that_is_not_one_is_refused_and_changes_nothing(setting, words):
    opt = Bolt(KNOBS)
    opt.tell(GOOD, 0.0, 1.0)
    before = opt.log()

    with pytest.raises(BoltError, match=words):
        opt.tell(setting, 1.0, 2.0)

    assert opt.log().equals(before)


def test_a_value_outside_its_range_is_learned_from_and_left_in_steps():
    opt = Bolt({"feed": Real(0, 8, max_step=1), "stages": Integer(1, 6, max_step=1)})
    opt.tell({"feed": 11.0, "stages": 9}, 0.0, 1.0)
    way = []
    for t in (1.0, 2.0, 3.0, 4.0):
        way.append(opt.ask(t))
        opt.tell(way[-1], t, 1.0)

    assert [s["stages"] for s in way[:3]] == [8, 7, 6]
    assert [s["feed"] for s in way[:2]] == pytest.approx([10.0, 9.0])
    assert 0 <= way[3]["feed"] <= 8
    assert len(opt.dataset) == 5


def test_duplicates_and_ties_are_no_trouble():
    opt = Bolt({"a": Integer(0, 2), "b": Choice("x", "y")}, warmup=4)
    for k in range(40):
        opt.tell(opt.ask(float(k // 2)), None, 1.0)

    assert opt.ask(30.0)["a"] in (0, 1, 2)
    assert math.isfinite(opt.best().mean)


def test_pending_settings_spread():
    opt = Bolt({"a": Real(0, 1), "b": Real(0, 1)}, warmup=8)
    for t in range(20):
        s = opt.ask(float(t))
        opt.tell(s, None, -((s["a"] - 0.3) ** 2))
    asked = [opt.ask(20.0) for _ in range(5)]
    distances = [
        math.dist(one.values(), other.values())
        for one in asked
        for other in asked
        if one is not other
    ]

    assert [ask.setting for ask in opt.pending] == asked
    assert min(distances) > 0.02


def test_results_come_in_any_order_by_number_or_by_setting():
    opt = Bolt(KNOBS, warmup=5)
    first, second, third = (opt.ask(t) for t in (0.0, 60.0, 120.0))
    opt.tell(None, None, 2.0, id=2)
    opt.tell(first, None, 1.0)
    opt.tell({**third, "stages": 1}, 130.0, 3.0, id=3)  # the plant did something else

    log = opt.log()
    assert opt.pending == []
    assert log["ask"].tolist() == [2, 1, 3]
    assert log["time"].tolist() == [60.0, 0.0, 130.0]
    assert [dict(row) for row in log[list(KNOBS)].to_dict("records")] == [
        second,
        first,
        {**third, "stages": 1},
    ]


def test_an_ask_has_one_answer_among_results_told_at_once():
    opt = Bolt(KNOBS)
    setting = opt.ask(0.0)
    opt.tell_all([setting, setting], [0.0, 1.0], [1.0, 2.0])

    assert opt.log()["ask"].fillna(0).tolist() == [1, 0]
    opt.ask(2.0)
    with pytest.raises(ConfigError, match="id 2"):
        opt.tell_all([None, None], [2.0, 2.0], [1.0, 2.0], ids=[2, 2])
    opt.tell_all([], [], [])
    assert len(opt.pending) == 1


def test_an_ask_can_be_withdrawn():
    opt = Bolt(KNOBS)
    opt.ask(0.0)
    opt.ask(1.0)
    opt.withdraw(1)

    assert [ask.id for ask in opt.pending] == [2]
    with pytest.raises(ConfigError, match="ask 1 is not pending"):
        opt.withdraw(1)
    opt.withdraw()
    with pytest.raises(ConfigError, match="no ask is pending"):
        opt.withdraw()


def test_a_repeated_tell_is_stored_once():
    opt = Bolt(KNOBS)
    setting = opt.ask(0.0)
    for _ in range(3):
        opt.tell(setting, 0.0, 5.0, id=1)
        opt.tell(GOOD, 1.0, math.nan, id="probe 17")

    assert len(opt.log()) == 2
    with pytest.raises(ConfigError, match=r"5.*6.*correct row 0"):
        opt.tell(setting, 0.0, 6.0, id=1)
    with pytest.raises(ConfigError, match="there is no ask 7"):
        opt.tell(setting, 0.0, 6.0, id=7)
    with pytest.raises(ConfigError, match="id must be"):
        opt.tell(setting, 0.0, 6.0, id=2.5)


def test_the_log_has_names_units_of_time_failures_and_pending_settings():
    opt, noon = Bolt(KNOBS, maximize="yield"), datetime(2026, 3, 6, 12, tzinfo=UTC)
    opt.tell(GOOD, noon, 70.0)
    opt.tell({**GOOD, "catalyst": "A"}, noon, math.inf)
    asked = opt.ask(noon)
    log = opt.log()

    assert list(log) == ["time", *KNOBS, "yield", "failed", "pending", "ask"]
    assert log["failed"].tolist() == [False, True, False]
    assert log["pending"].tolist() == [False, False, True]
    assert log["catalyst"].tolist() == ["B", "A", asked["catalyst"]]
    assert (log["time"] == noon).all()
    assert opt.to_frame()["x_4"].tolist() == ["B", "A"]


def test_the_best_setting_can_be_set_and_is_where_the_mean_is_largest():
    opt = Bolt(KNOBS, warmup=10)
    with pytest.raises(ConfigError, match="nothing is learned yet"):
        opt.best()
    drive_plant(opt, range(40))
    best = opt.best()
    rng = np.random.default_rng(1)
    others = [
        {n: k.from_unit(u) for (n, k), u in zip(KNOBS.items(), rng.random(4), strict=True)}
        for _ in range(300)
    ]

    assert opt.posterior(best.setting)[0][0] == pytest.approx(best.mean)
    assert best.mean >= opt.posterior(others)[0].max()
    assert best.sd > 0
    assert best.at == 39 * 60.0


def test_a_suggestion_is_fresh_until_the_correlation_falls():
    opt = Bolt(KNOBS, warmup=10)
    assert opt.fresh_for is None
    drive_plant(opt, range(30))
    r = math.sqrt(3.0) * opt.fresh_for / opt._inner.optimizer.theta.lengthscale_time

    assert (1 + r) * math.exp(-r) == pytest.approx(0.95)
    static = OnlineOptimizer(KNOBS, algorithm="gpucb", warmup=10)
    drive_plant(static, range(12))
    assert static.fresh_for == math.inf
