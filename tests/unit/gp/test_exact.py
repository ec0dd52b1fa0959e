"""The exact engine's formulas against GPyTorch, autograd and brute force.

Tolerances: 1e-8 relative where both sides are float64 with K of condition up to 1e7 (noise 1e-4,
lambda 10, n = 100): each loses about eps * cond = 2e-9 of the largest term, not of the result.
"""

import numpy as np
import pytest
import torch
from botorch.acquisition.analytic import UpperConfidenceBound
from hypothesis import given, settings

from bolt_core.common.types import Hyperparameters
from bolt_core.gp import botorch_model
from bolt_core.gp.botorch import to_botorch
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.likelihood import Likelihood
from bolt_core.gp.protocol import Data, Inference, Model, default_beta
from bolt_core.gp.ucb import Search
from bolt_core.gp.workspace import Workspace
from tests.support import torch_gp
from tests.support.gp_cases import NOW, THETA, case, dataset, kernel_pairs, seeds, thetas

SHAPES = [(n, d) for n in (1, 2, 15, 100) for d in (1, 2, 3, 6)]
over_shapes = pytest.mark.parametrize(("n", "d"), SHAPES)
over_cases = given(pair=kernel_pairs, theta=thetas, seed=seeds)
SMOOTH_PAIRS = [("matern52", "matern32"), ("rbf", "rbf"), ("rq", "rq"), ("matern32", "none")]
KINKED = 1e-5  # GPyTorch's own error with Matern-1/2: 1e-8 in K, times up to 1 / noise; torch_gp.py
few = settings(max_examples=10, deadline=None, derandomize=True)


def log_values(theta):
    return np.log(
        [
            theta.signal_variance,
            theta.lengthscale_space,
            theta.lengthscale_time or 1.0,
            theta.noise_variance,
        ]
    )


def ucb_with_gradient(state, points, beta):
    """Alpha and its gradient in x and t; at a fixed time it has the same parts."""
    U = np.column_stack([points[:, :-1], np.full(len(points), 0.25)])
    t, window = points[0, -1], 8.0
    alpha, gradient = Search(state, beta, t - 0.25 * window, window).value_and_gradient(U)
    fixed, in_space = Search(state, beta, t, 0.0).value_and_gradient(points[:, :-1])

    np.testing.assert_allclose(fixed, alpha, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(in_space, gradient[:, :-1], rtol=1e-9, atol=1e-9)
    gradient[:, -1] /= window
    return alpha, gradient


def tensors(*arrays):
    return tuple(torch.from_numpy(np.array(a)) for a in arrays)


def close(ours, theirs, tolerance, scale):
    """Equal to `tolerance`, relative to each value or to the scale of the problem."""
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * scale)


def likelihood(model, data, known):
    y = (data.y - known.y_mean) / known.y_sd
    return Likelihood(model, data, y, Workspace())


@over_shapes
@few
@over_cases
def test_likelihood_and_gradient_equal_gpytorchs(n, d, pair, theta, seed):
    model, data, known = case(n, d, pair, theta, seed)
    ours = likelihood(model, data, known)
    loss, gradient = ours(ours.pack(known.theta))
    targets = botorch_model.Targets(ours.y, known.theta, ours.mean)
    theirs, expected = torch_gp.loss_and_gradient(model, data, targets)

    tolerance = KINKED if "matern12" in pair else 1e-8
    assert loss == pytest.approx(theirs, rel=tolerance, abs=tolerance * n)
    close(gradient, expected, tolerance, n)


@over_shapes
def test_likelihood_equals_the_textbook(n, d):
    model, data, known = case(n, d, ("matern52", "matern32"), THETA, 3)
    ours = likelihood(model, data, known)
    loss, _ = ours(ours.pack(THETA))
    K = model.covariance(THETA).between(data.Z, data.Z)
    A = K + THETA.noise_variance * np.diag(data.weights)
    ones = np.ones(n)
    m = ones @ np.linalg.solve(A, ours.y) / (ones @ np.linalg.solve(A, ones))
    r = ours.y - m
    textbook = 0.5 * (r @ np.linalg.solve(A, r) + np.linalg.slogdet(2 * np.pi * A)[1])

    assert loss == pytest.approx(textbook, rel=1e-10)
    assert ours.mean == pytest.approx(m, rel=1e-10)


def test_the_profiled_mean_is_the_most_likely_one():
    model, data, known = case(40, 2, ("matern52", "matern32"), THETA, 5)
    ours = likelihood(model, data, known)
    p = ours.pack(THETA)
    loss, _ = ours(p)
    M = np.linalg.inv(
        model.covariance(THETA).between(data.Z, data.Z)
        + THETA.noise_variance * np.diag(data.weights)
    )

    for shift in (-1e-3, 1e-3):
        r = ours.y - ours.mean - shift
        log_det = -np.linalg.slogdet(M / (2 * np.pi))[1]
        assert 0.5 * (r @ M @ r + log_det) > loss


@pytest.mark.parametrize("temporal", ["matern32", "none"])
def test_the_gradient_equals_central_differences(temporal):
    theta = Hyperparameters(1.3, 0.4, None if temporal == "none" else 30.0, 0.02)
    model, data, known = case(30, 3, ("matern52", temporal), theta, 7)
    ours = likelihood(model, data, known)
    p = ours.pack(theta)
    _, gradient = ours(p)
    steps = 1e-5 * np.eye(len(p))
    numeric = [(ours(p + h)[0] - ours(p - h)[0]) / 2e-5 for h in steps]

    # central differences of a loss of about 40: 1e-10 truncation, 40 eps / 1e-5 = 1e-9 rounding
    np.testing.assert_allclose(gradient, numeric, rtol=1e-7, atol=1e-7)


@over_shapes
@few
@over_cases
def test_the_gradient_equals_autograds_through_the_profiled_mean(n, d, pair, theta, seed):
    model, data, known = case(n, d, pair, theta, seed)
    ours = likelihood(model, data, known)
    loss, gradient = ours(ours.pack(known.theta))
    p = torch.tensor(log_values(theta), requires_grad=True)
    theirs = torch_gp.loss(*tensors(data.Z, ours.y, data.weights), pair, p)
    theirs.backward()
    expected = p.grad.numpy() if model.sees_time else np.delete(p.grad.numpy(), 2)

    assert loss == pytest.approx(theirs.item(), rel=1e-8)
    close(gradient, expected, 1e-8, n)


@over_shapes
@few
@over_cases
def test_the_posterior_equals_gpytorchs_and_a_plain_one(n, d, pair, theta, seed):
    model, data, known = case(n, d, pair, theta, seed)
    ours = ExactEngine(model).condition(data, known)
    X = np.random.default_rng(seed).random((9, d))
    points = np.column_stack([X, np.full(9, NOW)])
    mu, sigma = ours.posterior(X, NOW)
    gp = to_botorch(ours)
    with torch.no_grad():
        theirs = gp.posterior(torch.from_numpy(points))
    plain = torch_gp.posterior(
        *tensors(points, data.Z, ours.state.residual, data.weights),
        pair,
        torch.exp(torch.tensor(log_values(theta))),
    )
    lam = theta.signal_variance * known.y_sd**2
    mean = known.y_mean + known.y_sd * (known.mean + plain[0].numpy())

    close(mu, mean, 1e-8, np.abs(data.y).max())
    close(sigma**2, known.y_sd**2 * plain[1].numpy(), 1e-8, lam)
    tolerance = KINKED if "matern12" in pair else 1e-8
    close(mu, theirs.mean[:, 0].numpy(), tolerance, np.abs(data.y).max())
    close(sigma**2, theirs.variance[:, 0].numpy(), tolerance, lam)


@over_shapes
@few
@over_cases
def test_the_gradient_of_ucb_equals_autograds(n, d, pair, theta, seed):
    model, data, known = case(n, d, pair, theta, seed)
    ours = ExactEngine(model).condition(data, known)
    beta = default_beta(d, max(n, 2))
    X = np.random.default_rng(seed + 1).random((4, d))
    points = np.column_stack([X, np.full(4, NOW + 1)])
    alpha, gradient = ucb_with_gradient(ours.state, points, beta)
    z = torch.from_numpy(points).requires_grad_()
    values = torch.exp(torch.tensor(log_values(theta)))
    rest = tensors(data.Z, ours.state.residual, data.weights)
    mean, variance = torch_gp.posterior(z, *rest, pair, values)
    theirs = known.mean + mean + beta**0.5 * variance.sqrt()
    theirs.sum().backward()
    scale = np.abs(z.grad.numpy()).max() + theta.signal_variance**0.5

    close(alpha, theirs.detach().numpy(), 1e-8, theta.signal_variance**0.5)
    close(gradient, z.grad.numpy(), 1e-8, scale)


@pytest.mark.parametrize("pair", SMOOTH_PAIRS)
def test_ucb_and_its_gradient_equal_botorchs(pair):
    model, data, known = case(40, 3, pair, THETA, 2)
    ours = ExactEngine(model).condition(data, known)
    points = np.column_stack([np.random.default_rng(3).random((5, 3)), np.full(5, NOW + 1)])
    alpha, gradient = ucb_with_gradient(ours.state, points, 2.0)
    gp = botorch_model.build(model, data, botorch_model.standardised(data, known))
    gp.eval()
    z = torch.from_numpy(points).requires_grad_()
    theirs = UpperConfidenceBound(gp, beta=2.0)(z[:, None, :])
    theirs.sum().backward()

    np.testing.assert_allclose(alpha, theirs.detach().numpy(), rtol=1e-8)
    close(gradient, z.grad.numpy(), 1e-8, np.abs(gradient).max())


@given(pair=kernel_pairs, theta=thetas, seed=seeds)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_leave_one_out_equals_conditioning_on_the_rest(pair, theta, seed):
    model, data, known = case(12, 2, pair, theta, seed)
    engine = ExactEngine(model)
    surrogate = engine.condition(data, known)
    mu, sigma = surrogate.leave_one_out()
    scale = known.y_sd * max(known.theta.signal_variance, 1.0)

    for i in (0, 5, 11):
        rest = engine.condition(data.without(i), known)
        expected = rest.posterior(data.Z[i, :-1], data.Z[i, -1])
        # M is as large as 1 / noise = 1e4: 1e-9 is eps times that, squared by 1 / M_ii - noise
        assert mu[i] == pytest.approx(expected[0][0], rel=1e-9, abs=1e-9 * scale)
        assert sigma[i] ** 2 == pytest.approx(expected[1][0] ** 2, rel=1e-9, abs=1e-9 * scale**2)


def test_removals_downdate_to_what_conditioning_on_the_rest_gives():
    model, data, known = case(30, 3, ("matern52", "matern32"), THETA, 9)
    engine = ExactEngine(model)
    downdated, rest = engine.condition(data, known), data
    for i in (29, 3, 0, 11, 7):
        downdated, rest = downdated.without(i), rest.without(i)
    X = np.random.default_rng(0).random((20, 3))
    expected = engine.condition(rest, known)

    np.testing.assert_allclose(
        downdated.posterior(X, NOW), expected.posterior(X, NOW), rtol=1e-10, atol=1e-10
    )
    left = downdated.state.compact()
    np.testing.assert_allclose(left.a, expected.state.a, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        downdated.state.inverse(), expected.state.inverse(), rtol=1e-9, atol=1e-9
    )


def test_a_weight_of_two_is_half_the_evidence():
    once, theta = dataset(6, 2, 1), Hyperparameters(1.0, 0.5, 50.0, 0.1)
    Z, y = np.repeat(once.Z, 2, axis=0), np.repeat(once.y, 2)
    doubled = Data(Z, y, np.full(12, 2.0))
    engine, X = ExactEngine(Model(2)), np.random.default_rng(0).random((5, 2))
    pairs = engine.condition(doubled, Inference(theta)).posterior(X, NOW)

    # two observations of noise 2 s at one point are one of noise s
    single = engine.condition(once, Inference(theta)).posterior(X, NOW)
    np.testing.assert_allclose(pairs, single, rtol=1e-10, atol=1e-12)
