"""Resets, windows, weights and waits on made-up moments: exactly when the rule says so."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from bolt_core import algorithms
from bolt_core.algorithms import abo, et_gpucb, r_gpucb, sw_gpucb, w_gpucb
from bolt_core.algorithms.policy import Forecast
from bolt_core.common.types import ClockConfig, EngineConfig, Observation, Problem
from tests.support.moments import learned, moment
from tests.support.runs import first_passes


def observation(y=0.0, t=0.0):
    return Observation(0, (0.5,), t, y)


# ET-GPUCB


def triggered(policy):
    """A policy that has seen 9 observations, so that the next has t = 10."""
    for _ in range(9):
        assert policy.arrival(observation(), None) is None
    return policy


@pytest.mark.parametrize("side", [-1, 1])
def test_et_resets_just_beyond_its_threshold_and_not_just_below(side):
    limit = et_gpucb.threshold(10, 0.1) * (2.0 + 0.5)
    forecast = Forecast(mean=7.0, sd=2.0, noise_sd=0.5)

    for share, resets in ((1 - 1e-9, False), (1 + 1e-9, True)):
        policy = triggered(et_gpucb.EventTriggeredReset(et_gpucb.Params()))
        remarks = policy.arrival(observation(7.0 + side * share * limit), forecast)

        assert (remarks is not None) == resets
        assert policy.state()["_since"] == (1 if resets else 10)


def test_et_believes_no_surprise_before_it_has_fitted_to_its_own_data():
    spec, rng = algorithms.get("et-gpucb"), np.random.default_rng(0)
    opt = spec.build(Problem(1), rng, params=spec.parse({}), engine=EngineConfig())
    past = [Observation(i, (x,), float(i), math.sin(6 * x)) for i, x in enumerate(rng.random(15))]
    for one in past:
        opt.tell(one)
    opt.infer(14.0)

    sizes = {}
    for n in (4, 5):
        opt.restore(opt.state(), past[-n:])
        opt.tell(observation(1e9, 15.0))
        sizes[n] = len(opt.dataset)
    assert sizes == {4: 5, 5: 1}  # only from five on is D emptied before the surprise joins it


def test_et_with_fixed_noise_keeps_the_first_estimate_in_raw_units():
    policy = et_gpucb.EventTriggeredReset(et_gpucb.Params(), fix_noise=True)
    policy.learned(learned(None, loss=math.nan))  # a guess, nothing was fitted
    assert policy.noise_sd is None

    policy.learned(learned(None))
    policy.learned(learned(None, noise=0.5))

    assert policy.noise_sd == pytest.approx(0.2 * 5.0)
    limit = et_gpucb.threshold(10, 0.1) * (2.0 + 1.0)
    assert triggered(policy).arrival(observation(0.999 * limit), Forecast(0, 2.0, 0.1)) is None


def test_et_with_fixed_noise_fits_with_that_noise():
    spec = algorithms.get("et-gpucb-fixed-noise")
    rng = np.random.default_rng(0)
    opt = spec.build(Problem(1), rng, params=spec.parse({}), engine=EngineConfig())
    noise_sds = []
    for i, x in enumerate(rng.random(30)):
        opt.tell(Observation(i, (float(x),), float(i), math.sin(6 * x) + 0.3 * rng.normal()))
        if i >= 14:
            opt.infer(float(i))
            noise_sds.append(opt.inference.noise_sd)

    assert noise_sds == pytest.approx(
        [noise_sds[0]] * 16, rel=1e-9
    )  # rounding of the standardisation
    assert 0.1 < noise_sds[0] < 0.6


def test_et_keeps_the_observation_that_surprised_it():
    spec = algorithms.get("et-gpucb")
    rng = np.random.default_rng(0)
    opt = spec.build(Problem(1), rng, params=spec.parse({}), engine=EngineConfig())
    for i, x in enumerate(rng.random(20)):
        opt.tell(Observation(i, (float(x),), float(i), math.sin(6 * x)))
    opt.infer(19.0)

    opt.tell(Observation(20, (0.5,), 20.0, 100.0))
    opt.infer(20.0)
    removal = opt.prune(20.0, [])

    assert [o.i for o in opt.dataset] == [20]
    assert removal.ids == tuple(range(20))
    assert removal.notes["reset"].startswith("surprise of ")


# R-GPUCB


@dataclass
class FakeDrift:
    block_length: int
    gap: float = 2.0
    fits: int = 0

    def fit(self, now, rng):
        self.fits += 1
        return (42,)

    def notes(self):
        return {"epsilon": 0.1}


def drifting(policy, length):
    policy.drift = FakeDrift(length)
    return policy


def test_r_empties_the_dataset_exactly_when_the_block_is_full():
    policy = drifting(r_gpucb.PeriodicReset(), 20)

    assert [len(policy.clean(moment(n)).ids) for n in (17, 18, 19, 20)] == [0, 0, 0, 20]


def test_r_learns_its_period_at_the_start_of_a_block_only():
    policy = drifting(r_gpucb.PeriodicReset(), 20)
    assert policy.clean(moment(1)).side == (42,)

    policy.drift.block_length = 5
    assert policy.clean(moment(6)).ids == ()
    assert len(policy.clean(moment(20)).ids) == 20
    assert policy.clean(moment(1)).notes["period"] == 5
    assert policy.drift.fits == 2


@pytest.mark.parametrize("key", ["r-gpucb", "et-gpucb"])
def test_after_a_reset_hyperparameters_and_standardisation_are_kept_below_five(key):
    slow = ClockConfig("model", device=(0.0, 0.1, 0.0, 0.0))
    records = first_passes(55, algorithm=key, clock=slow)[15:]
    young = [(a, b) for a, b in pairwise(records) if b.n + 1 - len(b.removed) < 5 and b.n < 5]

    assert young
    for before, after in young:
        assert after.theta == before.theta
        for name in ("y_mean", "y_sd", "mean"):
            assert after.notes["inference"][name] == before.notes["inference"][name]


# SW-GPUCB and W-GPUCB


def test_sw_keeps_the_newest_of_its_window():
    policy = sw_gpucb.SlidingWindow(sw_gpucb.Params(window=30))

    assert policy.clean(moment(30)).ids == ()
    assert policy.clean(moment(33)).ids == (1000, 1001, 1002)


def test_sw_learns_its_window_every_ten_passes():
    policy = drifting(sw_gpucb.SlidingWindow(sw_gpucb.Params()), 30)

    sides = [policy.clean(moment(31)).side for _ in range(21)]
    assert [i for i, side in enumerate(sides) if side] == [0, 10, 20]
    assert policy.clean(moment(31)).ids == (1000,)


def test_w_gives_every_observation_the_noise_of_its_age():
    policy = drifting(w_gpucb.GrowingNoise(w_gpucb.Params()), 30)
    tau = -2.0 / math.log(1 - 1 / 30)  # eta = 1 - 1 / W a round of u = 2 s

    weights = policy.weights(100.0, np.array([100.0, 90.0, -1e9]))

    assert weights == pytest.approx([1.0, math.exp(10 / tau), 1e6], rel=1e-12)
    assert tau == pytest.approx(30 * 2.0, rel=0.02)  # about W u


# ABO


def settle(lengthscales, observed=1e9):
    policy = abo.ChooseTime()
    for l_T in lengthscales:
        policy.learned(learned(l_T))
    return policy.window(learned(lengthscales[-1]).theta, observed)


def test_abo_looks_now_until_the_lengthscale_has_settled_three_times():
    assert settle([60.0] * 6) == 0.0  # compared over four passes: twice so far
    assert settle([60.0] * 7) == pytest.approx(20.0)


def test_abo_looks_now_while_the_lengthscale_moves_by_a_tenth():
    growing = [1.03**i for i in range(40)]  # 12.6 % over four passes, 11.2 % of the later one
    creeping = [1.02**i for i in range(40)]  # 7.6 % of the later one

    assert settle(growing) == 0.0
    assert settle(creeping) == pytest.approx(creeping[-1] / 3)


def test_abo_waits_for_a_tenth_of_the_time_observed_at_most():
    assert settle([60.0] * 7, observed=150.0) == pytest.approx(15.0)
    assert settle([60.0] * 7, observed=300.0) == pytest.approx(20.0)  # l_T / 3 is shorter


def test_abo_t_always_looks_now():
    records = first_passes(40, algorithm="abo-t")

    assert all(b.observation.t - a.observation.t < 1.0 for a, b in pairwise(records))
