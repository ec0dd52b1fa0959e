"""The published bound of W-DBO: equal to the public package, and to integration by other means."""

from dataclasses import replace

import numpy as np
import pytest
import wdbo_criterion
from scipy.integrate import quad
from scipy.special import gamma

from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.kernels import SMOOTHNESS, TEMPORAL, Covariance, correlation, distances
from bolt_core.theory.wasserstein import BoundScores, RemovalScores, nodes_near, uniform_nodes
from bolt_core.theory.wasserstein.integrals import over_all_space, over_future
from tests.support.gp_cases import NOW, conditioned, dataset

# The example of the public wdbo-criterion README, and what that package gives for it.
README_X = np.array(
    [
        [0.9687505, 0.33303383, 0.91202209, 0.05732997, 0.4390582],
        [0.80951052, 0.80318733, 0.22482374, 0.37230322, 0.98726084],
        [0.86916179, 0.46339954, 0.21277571, 0.07380144, 0.56478391],
        [0.40247319, 0.9790963, 0.98341625, 0.54941297, 0.21665171],
    ]
)
README_T = np.array([0.04599568, 0.09191627, 0.09606597, 0.06932814])
README_Y = np.array([-1.39654819, -1.27302667, -1.39127814, 2.10939348])
README_THETA = Hyperparameters(0.72971242, 0.2908291, 0.18401412, 0.3)
README_NOW = 0.3383822445869446


def wheel(X, t, y, theta, nu, normalise):
    space = wdbo_criterion.MaternKernel(theta.lengthscale_space, 2.5)
    time = wdbo_criterion.MaternKernel(theta.lengthscale_time, nu)
    scales = (theta.signal_variance, theta.noise_variance)
    return wdbo_criterion.wasserstein_criterion(
        X.copy(), y.copy(), t.copy(), len(y), X.shape[1], *scales, space, time, 1.0, 0, normalise
    )


def bounded(X, t, y, theta, pair, now):
    data = Data.of(X, t, y)
    surrogate = ExactEngine(Model(X.shape[1], *pair)).condition(data, Inference(theta))
    return BoundScores(*surrogate.formula(), now)


@pytest.mark.parametrize(("temporal", "nu"), [("matern32", 1.5), ("matern52", 2.5)])
@pytest.mark.parametrize("d", [1, 3, 6])
@pytest.mark.parametrize("l_S", [0.15, 0.3])
def test_the_bound_equals_the_public_package(d, l_S, temporal, nu):
    rng = np.random.default_rng(d)
    X, t, y = rng.random((25, d)), np.sort(rng.random(25)), rng.standard_normal(25)
    theta = Hyperparameters(1.2, l_S, 0.4, 0.05)
    ours = bounded(X, t, y, theta, ("matern52", temporal), 1.0)

    # its distances have a floor of 1e-5
    expected = wheel(X, t, y, theta, nu, normalise=1)
    np.testing.assert_allclose(ours.relative(), expected, rtol=1e-5)
    raw = wheel(X, t, y, theta, nu, normalise=0)
    np.testing.assert_allclose(ours.scores(), raw, rtol=1e-5)


def test_the_published_example_is_reproduced():
    matern = bounded(
        README_X, README_T, README_Y, README_THETA, ("matern52", "matern32"), README_NOW
    )
    rbf = bounded(README_X, README_T, README_Y, README_THETA, ("rbf", "rbf"), README_NOW)

    # eight printed digits; the package's distance floor shows in the seventh
    relative = [0.34711449, 0.43448131, 0.46093728, 0.58132662]
    np.testing.assert_allclose(matern.relative(), relative, rtol=1e-6)
    raw = [0.01387106, 0.01736233, 0.01841954, 0.02323043]
    np.testing.assert_allclose(matern.scores(), raw, rtol=1e-6)
    exact = [0.32511000, 0.45287314, 0.48824667, 0.56682154]
    np.testing.assert_allclose(rbf.relative(), exact, rtol=1e-6)


@pytest.mark.parametrize("temporal", [name for name in TEMPORAL if name != "none"])
def test_integrals_over_the_future_equal_quadrature(temporal):
    k, age = correlation(temporal), np.array([0.0, 0.3, 1.7, 6.0])
    C = over_future(k, age, 0.8)
    for i in range(4):
        for j in range(4):

            def product(s, i=i, j=j):
                return (k(np.array([(s + age[i]) / 0.8])) * k(np.array([(s + age[j]) / 0.8])))[0]

            expected = quad(product, 0, np.inf, epsabs=1e-14, epsrel=1e-12)[0]
            assert C[i, j] == pytest.approx(expected, rel=1e-8, abs=1e-13)


@pytest.mark.parametrize("spatial", ["rbf", "matern12", "matern32", "matern52"])
def test_integrals_over_all_space_equal_quadrature_on_a_line(spatial):
    k, r = correlation(spatial), np.array([0.0, 1e-8, 0.1, 0.5, 2.0])
    for distance, value in zip(r, over_all_space(k, r, 0.3, 1), strict=True):

        def product(x, distance=distance):
            pair = np.array([abs(x), abs(x - distance)]) / 0.3
            return np.prod(k(pair))

        points = [0.0, distance]
        expected = quad(product, -15, 15, points=points, limit=400, epsabs=1e-14)[0]
        assert value == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("d", [2, 3, 6])
@pytest.mark.parametrize("spatial", ["rbf", "matern12", "matern32", "matern52"])
def test_integrals_over_all_space_equal_those_of_the_spectrum(spatial, d):
    """Parseval: the convolution of k_S with itself is the transform of its squared spectrum.

    At r = 0 that is (2 pi)^-d int S(|omega|)^2 d omega, a radial integral.
    """
    l_S = 0.3
    surface = 2 * np.pi ** (d / 2) / gamma(d / 2)
    nu = SMOOTHNESS.get(spatial)
    if nu is None:
        volume = (2 * np.pi) ** (d / 2) * l_S**d

        def spectrum(w):
            return volume * np.exp(-((w * l_S) ** 2) / 2)
    else:
        alpha = np.sqrt(2 * nu) / l_S
        volume = 2**d * np.pi ** (d / 2) * gamma(nu + d / 2) / gamma(nu) * alpha ** (2 * nu)

        def spectrum(w):
            return volume * (alpha**2 + w**2) ** -(nu + d / 2)

    radial = quad(lambda w: spectrum(w) ** 2 * w ** (d - 1), 0, np.inf, epsrel=1e-10)[0]

    at_zero = over_all_space(correlation(spatial), np.zeros(1), l_S, d)[0]
    assert at_zero == pytest.approx(surface * radial / (2 * np.pi) ** d, rel=1e-7)


@pytest.mark.parametrize(("d", "l_S"), [(1, 0.1), (2, 0.1), (6, 0.2)])
def test_scores_over_all_space_equal_integration_by_nodes(d, l_S):
    """Brute force: nodes around the data in a box that is wider than the data on every side."""
    margin = 8 * l_S
    width = 1 + 2 * margin
    theta = Hyperparameters(1.0, l_S, 60.0, 0.05)
    surrogate = ExactEngine(Model(d)).condition(dataset(12, d, 3), Inference(theta))
    k, Z, M, a = surrogate.formula()
    wide = Covariance(k.spatial, k.temporal, replace(theta, lengthscale_space=l_S / width))
    nodes = nodes_near(wide, (Z[:, :-1] + margin) / width, 0.0, 2**16, 0.9)
    places, weights = nodes.Z[:, :-1] * width - margin, nodes.weights * width**d / 120.0
    Phi = k.spatial(distances(Z[:, :-1], places) / l_S)
    C = (Phi * weights) @ Phi.T * over_future(k.temporal, NOW - Z[:, -1], 60.0)
    diagonal = np.diagonal(M)
    brute = np.sqrt(np.diagonal(M @ C @ M) * (a**2 + diagonal)) / diagonal

    # 65,536 nodes: about 1 % of each score
    scores = BoundScores(k, Z, M, a, NOW)
    np.testing.assert_allclose(scores.scores(), brute, rtol=0.03)
    whole = np.sqrt(a @ C @ a + np.vdot(M, C))
    np.testing.assert_allclose(scores.relative(), brute / whole, rtol=0.03)


@pytest.mark.parametrize("d", [2, 6])
def test_the_rational_quadratic_is_integrated_over_the_box(d):
    model = Model(d, "rq", "matern32")
    theta = Hyperparameters(1.0, 0.2, 60.0, 0.05)
    surrogate = ExactEngine(model).condition(dataset(30, d, 1), Inference(theta))
    k, Z, M, a = surrogate.formula()
    fine = nodes_near(k, Z[:, :-1], 0.0, 2**15, 0.7)
    Phi = k.spatial(distances(Z[:, :-1], fine.Z[:, :-1]) / 0.2)
    C = (Phi * fine.weights / 120.0) @ Phi.T * over_future(k.temporal, NOW - Z[:, -1], 60.0)
    diagonal = np.diagonal(M)
    expected = np.sqrt(np.diagonal(M @ C @ M) * (a**2 + diagonal)) / diagonal

    np.testing.assert_allclose(BoundScores(k, Z, M, a, NOW).scores(), expected, rtol=0.1)


def test_the_bound_is_above_what_it_bounds():
    surrogate = conditioned(25, 2)
    k, Z, M, a = surrogate.formula()
    exact = RemovalScores(k, Z, M, a, uniform_nodes(k, 2, NOW, 4096)).scores()

    # the bound also runs past the horizon of 2 l_T, so it is above but for the rule's error
    assert np.all(BoundScores(k, Z, M, a, NOW).scores() > 0.98 * exact)


def test_the_bound_after_removals_equals_that_of_the_rest():
    surrogate = conditioned(20, 2)
    ours = surrogate.bound_scores(NOW)
    for i in (19, 4, 0):
        ours.remove(i)
        surrogate = surrogate.without(i)

    expected = BoundScores(*surrogate.formula(), NOW)
    np.testing.assert_allclose(ours.scores(), expected.scores(), rtol=1e-8)
    np.testing.assert_allclose(ours.relative(), expected.relative(), rtol=1e-8)


def test_a_dataset_too_stale_for_numbers_scores_zero():
    k, Z, M, a = conditioned(5, 1).formula()

    assert np.array_equal(BoundScores(k, Z, M, a, 1e9).relative(), np.zeros(5))


def test_kernels_without_a_closed_form_over_all_space_are_refused():
    with pytest.raises(ValueError, match="closed form"):
        over_all_space(correlation("rq"), np.zeros(1), 0.3, 1)
