"""BOLT that removes nothing, and BOLT that explores once every |D| passes."""

from itertools import islice, pairwise

import numpy as np
import pytest
from scipy.linalg import cho_factor, cho_solve

from bolt_core.algorithms import get
from bolt_core.common.types import ClockConfig, EngineConfig, Observation, Problem
from bolt_core.gp.optimal_region import uniform_among_optimal
from bolt_core.runs.loop import iterate, prepare
from tests.support.gp_cases import dataset
from tests.support.runs import first_passes, make_config

SLOW = ClockConfig("model", device=(0.0, 0.1, 0.0, 0.0))


def test_bolt_keep_computes_n_star_like_bolt_and_removes_nothing():
    kept = first_passes(60, algorithm="bolt-keep", clock=SLOW)
    bolt = first_passes(60, algorithm="bolt", clock=SLOW)
    until = next(i for i, r in enumerate(bolt) if r.removed)

    assert [r.n_star for r in kept[: until + 1]] == [r.n_star for r in bolt[: until + 1]]
    assert not any(r.removed for r in kept)
    assert any(r.n_star is not None and r.n > r.n_star for r in kept)
    assert kept[-1].n == 59


def lower_and_upper(run, X, t):
    """Return LCB and UCB by the textbook, from the records of a run alone."""
    dataset, theta = run.optimizer.dataset, run.optimizer.theta
    inference = run.optimizer.inference
    Z = np.array([[*o.x, o.t] for o in dataset])
    y = (np.array([o.y for o in dataset]) - inference.y_mean) / inference.y_sd - inference.mean

    def k(one, other):
        r = np.linalg.norm(one[:, None, :-1] - other[None, :, :-1], axis=-1)
        s = np.sqrt(5) * r / theta.lengthscale_space
        q = np.sqrt(3) * np.abs(one[:, None, -1] - other[None, :, -1]) / theta.lengthscale_time
        return theta.signal_variance * (1 + s + s**2 / 3) * np.exp(-s) * (1 + q) * np.exp(-q)

    points = np.column_stack([X, np.full(len(X), t)])
    factor = cho_factor(k(Z, Z) + theta.noise_variance * np.eye(len(Z)))
    K = k(points, Z)
    mean = inference.mean + K @ cho_solve(factor, y)
    variance = theta.signal_variance - np.sum(K * cho_solve(factor, K.T).T, axis=1)
    spread = np.sqrt(0.2 * X.shape[1] * np.log(2 * len(Z)) * np.maximum(variance, 0.0))
    return mean - spread, mean + spread


def test_a_query_that_explores_is_among_those_that_may_be_the_optimum():
    rng = np.random.default_rng(5)
    run = prepare(make_config(algorithm="bolt", clock=SLOW))
    records = iterate(run)
    list(islice(records, 20))
    checked = 0
    while checked < 3:
        t, kept = run.clock.now(), list(run.optimizer.dataset)
        frozen = prepare(run.config)
        frozen.optimizer.restore(run.optimizer.state(), kept)
        record = next(records)
        if record.notes.get("explored"):
            X = np.concatenate([rng.random((4000, 1)), [o.x for o in kept]])
            x = np.array([record.observation.x])
            highest = lower_and_upper(frozen, X, t)[0].max()
            assert lower_and_upper(frozen, x, t)[1][0] >= highest - 0.02  # standardised y
            checked += 1


def test_one_query_in_the_size_of_the_dataset_explores():
    records = [r for r in first_passes(120, algorithm="bolt", clock=SLOW) if not r.warmup]
    explored = [i for i, r in enumerate(records) if r.notes.get("explored")]

    assert len(explored) >= 3
    for last, i in pairwise([-1, *explored]):
        assert i - last >= records[i].n  # so many queries since the last one that explored
        assert i - 1 - last < records[i - 1].n  # and not yet in the pass before


def test_the_random_points_fill_the_set_and_nothing_else():
    spec = get("bolt")
    optimizer = spec.build(Problem(2), np.random.default_rng(0), params=None, engine=EngineConfig())
    data = dataset(40, 2)
    for i, (z, y) in enumerate(zip(data.Z, data.y, strict=True)):
        optimizer.tell(Observation(i, tuple(z[:2]), float(z[2]), float(y)))
    optimizer.infer(100.0)
    surrogate, rng = optimizer.surrogate(100.0), np.random.default_rng(1)
    drawn = np.array([uniform_among_optimal(surrogate, 100.0, rng) for _ in range(300)])
    root = np.sqrt(0.2 * 2 * np.log(2 * 40))
    X = rng.random((20_000, 2))
    mean, sd = surrogate.posterior(X, 100.0)
    inside = X[mean + root * sd >= (mean - root * sd).max()]

    assert 0.02 < len(inside) / len(X) < 0.98
    assert drawn.mean(axis=0) == pytest.approx(inside.mean(axis=0), abs=0.06)
    assert drawn.std(axis=0) == pytest.approx(inside.std(axis=0), abs=0.05)


def test_without_a_candidate_in_the_set_there_is_no_point(monkeypatch):
    run = prepare(make_config(algorithm="bolt", clock=SLOW))
    list(islice(iterate(run), 20))
    monkeypatch.setattr("bolt_core.algorithms.bolt.uniform_among_optimal", lambda *_: None)
    records = list(islice(iterate(run), 40))

    assert not any(r.notes.get("explored") for r in records)  # it maximised UCB instead
