"""One lengthscale per knob, and choices: the formulas against GPyTorch and differences."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core.bench.datasets import from_gp
from bolt_core.common.domain import Domain
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import Hyperparameters
from bolt_core.gp import botorch, botorch_model, load
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.likelihood import Likelihood
from bolt_core.gp.protocol import Bounds, Data, FitRequest, Inference, Model, cold_starts
from bolt_core.gp.ucb import Search
from bolt_core.gp.workspace import Workspace
from tests.support import torch_gp
from tests.support.gp_cases import NOW, dataset, kernel_pairs, log_uniform, seeds, without_time

KINKED = 1e-5  # GPyTorch's own error with Matern-1/2, see test_exact.py
CHOICES = Domain((0, 3, 5, 0), (False, True, False, False))


def thetas(d):
    return st.builds(
        Hyperparameters,
        signal_variance=log_uniform(0.1, 10.0),
        lengthscale_space=st.tuples(*[log_uniform(0.05, 3.0)] * d),
        lengthscale_time=log_uniform(5.0, 1000.0),
        noise_variance=log_uniform(1e-3, 1.0),
    )


def likelihood(model, data):
    return Likelihood(model, data, data.y, Workspace())


def settable(n, domain, seed=0):
    data = dataset(n, domain.dimension, seed, weighted=True)
    return Data.of(domain.snap(data.Z[:, :-1]), data.Z[:, -1], data.y, data.weights)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    data=st.data(),
    pair=kernel_pairs,
    seed=seeds,
    n=st.sampled_from([2, 15, 60]),
    d=st.integers(1, 6),
)
def test_likelihood_and_gradient_equal_gpytorchs(data, pair, seed, n, d):
    theta = without_time(data.draw(thetas(d)), pair[1])
    model, observed = Model(d, *pair, ard=True), dataset(n, d, seed, weighted=True)
    ours = likelihood(model, observed)
    loss, gradient = ours(ours.pack(theta))
    targets = botorch_model.Targets(ours.y, theta, ours.mean)
    theirs, expected = torch_gp.loss_and_gradient(model, observed, targets)

    # K of condition up to 1e5 (noise 1e-3, lambda 10, n = 60): eps * cond = 2e-11 of the terms
    tolerance = KINKED if "matern12" in pair else 1e-9
    assert loss == pytest.approx(theirs, rel=tolerance, abs=tolerance * n)
    np.testing.assert_allclose(gradient, expected, rtol=tolerance, atol=tolerance * n)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(theta=thetas(4), pair=kernel_pairs, seed=seeds, domain=st.sampled_from([None, CHOICES]))
def test_the_gradient_equals_central_differences(theta, pair, seed, domain):
    model = Model(4, *pair, ard=True, domain=domain)
    observed = dataset(30, 4, seed) if domain is None else settable(30, domain, seed)
    ours = likelihood(model, observed)
    p = ours.pack(without_time(theta, pair[1]))
    _, gradient = ours(p)
    steps = 1e-4 * np.eye(len(p))
    numeric = [(ours(p + h)[0] - ours(p - h)[0]) / 2e-4 for h in steps]

    # third derivatives of a loss of some 100 times 1e-8 / 6, and eps * 100 / 1e-4 of rounding
    np.testing.assert_allclose(gradient, numeric, rtol=1e-6, atol=1e-6 * 30)


def test_choices_have_a_gradient_with_one_lengthscale_too():
    theta, model = Hyperparameters(1.3, 0.6, 30.0, 0.02), Model(4, domain=CHOICES)
    ours = likelihood(model, settable(30, CHOICES))
    p = ours.pack(theta)
    _, gradient = ours(p)
    numeric = [(ours(p + h)[0] - ours(p - h)[0]) / 2e-5 for h in 1e-5 * np.eye(len(p))]

    np.testing.assert_allclose(gradient, numeric, rtol=1e-6, atol=1e-6)


def test_equal_lengthscales_are_one():
    observed = dataset(40, 3, 2, weighted=True)
    one, three = Hyperparameters(1.3, 0.4, 30.0, 0.02), Hyperparameters(1.3, (0.4,) * 3, 30.0, 0.02)
    losses = [likelihood(Model(3, ard=ard), observed) for ard in (False, True)]
    (loss, gradient), (other, by_knob) = (
        f(f.pack(theta)) for f, theta in zip(losses, (one, three), strict=True)
    )

    assert other == pytest.approx(loss, rel=1e-12)
    assert by_knob[1:4].sum() == pytest.approx(gradient[1], rel=1e-9)
    engines = [ExactEngine(Model(3, ard=ard)) for ard in (False, True)]
    plain, ard = (
        e.condition(observed, Inference(theta))
        for e, theta in zip(engines, (one, three), strict=True)
    )
    X = np.random.default_rng(0).random((9, 3))
    np.testing.assert_allclose(plain.posterior(X, NOW), ard.posterior(X, NOW), rtol=1e-9)
    np.testing.assert_allclose(plain.removal_scores(NOW), ard.removal_scores(NOW), rtol=1e-9)
    np.testing.assert_allclose(
        plain.bound_scores(NOW).relative(), ard.bound_scores(NOW).relative(), rtol=1e-9
    )


@settings(max_examples=20, deadline=None, derandomize=True)
@given(
    theta=thetas(4),
    pair=kernel_pairs.filter(lambda pair: "matern12" not in pair),  # it has kinks at the data
    seed=seeds,
    domain=st.sampled_from([None, CHOICES]),
    window=st.sampled_from([0.0, 12.0]),
)
def test_the_gradient_of_ucb_equals_central_differences(theta, pair, seed, domain, window):
    model = Model(4, *pair, ard=True, domain=domain)
    observed = dataset(25, 4, seed) if domain is None else settable(25, domain, seed)
    known = Inference(without_time(theta, pair[1]), mean=0.2)
    search = Search(ExactEngine(model).condition(observed, known).state, 2.0, NOW, window)
    U = np.random.default_rng(seed).random((6, search.free))
    if domain is not None:
        U[:, :4] = domain.snap(U[:, :4])
    value, gradient = search.value_and_gradient(U)
    steps = 1e-6 * np.eye(search.free)
    numeric = np.stack([(search.value(U + h) - search.value(U - h)) / 2e-6 for h in steps], axis=1)

    np.testing.assert_allclose(value, search.value(U), rtol=1e-10, atol=1e-10)
    # values of some sqrt(lambda) to 1e-11 after a solve of condition 1e5, over a step of 1e-6
    scale = theta.signal_variance**0.5
    np.testing.assert_allclose(gradient, numeric, rtol=2e-4, atol=2e-4 * scale)
    for k in () if domain is None else domain.choices:
        assert not gradient[:, k].any()


@pytest.mark.parametrize("domain", [None, CHOICES])
def test_the_posterior_equals_the_textbook(domain):
    theta = Hyperparameters(1.3, (0.3, 0.8, 2.0, 0.5), 30.0, 0.02)
    observed = dataset(20, 4, 1) if domain is None else settable(20, domain, 1)
    points = dataset(5, 4, 2) if domain is None else settable(5, domain, 2)
    model = Model(4, "rbf", "rbf", ard=True, domain=domain)
    surrogate = ExactEngine(model).condition(observed, Inference(theta))

    def covariance(Z, other):
        K = np.empty((len(Z), len(other)))
        for i, z in enumerate(Z):
            for j, o in enumerate(other):
                apart = (z[:4] - o[:4]) ** 2
                if domain is not None:
                    apart[1] = 0.25 * (int(z[1] * 3) != int(o[1] * 3))  # 3 levels
                r2 = np.sum(apart / np.array(theta.lengthscale_space) ** 2)
                K[i, j] = 1.3 * np.exp(-r2 / 2 - ((z[4] - o[4]) / 30.0) ** 2 / 2)
        return K

    A = covariance(observed.Z, observed.Z) + 0.02 * np.diag(observed.weights)
    K = covariance(points.Z, observed.Z)
    mean = K @ np.linalg.solve(A, observed.y)
    variance = 1.3 - np.einsum("ij,ji->i", K, np.linalg.solve(A, K.T))
    mu, sigma = surrogate.posterior(points.Z[:, :4], points.Z[:, 4])
    np.testing.assert_allclose(mu, mean, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(sigma, np.sqrt(variance), rtol=1e-8)


def test_the_order_of_a_choices_values_does_not_matter():
    theta = Hyperparameters(1.0, (0.4, 0.7, 0.5, 0.6), 30.0, 0.02)
    observed = settable(25, CHOICES)
    swapped = observed.Z.copy()
    swapped[:, 1] = 1.0 - swapped[:, 1]  # the values in reverse
    engine = ExactEngine(Model(4, ard=True, domain=CHOICES))
    first = engine.condition(observed, Inference(theta))
    second = engine.condition(replace(observed, Z=swapped), Inference(theta))
    X = CHOICES.snap(np.random.default_rng(1).random((7, 4)))
    mirrored = X.copy()
    mirrored[:, 1] = 1.0 - mirrored[:, 1]

    np.testing.assert_allclose(first.posterior(X, NOW), second.posterior(mirrored, NOW), rtol=1e-10)


def test_values_that_left_the_range_are_different_from_all_others():
    Z = np.array([[0.5, 0.5], [1.5 / 1.0, 0.5], [2.5, 0.5]])
    domain = Domain((2, 0), (True, False))
    k = Model(2, domain=domain).covariance(Hyperparameters(1.0, 1.0, 10.0, 0.1))
    at = np.column_stack([Z, np.zeros(3)])

    assert np.allclose(k.space_radii(at[:, :2], at[:, :2]), 3**-0.5 * (1.0 - np.eye(3)))


@pytest.mark.parametrize("name", ["exact", "botorch"])
def test_a_fit_recovers_unequal_lengthscales(name):
    model, rng = Model(3, ard=True), np.random.default_rng(0)
    observed = from_gp(np.random.default_rng(4), model, 150, (0.2, 0.6, 3.0))
    fitted = load(name, model).fit(observed, FitRequest(150.0), rng)
    scales = fitted.inference.theta.lengthscale_space

    # one draw of 150 points says the shortest to some 20 %; the longest only that it is long
    assert scales[0] == pytest.approx(0.2, rel=0.5)
    assert scales[0] < scales[1] < scales[2]
    assert scales[2] > 1.0
    stored = json.loads(json.dumps(fitted.inference.to_json()))
    assert Inference.from_json(stored) == fitted.inference


def test_both_engines_find_the_same_optimum_and_posterior():
    model, rng = Model(2, ard=True), np.random.default_rng(0)
    observed = from_gp(np.random.default_rng(3), model, 60, (0.3, 0.9))
    exact, reference = (
        load(name, model).fit(observed, FitRequest(61.0), rng) for name in ("exact", "botorch")
    )
    X = rng.random((8, 2))
    same = load("botorch", model).condition(observed, exact.inference)

    assert exact.inference.loss == pytest.approx(reference.inference.loss, abs=1e-3 * 60)
    np.testing.assert_allclose(exact.posterior(X, 61.0), same.posterior(X, 61.0), rtol=1e-8)
    raw = botorch.to_botorch(exact).posterior(
        botorch_model.tensor(np.column_stack([X, np.full(8, 61.0)]))
    )
    np.testing.assert_allclose(
        raw.mean.detach().numpy()[:, 0], exact.posterior(X, 61.0)[0], rtol=1e-8
    )


def test_bounds_and_cold_starts_have_one_lengthscale_per_knob():
    start = cold_starts(Model(3, ard=True), 100.0)[0]
    clipped = Bounds().clip(replace(start, lengthscale_space=(1e-9, 0.3, 1e9)))

    assert start.lengthscale_space == (0.5,) * 3
    assert clipped.lengthscale_space == pytest.approx((np.exp(-4), 0.3, np.exp(3)))


def test_choices_are_refused_by_the_reference_engine():
    with pytest.raises(ConfigError, match="exact"):
        load("botorch", Model(4, domain=CHOICES))
