"""The contract of every GP engine: what `bolt_core.gp.load` returns for each name in ENGINES."""

import numpy as np
import pytest

from bolt_core import gp
from bolt_core.common.errors import UnknownNameError
from bolt_core.common.types import ENGINES
from bolt_core.gp.protocol import MIN_FIT_SIZE, Data, FitRequest, Model

MODEL = Model(2)
SIZE = 12


def data(size=SIZE):
    rng = np.random.default_rng(5)
    X, t = rng.random((size, 2)), np.arange(float(size))
    return Data.of(X, t, 3.0 + np.sin(4.0 * X[:, 0]) + 0.1 * t)


@pytest.fixture(params=ENGINES)
def engine(request):
    return gp.load(request.param, MODEL)


@pytest.fixture
def surrogate(engine):
    return engine.fit(data(), FitRequest(now=float(SIZE)), np.random.default_rng(0))


def test_an_engine_knows_its_name_and_model(engine):
    assert engine.name in ENGINES
    assert engine.model == MODEL


def test_an_unknown_engine_is_an_error_that_lists_the_others():
    with pytest.raises(UnknownNameError, match="exact"):
        gp.load("no-such-engine", MODEL)


def test_a_fit_is_within_its_bounds(surrogate):
    inference = surrogate.inference
    bounds = FitRequest(now=float(SIZE)).bounds(surrogate.data, inference.y_sd)

    assert inference.failed is None
    assert bounds.clip(inference.theta) == inference.theta


def test_a_posterior_is_finite_and_in_raw_units(surrogate):
    X = np.random.default_rng(1).random((7, 2))
    mean, sd = surrogate.posterior(X, float(SIZE))

    assert mean.shape == sd.shape == (7,)
    assert np.all((mean > 0.0) & (mean < 8.0))  # y is between 2 and 5
    assert np.all(sd > 0.0)
    assert surrogate.ucb(X, float(SIZE), 4.0) == pytest.approx(mean + 2.0 * sd)


def test_the_next_query_is_in_the_box_and_in_the_window(surrogate):
    x, t = surrogate.maximise_ucb(20.0, np.random.default_rng(2), window=5.0)

    assert x.shape == (2,)
    assert np.all((x >= 0.0) & (x <= 1.0))
    assert 20.0 <= t <= 25.0


def test_conditioning_rebuilds_the_same_posterior(engine, surrogate):
    X = np.random.default_rng(3).random((5, 2))
    rebuilt = engine.condition(surrogate.data, surrogate.inference)

    for again, first in zip(rebuilt.posterior(X, 12.0), surrogate.posterior(X, 12.0), strict=True):
        assert again.tolist() == first.tolist()


def test_with_few_data_the_last_values_are_kept(engine, surrogate):
    request = FitRequest(now=20.0, warm=surrogate.inference)
    small = engine.fit(data(MIN_FIT_SIZE - 1), request, np.random.default_rng(0))

    assert small.inference.theta == surrogate.inference.theta


def test_without_data_a_surrogate_is_the_prior(engine, surrogate):
    empty = engine.condition(data(0), surrogate.inference)
    mean, sd = empty.posterior(np.array([[0.2, 0.3], [0.9, 0.1]]), 1.0)

    assert mean[0] == mean[1]
    assert sd[0] == sd[1] > 0.0


def test_removals_are_different_rows_with_scores(surrogate):
    removals = surrogate.removals(float(SIZE), 3)

    assert len({row for row, _ in removals}) == 3
    assert all(0 <= row < SIZE and score >= 0.0 for row, score in removals)
    assert surrogate.removal_scores(float(SIZE)).shape == (SIZE,)


def test_removing_an_observation_leaves_the_others(surrogate):
    rest = surrogate.without(4)

    assert len(rest.data) == SIZE - 1
    assert rest.inference.theta == surrogate.inference.theta
