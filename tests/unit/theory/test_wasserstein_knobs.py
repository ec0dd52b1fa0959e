"""W_2 and the published bound with one lengthscale per knob, and with knobs that have levels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad

from bolt_core.common.domain import Domain
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.kernels import Covariance, correlation
from bolt_core.theory.wasserstein import BoundScores, RemovalScores, nodes_near, uniform_nodes
from bolt_core.theory.wasserstein.bound import spatial_products
from bolt_core.theory.wasserstein.integrals import over_future
from tests.support.gp_cases import NOW, dataset, kernel_pairs, seeds, without_time
from tests.unit.theory.test_wasserstein import brute_force

DOMAIN = Domain((0, 4, 3, 0), (False, False, True, False))
SCALES = (0.15, 0.6, 0.8, 2.0)


def surrogate(n, domain=None, pair=("matern52", "matern32"), seed=0, scales=SCALES):
    d = len(scales)
    theta = without_time(Hyperparameters(1.3, scales, 30.0, 0.02), pair[1])
    data = dataset(n, d, seed, weighted=True)
    if domain is not None:
        data = Data.of(domain.snap(data.Z[:, :-1]), data.Z[:, -1], data.y, data.weights)
    model = Model(d, *pair, ard=True, domain=domain)
    return ExactEngine(model).condition(data, Inference(theta, mean=0.2))


@settings(max_examples=15, deadline=None, derandomize=True)
@given(pair=kernel_pairs, seed=seeds, n=st.integers(2, 20), domain=st.sampled_from([None, DOMAIN]))
def test_scores_equal_brute_force(pair, seed, n, domain):
    gp = surrogate(n, domain, pair, seed)
    k, Z, M, a = gp.formula()
    nodes = nodes_near(k, Z[:, :-1], NOW, 64)

    # as in test_wasserstein.py: brute force subtracts two standard deviations
    scores = RemovalScores(k, Z, M, a, nodes).scores()
    np.testing.assert_allclose(scores, brute_force(gp, nodes), rtol=1e-9, atol=1e-9)
    if domain is not None:
        assert np.allclose(domain.snap(nodes.Z[:, :-1]), nodes.Z[:, :-1])


@pytest.mark.parametrize("domain", [None, DOMAIN, Domain((2, 2, 3, 9), (True, False, True, False))])
def test_nodes_integrate_over_the_box_and_average_over_levels(domain):
    k = surrogate(6, domain).state.k
    centres = 0.2 * np.random.default_rng(0).random((6, 4))  # all in one corner
    if domain is not None:
        centres = domain.snap(centres)
    nodes = nodes_near(k, centres, NOW, 2**13)
    x, length = nodes.Z[:, :-1], 2 * 30.0

    assert nodes.weights.sum() == pytest.approx(length, rel=0.03)
    for j in range(4):
        m = 0 if domain is None else domain.levels[j]
        expected = 1 / 3 if m == 0 else np.mean(((np.arange(m) + 0.5) / m) ** 2)
        assert nodes.weights @ x[:, j] ** 2 == pytest.approx(length * expected, rel=0.06)
        for level in range(m):
            share = nodes.weights[np.floor(x[:, j] * m) == level].sum()
            assert share == pytest.approx(length / m, rel=0.1)
    crowded = np.abs(x[:, 0] - centres[:, 0].mean()) < 0.3
    assert crowded.mean() > 0.45  # of uniform nodes about 0.4 would be there


def test_scores_by_nodes_near_the_data_agree_with_uniform_ones():
    """Two rules of many nodes integrate the same function, over the levels too."""
    gp = surrogate(8, DOMAIN, scales=(0.3, 0.6, 0.8, 2.0))
    k, Z, M, a = gp.formula()
    near = RemovalScores(k, Z, M, a, nodes_near(k, Z[:, :-1], NOW, 2**15)).scores()
    plain = RemovalScores(k, Z, M, a, uniform_nodes(k, 4, NOW, 2**15)).scores()

    np.testing.assert_allclose(near, plain, rtol=0.03)


@pytest.mark.parametrize("spatial", ["rbf", "matern52"])
def test_integrals_over_the_plane_equal_quadrature(spatial):
    theta = Hyperparameters(1.0, (0.2, 0.7), 30.0, 0.1)
    k = Covariance(correlation(spatial), correlation("matern32"), theta)
    X = np.array([[0.1, 0.2], [0.3, 0.9]])

    def product(v, u):
        r = np.hypot((np.array([u]) - X[:, 0]) / 0.2, (np.array([v]) - X[:, 1]) / 0.7)
        return float(np.prod(k.spatial(r)))

    expected, _ = dblquad(product, -4.0, 4.5, -8.0, 9.0, epsabs=1e-7, epsrel=1e-5)

    # the adaptive rule stops at 1e-5, and cuts tails of e^-20
    assert spatial_products(k, X)[0, 1] == pytest.approx(expected, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("scales", [(0.1,), (0.08, 0.2), (0.2, 0.1, 0.3)])
def test_bound_scores_equal_integration_by_nodes(scales):
    """Brute force: nodes around the data in a box that is wider than the data on every side."""
    d, l_S = len(scales), np.array(scales)
    gp = surrogate(12, scales=scales, seed=3)
    k, Z, M, a = gp.formula()
    margin = 8 * l_S.max()
    width = 1 + 2 * margin
    theta = Hyperparameters(1.0, tuple(l_S / width), 30.0, 0.02)
    wide = Covariance(k.spatial, k.temporal, theta)
    nodes = nodes_near(wide, (Z[:, :-1] + margin) / width, 0.0, 2**16, 0.9)
    places, weights = nodes.Z[:, :-1] * width - margin, nodes.weights * width**d / 60.0
    r = np.sqrt((((Z[:, None, :-1] - places) / l_S) ** 2).sum(-1))
    Phi = k.spatial(r)
    C = (Phi * weights) @ Phi.T * over_future(k.temporal, NOW - Z[:, -1], 30.0)
    diagonal = np.diagonal(M)
    brute = 1.3 * np.sqrt(np.diagonal(M @ C @ M) * (a**2 + diagonal)) / diagonal

    # 65,536 nodes: about 1 % of each score
    scores = BoundScores(k, Z, M, a, NOW)
    np.testing.assert_allclose(scores.scores(), brute, rtol=0.03)
    whole = 1.3 * np.sqrt(a @ C @ a + np.vdot(M, C))
    np.testing.assert_allclose(scores.relative(), brute / whole, rtol=0.03)


def test_the_bound_with_choices_is_the_mean_over_their_values():
    gp = surrogate(15, DOMAIN, scales=(0.3, 0.6, 0.8, 2.0))
    k, Z, _, _ = gp.formula()
    fine = uniform_nodes(k, 4, 0.0, 2**15)
    Phi = k.spatial(k.space_radii(Z[:, :-1], fine.Z[:, :-1]))
    expected = (Phi * fine.weights / 60.0) @ Phi.T

    np.testing.assert_allclose(spatial_products(k, Z[:, :-1]), expected, rtol=0.1)
