"""Algorithms that must become one another at the edge of their parameters."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from bolt_core import algorithms
from bolt_core.common.types import ClockConfig, EngineConfig, Observation, Problem
from bolt_core.runs.loop import iterate, prepare
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponseTime
from tests.support.runs import first_passes, make_config

PASSES = 45


def build(key, seed=0, **params):
    spec = algorithms.get(key)
    rng = np.random.default_rng(seed)
    return spec.build(Problem(2), rng, params=spec.parse(params), engine=EngineConfig())


def wave(rng, n, shift=0.0):
    """Observations of a wave that travels, from time `shift` on."""
    X, t = rng.random((n, 2)), np.cumsum(rng.random(n))
    y = np.sin(5 * X[:, 0] + 0.1 * t) + X[:, 1] + 0.1 * rng.standard_normal(n)
    return [
        Observation(i, tuple(X[i].tolist()), shift + float(t[i]), float(y[i])) for i in range(n)
    ]


def queries(optimizer, shift=0.0):
    """Where it looks after each of ten inferences."""
    data = wave(np.random.default_rng(1), 30, shift)
    next_queries = []
    for i, observation in enumerate(data):
        optimizer.tell(observation)
        if i >= 20:
            optimizer.infer(observation.t)
            optimizer.prune(observation.t, [])
            next_queries.append(optimizer.ask(observation.t + 0.5).x)
    return next_queries


@pytest.mark.parametrize("shift", [10.0, 1e6])
def test_gpucb_sees_no_time(shift):
    assert queries(build("gpucb"), shift) == queries(build("gpucb"))


def test_the_same_shift_is_seen_by_an_algorithm_that_sees_time():
    assert queries(build("tv-gpucb"), 10.0) != queries(build("tv-gpucb"))


@pytest.mark.parametrize("seed", range(5))
def test_tv_gpucb_with_a_huge_lengthscale_is_gpucb(seed):
    data = wave(np.random.default_rng(seed), 25)
    static, varying = build("gpucb"), build("tv-gpucb")
    for observation in data:
        static.tell(observation)
    static.infer(data[-1].t)

    state = static.state()
    known = state["inference"]
    forever = {**known, "theta": {**known["theta"], "lengthscale_time": 1e30}}
    varying.restore({**state, "inference": forever}, data)

    # exp(-|t - t'| / 1e30) is 1.0 in floating point: not near, equal
    assert varying.ask(data[-1].t + 1.0) == static.ask(data[-1].t + 1.0)


def test_sw_gpucb_with_a_huge_window_is_gpucb():
    assert run("sw-gpucb", window=100_000) == run("gpucb")


def test_w_gpucb_with_infinite_memory_is_gpucb():
    # weights differ from 1 by at most 10 s / 1e12 s = 1e-11, which L-BFGS, stopping when a step
    # gains less than 1e-8, turns into 1e-5 at most
    assert np.array(run("w-gpucb", memory=1e12)) == pytest.approx(np.array(run("gpucb")), abs=1e-4)


@cache
def run(key, **params):
    return [r.observation.x for r in first_passes(PASSES, algorithm=key, params=params)]


@cache
def for_free(key):
    return first_passes(
        PASSES, algorithm=key, clock=ClockConfig("model", device=(0.0, 0.0, 0.0, 0.0))
    )


@pytest.mark.parametrize("key", ["bolt", "bolt-literal", "bolt-oldest", "bolt-random"])
def test_bolt_on_a_device_that_thinks_for_free_is_abo_that_looks_now(key):
    records = for_free(key)

    assert not any(r.removed for r in records)
    assert [r.observation for r in records] == [r.observation for r in for_free("abo-t")]


@pytest.mark.long
def test_wlan_runs_use_matern_12_in_the_surrogate_and_in_n_star():
    run = prepare(make_config(algorithm="bolt", benchmark="wlan", horizon=60.0))
    records = [r for r in iterate(run) if not r.warmup]
    seen = 0

    assert run.optimizer.surrogate(60.0).model.temporal_kernel == "matern12"
    for before, record in pairwise(records):
        seen = max(seen, before.n)
        R = ResponseTime(tuple(record.notes["response"]), record.notes["response_floor"])
        l_T = record.theta.lengthscale_time
        by_kernel = [
            recommended_size(temporal_correlation(name, l_T), R, seen=seen)
            for name in ("matern12", "matern32")
        ]

        assert record.n_star == by_kernel[0]
    assert by_kernel[0] is not None
    assert by_kernel[0] != by_kernel[1]
    assert math.isfinite(l_T)
