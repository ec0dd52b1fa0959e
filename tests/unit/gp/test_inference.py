"""Fitting hyperparameters: warm, cold, too little data, failure."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bolt_core.bench.datasets import from_gp
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.types import Hyperparameters
from bolt_core.gp import load, packed_covariance, protocol
from bolt_core.gp.protocol import Bounds, FitRequest, Inference, Model, scheduled_restart
from tests.support.gp_cases import NOW, THETA, dataset

RNG = np.random.default_rng(0)


def fit(data, request, model=None):
    model = model or Model(data.Z.shape[1] - 1)
    return load("exact", model).fit(data, request, np.random.default_rng(0)).inference


def test_a_fit_recovers_what_made_the_data():
    model = Model(2)
    rng = np.random.default_rng(4)
    fitted = fit(from_gp(rng, model, 300, 0.3), FitRequest(300.0))

    # one draw of 300 points says l_S to some 15 %
    assert fitted.theta.lengthscale_space == pytest.approx(0.3, rel=0.4)
    assert fitted.failed is None
    assert fitted.restarted


def test_a_warm_fit_needs_fewer_evaluations_than_a_cold_one_and_ends_as_low():
    data = from_gp(np.random.default_rng(1), Model(2), 101)
    before = fit(data.without(100), FitRequest(100.0))
    cold, warm = fit(data, FitRequest(101.0)), fit(data, FitRequest(101.0, before))

    assert warm.evaluations < cold.evaluations / 2
    assert warm.loss == pytest.approx(cold.loss, abs=0.02 * 101)
    assert not warm.restarted


@pytest.mark.parametrize("curvature", [(1.0,), (np.nan,) * 16, (-1.0,) * 16, (0.0,) * 16])
def test_a_curvature_of_no_use_is_replaced(curvature):
    data = from_gp(np.random.default_rng(1), Model(2), 60)
    before = fit(data, FitRequest(60.0))
    fitted = fit(data, FitRequest(60.0, replace(before, curvature=curvature)))

    assert fitted.failed is None
    assert fitted.loss <= before.loss + 1e-9


@pytest.mark.parametrize("n", [60, 240])  # of 240, every third first
def test_a_cold_start_leaves_a_bad_optimum(n):
    data = from_gp(np.random.default_rng(2), Model(2), n, 0.3)
    noise_alone = Hyperparameters(np.exp(-5), np.exp(3), 30.0 * n, 1.0)
    stuck = fit(data, FitRequest(float(n), Inference(noise_alone)))
    restarted = fit(data, FitRequest(float(n), Inference(noise_alone), restart=0))
    cold = fit(data, FitRequest(float(n)))

    assert stuck.loss > cold.loss + 5.0
    assert restarted.loss == pytest.approx(cold.loss, abs=0.02 * n)
    assert restarted.restarted


def test_a_cold_start_that_comes_back_changes_nothing():
    data = from_gp(np.random.default_rng(5), Model(2), 240, 0.3)
    known = fit(data, FitRequest(240.0))
    warm, again = (fit(data, FitRequest(240.0, known, restart=r)) for r in (None, 1))

    assert again.theta == warm.theta


def test_restarts_are_spread_and_take_turns():
    due = [scheduled_restart(number) for number in range(1, 43)]

    assert [d for d in due if d is not None] == [1, 0, 1, 0, 1, 0]
    assert max(sum(d is not None for d in due[i : i + 7]) for i in range(36)) == 1


@pytest.mark.parametrize("n", [0, 1, 4])
def test_with_fewer_than_five_the_last_values_and_units_are_kept(n):
    warm = Inference(THETA, y_mean=7.0, y_sd=3.0, mean=0.5, restarted=True, failed="once")
    kept = fit(dataset(n, 2), FitRequest(NOW, warm))

    assert kept == replace(warm, restarted=False, failed=None)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_with_fewer_than_five_and_nothing_known_a_guess_is_made(n):
    data = dataset(n, 2)
    guess = fit(data, FitRequest(NOW))

    bounds = Bounds.known(data.Z[:, -1], NOW)
    assert guess.theta == bounds.clip(protocol.cold_starts(Model(2), NOW)[0])
    assert guess.y_mean == pytest.approx(data.y.mean() if n else 0.0)


@pytest.fixture
def no_fit_succeeds(monkeypatch):
    """No likelihood finds a Cholesky factor; conditioning does."""
    factorise = packed_covariance.PackedCovariance.factorise

    def refused(self, theta, *, derivatives=False):
        with monkeypatch.context() as patch:
            if derivatives:
                patch.setattr(packed_covariance, "JITTERS", (np.nan,))
            return factorise(self, theta, derivatives=derivatives)

    monkeypatch.setattr(packed_covariance.PackedCovariance, "factorise", refused)


@pytest.mark.usefixtures("no_fit_succeeds")
def test_a_failed_fit_keeps_the_last_values_and_says_so():
    warm = Inference(THETA, y_mean=7.0, y_sd=3.0, mean=0.5)
    kept = fit(dataset(20, 2), FitRequest(NOW, warm))

    assert "Cholesky" in kept.failed
    assert replace(kept, failed=None, evaluations=0) == warm


@pytest.mark.usefixtures("no_fit_succeeds")
def test_a_first_fit_that_fails_falls_back_on_a_guess():
    kept = fit(dataset(20, 2), FitRequest(NOW))

    assert kept.failed
    assert kept.theta == protocol.cold_starts(Model(2), NOW)[0]


def test_bounds_are_what_an_algorithm_can_know():
    bounds = Bounds.known(np.array([0.0, 4.0, 20.0]), 50.0)

    assert bounds.time == (20.0, 1500.0)
    assert Bounds.known(np.array([3.0]), 1.0).time[1] == 60.0
    assert bounds.signal == pytest.approx((np.exp(-5), np.exp(5)))
    assert bounds.noise == pytest.approx((1.234e-4, np.e))


@pytest.mark.parametrize("seed", range(6))
def test_hyperparameters_stay_inside_their_bounds(seed):
    rng = np.random.default_rng(seed)
    data = dataset(25, 2, seed)
    fitted_theta = fit(replace(data, y=rng.standard_normal(25)), FitRequest(NOW)).theta
    bounds = Bounds.known(data.Z[:, -1], NOW)

    assert bounds.clip(fitted_theta) == fitted_theta


def test_noise_can_be_fixed():
    data = dataset(25, 2)
    fitted = fit(replace(data, y=50 * data.y), FitRequest(NOW, noise_sd=3.0))

    assert fitted.noise_sd == pytest.approx(3.0, rel=1e-9)  # in the unit of y


def test_no_unit_of_time_matters():
    data = from_gp(np.random.default_rng(3), Model(2), 80)
    minutes = replace(data, Z=data.Z * [1, 1, 1 / 60])
    known = Inference(THETA)
    faster = replace(known, theta=replace(THETA, lengthscale_time=0.5))
    seconds = fit(data, FitRequest(8000.0, known)).theta
    fitted_theta = fit(minutes, FitRequest(8000.0 / 60, faster)).theta

    assert 60 * fitted_theta.lengthscale_time == pytest.approx(seconds.lengthscale_time, rel=1e-6)
    assert fitted_theta.lengthscale_space == pytest.approx(seconds.lengthscale_space, rel=1e-6)


def test_what_was_learned_survives_json():
    fitted = fit(dataset(25, 2), FitRequest(NOW))
    again = Inference.from_json(json.loads(json.dumps(fitted.to_json())))

    assert again == fitted


def test_a_surrogate_is_a_pure_function_of_data_and_what_was_learned():
    data, engine = dataset(30, 2), load("exact", Model(2))
    fitted = engine.fit(data, FitRequest(NOW), RNG)
    engine.fit(dataset(40, 2, 8), FitRequest(NOW), RNG)  # another use of the same buffers
    rebuilt = load("exact", Model(2)).condition(data, fitted.inference)

    assert np.array_equal(fitted.state.root, rebuilt.state.root)
    assert np.array_equal(fitted.state.a, rebuilt.state.a)


def test_wrong_names_and_weights_are_refused():
    with pytest.raises(UnknownNameError, match="exact"):
        load("exakt", Model(2))
    with pytest.raises(ConfigError, match="spatial"):
        Model(2, "none")
    with pytest.raises(ConfigError, match="positive"):
        protocol.Data.of(np.zeros((2, 1)), np.zeros(2), np.zeros(2), np.array([1.0, 0.0]))
