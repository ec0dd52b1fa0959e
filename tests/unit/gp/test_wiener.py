"""The surrogate of UI-TVBO: a constant and a Wiener process in time."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from bolt_core import algorithms
from bolt_core.common.types import EngineConfig, Hyperparameters, Observation, Problem
from bolt_core.gp.botorch import BotorchEngine
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.likelihood import Likelihood
from bolt_core.gp.protocol import Data, Inference, Model, default_beta
from bolt_core.gp.ucb import Search
from bolt_core.gp.workspace import Workspace
from tests.support.gp_cases import dataset

MODEL = Model(2, temporal_kernel="wiener")
THETA = Hyperparameters(1.3, 0.4, 25.0, 0.05)


def brute_force(Z, other, theta, oldest):
    """k_S (lambda + s^2 (min(t, t') - t_0)) with s^2 = lambda / l_T, pair by pair."""
    lam, s2 = theta.signal_variance, theta.signal_variance / theta.lengthscale_time
    K = np.empty((len(Z), len(other)))
    for i, (*x, t) in enumerate(Z):
        for j, (*x2, t2) in enumerate(other):
            r = np.sqrt(5) * np.linalg.norm(np.subtract(x, x2)) / theta.lengthscale_space
            K[i, j] = (1 + r + r**2 / 3) * np.exp(-r) * (lam + s2 * (min(t, t2) - oldest))
    return K


def test_the_covariance_equals_brute_force():
    data = dataset(12, 2)
    k = MODEL.covariance(THETA, data.oldest)

    assert data.oldest == data.Z[:, -1].min() > 0.0
    assert k.between(data.Z, data.Z) == pytest.approx(
        brute_force(data.Z, data.Z, THETA, data.oldest)
    )
    assert k.variance(data.Z) == pytest.approx(np.diagonal(k.between(data.Z, data.Z)))


def test_likelihood_and_gradient_equal_the_textbook():
    data = dataset(14, 2, weighted=True)
    y = (data.y - data.y.mean()) / data.y.std()
    likelihood = Likelihood(MODEL, data, y, Workspace())
    p = likelihood.pack(THETA)
    loss, gradient = likelihood(p)
    A = brute_force(data.Z, data.Z, THETA, data.oldest)
    A += THETA.noise_variance * np.diag(data.weights)
    M = np.linalg.inv(A)
    residual = y - M.sum(axis=0) @ y / M.sum()
    textbook = residual @ M @ residual + np.linalg.slogdet(A)[1] + len(y) * np.log(2 * np.pi)

    assert loss == pytest.approx(textbook / 2)
    assert gradient == pytest.approx(approx_fprime(p, lambda q: likelihood(q)[0], 1e-7), rel=1e-4)


def test_the_posterior_is_one_function_in_both_engines_and_at_one_time():
    data, rng = dataset(20, 2), np.random.default_rng(3)
    exact = ExactEngine(MODEL).condition(data, Inference(THETA, mean=0.2))
    other = BotorchEngine(MODEL).condition(data, Inference(THETA, mean=0.2))
    X = rng.random((30, 2))
    for t in (110.0, 60.0):  # after the data, and between
        both = np.array(exact.posterior(X, t))
        points = np.column_stack([X, np.full(30, t)])
        frozen = exact.state.at(t)

        assert both == pytest.approx(np.array(frozen.predict(points)), rel=1e-9)
        assert both == pytest.approx(np.array(other.posterior(X, t)), rel=1e-6)
        assert frozen.k.stationary


def test_the_search_finds_the_largest_ucb():
    data, rng = dataset(30, 2), np.random.default_rng(3)
    surrogate = ExactEngine(MODEL).condition(data, Inference(THETA))
    beta = default_beta(2, 30)
    x, t = surrogate.maximise_ucb(120.0, rng)

    assert t == 120.0
    best = surrogate.ucb(rng.random((5000, 2)), 120.0, beta).max()
    assert surrogate.ucb(x[None], 120.0, beta)[0] >= best - 1e-9
    assert Search(surrogate.state.at(120.0), beta, 120.0, 0.0).value(x[None]) == pytest.approx(
        surrogate.ucb(x[None], 120.0, beta)
    )


def test_without_drift_it_is_the_surrogate_without_time():
    data = dataset(20, 2)
    static = Hyperparameters(1.3, 0.4, None, 0.05)
    X = np.random.default_rng(3).random((10, 2))
    wiener, none = (
        np.array(ExactEngine(model).condition(data, Inference(theta)).posterior(X, 130.0))
        for model, theta in (
            (MODEL, Hyperparameters(1.3, 0.4, 1e300, 0.05)),
            (Model(2, temporal_kernel="none"), static),
        )
    )

    assert wiener == pytest.approx(none, rel=1e-12)


def test_the_variance_grows_linearly_with_the_age_of_the_newest_data_and_the_mean_stays():
    x = np.array([[0.3, 0.6]])
    data = Data.of(x, np.array([5.0]), np.array([2.0]))
    theta = Hyperparameters(1.3, 0.4, 25.0, 1e-12)
    surrogate = ExactEngine(MODEL).condition(data, Inference(theta))
    ages = np.array([0.0, 10.0, 20.0, 40.0])
    mean, sd = np.transpose([surrogate.posterior(x, 5.0 + age) for age in ages])[0]

    assert mean == pytest.approx([2.0] * 4)
    assert sd**2 == pytest.approx(1.3 / 25.0 * ages, abs=1e-9)


def test_ui_tvbo_keeps_all_or_the_newest():
    def kept(**values):
        spec = algorithms.get("ui-tvbo")
        params, rng = spec.parse(values), np.random.default_rng(0)
        optimizer = spec.build(Problem(1), rng, params=params, engine=EngineConfig())
        for i in range(20):
            optimizer.tell(Observation(i, (i / 20,), float(i), float(i % 3)))
            optimizer.infer(float(i))
            optimizer.prune(float(i), [])
        return [o.i for o in optimizer.dataset]

    assert kept() == list(range(20))
    assert kept(window=7) == list(range(13, 20))


def test_w2_scores_of_a_wiener_surrogate_are_those_of_leaving_out_one_by_one():
    from bolt_core.theory.wasserstein.nodes import nodes_near

    data = dataset(8, 2)
    surrogate = ExactEngine(MODEL).condition(data, Inference(THETA))
    now = 101.0
    k, Z, _, _ = surrogate.formula()
    nodes = nodes_near(k, Z[:, :-1], now, 512)
    whole = surrogate.posterior(nodes.Z[:, :-1], nodes.Z[:, -1])
    scores = surrogate.removal_scores(now)
    for i in range(3):
        rest = surrogate.without(i).posterior(nodes.Z[:, :-1], nodes.Z[:, -1])
        squared = nodes.weights @ ((whole[0] - rest[0]) ** 2 + (whole[1] - rest[1]) ** 2)
        assert scores[i] == pytest.approx(squared**0.5, rel=1e-6)
