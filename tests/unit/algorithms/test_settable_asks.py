"""Asks of every algorithm in a region, among settable points, and beside pending ones."""

from dataclasses import asdict

import numpy as np
import pytest

from bolt_core import algorithms
from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.common.domain import Domain, Region
from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import EngineConfig, Observation, Problem
from tests.support.algorithm_keys import INFERRING

DOMAIN = Domain((0, 5, 3), (False, False, True))
REGION = Region(np.array([0.3, 0.3, 0.0]), np.array([0.5, 0.7, 0.7]))


def build(key="bolt", domain=DOMAIN, **engine):
    spec = algorithms.get(key)
    problem, config = Problem(3, domain=domain), EngineConfig(**engine)
    return spec.build(problem, np.random.default_rng(0), params=spec.parse({}), engine=config)


def tell(optimizer, passes, **ask):
    """Make passes with a moving objective; return the queries."""
    queries = []
    for i in range(passes):
        t = float(i)
        query = optimizer.ask(t, **ask)
        y = -((query.x[0] - 0.4) ** 2) + 0.1 * query.x[1] + (query.x[2] > 0.6) + 0.1 * np.sin(t)
        optimizer.tell(Observation(i, query.x, t, y))
        optimizer.infer(t)
        optimizer.prune(t, [])
        queries.append(query.x)
    return np.array(queries)


@pytest.mark.parametrize("key", INFERRING)
@pytest.mark.parametrize("region", [None, REGION])
def test_every_query_is_settable_and_in_the_region(key, region):
    X = tell(build(key, ard=region is None), 14, region=region)

    assert np.allclose(DOMAIN.snap(X), X)
    assert region is None or region.holds(X).all()


def test_a_region_of_real_knobs_is_kept():
    X = tell(build(domain=None), 12, region=REGION)

    assert REGION.holds(X).all()
    assert np.all((REGION.low <= X) & (REGION.high >= X))


def test_a_state_with_more_removals_than_a_surrogate_carries_is_refused():
    optimizer = build(domain=None)
    tell(optimizer, 12)
    lost = [[row, asdict(optimizer.dataset[row])] for row in range(4)]
    with pytest.raises(RecordError, match="4"):
        optimizer.restore({**optimizer.state(), "removed": lost}, optimizer.dataset)


def test_a_pending_query_counts_as_observed_at_its_mean():
    optimizer = build(domain=None)
    tell(optimizer, 20)
    surrogate = optimizer.surrogate(20.0)
    state = optimizer.state()["rng"]
    first = optimizer.ask(20.0)
    optimizer.restore({**optimizer.state(), "rng": state}, optimizer.dataset)
    beside = optimizer.ask(20.0, pending=[(np.array(first.x), 20.0)])
    mean, sd = surrogate.posterior(np.array([first.x]), 20.0)
    pretended = optimizer._with_pending(surrogate, 20.0, [(np.array(first.x), 20.0)])
    mean_then, sd_then = pretended.posterior(np.array([first.x]), 20.0)

    assert mean_then == pytest.approx(mean, abs=1e-8)
    assert sd_then < sd
    assert np.linalg.norm(np.subtract(beside.x, first.x)) > 0.0
    assert len(optimizer.dataset) == 20
    assert optimizer.inference == surrogate.inference


def test_pending_queries_spread():
    optimizer = build()
    tell(optimizer, 20)
    pending = []
    for _ in range(4):
        query = optimizer.ask(20.0, pending=pending)
        pending.append((np.array(query.x), 20.0))

    assert len({tuple(x) for x, _ in pending}) > 1


def test_without_data_a_query_is_uniform_among_what_can_be_set():
    optimizer = build()
    X = np.array([optimizer.ask(0.0, region=REGION).x for _ in range(300)])

    assert REGION.holds(X).all()
    assert np.unique(X[:, 1]).tolist() == pytest.approx([0.3, 0.5, 0.7])
    shares = np.unique(X[:, 2], return_counts=True)[1] / 300
    assert shares == pytest.approx([1 / 2, 1 / 2], abs=0.1)  # 3.5 standard errors


@pytest.mark.parametrize("engine", [{"name": "botorch"}, {"acquisition": "ei"}])
def test_what_cannot_search_choices_is_refused_at_once(engine):
    with pytest.raises(ConfigError):
        build(**engine)


def test_without_levels_nothing_changes():
    plain, free = build(domain=None), build(domain=Domain((0, 0, 0), (False,) * 3))

    assert np.array_equal(tell(plain, 18), tell(free, 18))
    assert isinstance(plain, GPOptimizer)
    assert plain.kernels == free.kernels
    assert build().kernels["domain"] == {"levels": [0, 5, 3], "choice": [False, False, True]}
