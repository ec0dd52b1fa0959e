"""Correlation functions, against GPyTorch, autograd, and what a correlation must be."""

import gpytorch
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from bolt_core.common.errors import UnknownNameError
from bolt_core.common.types import Hyperparameters
from bolt_core.theory.kernels import (
    CORRELATIONS,
    SPATIAL,
    Covariance,
    correlation,
    distances,
    temporal_correlation,
)

R = np.concatenate([[0.0], np.geomspace(1e-6, 20.0, 40)])
GPYTORCH = {
    "matern12": lambda: gpytorch.kernels.MaternKernel(nu=0.5),
    "matern32": lambda: gpytorch.kernels.MaternKernel(nu=1.5),
    "matern52": lambda: gpytorch.kernels.MaternKernel(nu=2.5),
    "rbf": gpytorch.kernels.RBFKernel,
    "rq": gpytorch.kernels.RQKernel,
}
TORCH = {
    "matern12": lambda r: torch.exp(-r),
    "matern32": lambda r: (1 + 3**0.5 * r) * torch.exp(-(3**0.5) * r),
    "matern52": lambda r: (1 + 5**0.5 * r + 5 * r**2 / 3) * torch.exp(-(5**0.5) * r),
    "rbf": lambda r: torch.exp(-(r**2) / 2),
    "rq": lambda r: 1 / (1 + r**2 / 2),
}


@pytest.mark.parametrize("name", SPATIAL)
def test_each_correlation_equals_gpytorchs(name):
    kernel = GPYTORCH[name]().double()
    kernel.lengthscale = torch.tensor(0.7, dtype=torch.float64)
    if name == "rq":
        kernel.alpha = torch.tensor(1.0, dtype=torch.float64)
    x = torch.from_numpy(R)[:, None]
    theirs = kernel(x, torch.zeros(1, 1, dtype=torch.float64)).to_dense()[:, 0].detach().numpy()

    # gpytorch subtracts a mean first, which costs rounding of the size of the largest distance
    np.testing.assert_allclose(correlation(name)(R / 0.7), theirs, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("name", SPATIAL)
def test_slopes_equal_autograds(name):
    lengthscale = torch.tensor(np.log(0.7), requires_grad=True)
    distance = torch.from_numpy(R[1:]).clone().requires_grad_()
    value = TORCH[name](distance / torch.exp(lengthscale))
    k, r = correlation(name), R[1:] / 0.7
    (in_distance,) = torch.autograd.grad(value.sum(), distance, retain_graph=True)
    in_log_l = [torch.autograd.grad(v, lengthscale, retain_graph=True)[0].item() for v in value]

    np.testing.assert_allclose(-k.radial(r) * R[1:] / 0.7**2, in_distance, rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(r**2 * k.radial(r), in_log_l, rtol=1e-9, atol=1e-14)


def test_slopes_are_finite_at_distance_zero():
    zero = np.zeros(1)

    assert all(np.isfinite(k.radial(zero)).all() for k in CORRELATIONS.values())


@given(name=st.sampled_from(SPATIAL), r=st.floats(0, 1e3), more=st.floats(1e-3, 10))
def test_a_correlation_is_one_at_zero_and_falls(name, r, more):
    k = correlation(name)

    assert k(np.zeros(1))[0] == 1.0
    near, far = k(np.array([r]))[0], k(np.array([r + more]))[0]
    assert 0 <= far <= near + np.finfo(float).tiny  # below it, numbers have few digits
    assert near <= 1


@pytest.mark.parametrize("temporal", CORRELATIONS)
@pytest.mark.parametrize("spatial", SPATIAL)
def test_a_covariance_is_the_product_of_its_parts(spatial, temporal):
    rng = np.random.default_rng(1)
    Z, other = rng.random((5, 3)), rng.random((7, 3))
    k = Covariance(correlation(spatial), correlation(temporal), Hyperparameters(2.0, 0.3, 0.8, 0.1))
    r_S = np.linalg.norm(Z[:, None, :-1] - other[None, :, :-1], axis=-1) / 0.3
    r_T = np.abs(Z[:, None, -1] - other[None, :, -1]) / 0.8

    expected = 2.0 * correlation(spatial)(r_S) * correlation(temporal)(r_T)

    np.testing.assert_allclose(k.between(Z, other), expected, rtol=1e-13)


def test_duplicates_are_at_distance_zero():
    X = np.random.default_rng(0).random((4, 6))

    assert np.all(np.diagonal(distances(X, X.copy())) == 0)


def test_a_covariance_larger_than_one_chunk_has_no_seams():
    rng = np.random.default_rng(2)
    Z = rng.random((300, 3))
    theta = Hyperparameters(1.0, 0.3, 0.8, 0.1)
    k = Covariance(correlation("matern52"), correlation("matern32"), theta)
    K = k.between(Z, Z)

    assert np.array_equal(K[137:138], k.between(Z[137:138], Z))
    assert np.linalg.eigvalsh(K).min() > -1e-12  # positive semidefinite but for rounding


def test_the_temporal_correlation_takes_seconds():
    k_T = temporal_correlation("matern12", 60.0)

    assert k_T(np.array([60.0]))[0] == pytest.approx(np.exp(-1), rel=1e-15)


def test_an_unknown_kernel_names_the_choices():
    with pytest.raises(UnknownNameError, match="matern52"):
        correlation("matern53")
