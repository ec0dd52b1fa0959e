"""W_2 removal scores: exact by brute force, bounded by the public package, chosen by both."""

import numpy as np
import pytest
import wdbo_criterion
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.kernels import TEMPORAL, Covariance, correlation
from bolt_core.theory.wasserstein import (
    BoundScores,
    RemovalScores,
    Spatial,
    nodes_near,
    removal_scores,
    removals,
    uniform_nodes,
)
from bolt_core.theory.wasserstein.integrals import over_all_space, over_future
from tests.support.gp_cases import NOW, THETA, dataset, kernel_pairs, seeds, without_time

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


def conditioned(n, d, pair=("matern52", "matern32"), theta=THETA, seed=0):
    known = Inference(without_time(theta, pair[1]), mean=0.2)
    return ExactEngine(Model(d, *pair)).condition(dataset(n, d, seed, weighted=True), known)


def brute_force(surrogate, nodes):
    """Condition on the rest, once for every observation; same nodes."""
    engine, data, known = ExactEngine(surrogate.model), surrogate.data, surrogate.inference
    mu, sigma = surrogate.state.predict(nodes.Z)
    scores = []
    for i in range(len(data)):
        mu_i, sigma_i = engine.condition(data.without(i), known).state.predict(nodes.Z)
        scores.append(np.sum(nodes.weights * ((mu - mu_i) ** 2 + (sigma - sigma_i) ** 2)) ** 0.5)
    return np.array(scores)


@given(pair=kernel_pairs, seed=seeds, n=st.integers(2, 25), d=st.sampled_from([1, 2, 3, 6]))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_scores_equal_brute_force(pair, seed, n, d):
    surrogate = conditioned(n, d, pair, seed=seed)
    k, Z, M, a = surrogate.formula()
    nodes = nodes_near(k, Z[:, :-1], NOW, 64)

    scores = RemovalScores(k, Z, M, a, nodes).scores()

    # brute force subtracts two standard deviations: eps * sigma / score, up to 1e-10 here
    np.testing.assert_allclose(scores, brute_force(surrogate, nodes), rtol=1e-9, atol=1e-9)


def test_scores_after_removals_equal_brute_force():
    surrogate = conditioned(15, 2)
    k, Z, M, a = surrogate.formula()
    nodes = nodes_near(k, Z[:, :-1], NOW, 64)
    ours = RemovalScores(k, Z, M, a, nodes)
    for i in (14, 0, 5):
        ours.remove(i)
        surrogate = surrogate.without(i)

    np.testing.assert_allclose(ours.scores(), brute_force(surrogate, nodes), rtol=1e-9, atol=1e-10)
    assert ours.kept.tolist() == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13]


def test_a_shortlist_has_the_scores_of_the_whole():
    k, Z, M, a = conditioned(30, 3).formula()
    nodes, rows = nodes_near(k, Z[:, :-1], NOW, 64), np.array([3, 17, 4, 22])
    whole, some = RemovalScores(k, Z, M, a, nodes), RemovalScores(k, Z, M, a, nodes, rows)

    np.testing.assert_allclose(some.scores(), whole.scores()[rows], rtol=1e-12)
    whole.remove(17)
    some.remove(1)
    expected = dict(zip(whole.kept.tolist(), whole.scores(), strict=True))
    np.testing.assert_allclose(some.scores(), [expected[i] for i in some.kept], rtol=1e-9)


@pytest.mark.parametrize("d", [1, 2, 6])
def test_nodes_near_the_data_integrate_over_the_whole_box(d):
    k = conditioned(5, d).state.k
    centres = 0.2 * np.random.default_rng(0).random((5, d))  # all in one corner
    nodes = nodes_near(k, centres, NOW, 4096)
    length = 2 * THETA.lengthscale_time
    x, t = nodes.Z[:, :-1], nodes.Z[:, -1]

    # importance weights undo the crowding: volume and moments, to the error of 4,096 nodes
    assert nodes.weights.sum() == pytest.approx(length, rel=0.03)
    assert nodes.weights @ x[:, 0] ** 2 == pytest.approx(length / 3, rel=0.05)
    assert nodes.weights @ (t - NOW) == pytest.approx(length**2 / 2, rel=0.03)
    assert x[:, 0].mean() < 0.4
    assert np.all((x >= 0) & (x <= 1))


def test_a_duplicate_goes_before_a_lone_observation():
    X = np.array([[0.1], [0.5], [0.5], [0.9]])
    data = Data.of(X, np.full(4, 90.0), np.array([0.0, 1.0, 1.0, -1.0]))
    surrogate = ExactEngine(Model(1)).condition(data, Inference(THETA))

    assert surrogate.removals(NOW)[0][0] in (1, 2)
    assert {row for row, _ in surrogate.removals(NOW, 2)} != {
        1,
        2,
    }  # after one of the pair, the other matters


def test_several_removals_are_made_one_after_the_other():
    surrogate = conditioned(20, 2)
    together = [row for row, _ in surrogate.removals(NOW, 5)]
    k, Z, M, a = surrogate.formula()
    greedy = RemovalScores(k, Z, M, a, nodes_near(k, Z[:, :-1], NOW, 2**14, 0.75))
    for row in together:
        scores = greedy.scores()
        i = greedy.kept.tolist().index(row)
        assert scores[i] <= 1.02 * scores.min()
        greedy.remove(i)


def test_nothing_is_removed_from_nothing():
    k, Z, M, a = conditioned(3, 1).formula()

    assert removals(k, Z, M, a, NOW, 0) == []
    assert sorted(row for row, _ in removals(k, Z, M, a, NOW, 9)) == [0, 1, 2]


def test_scores_over_the_future_fall_as_data_age():
    k, Z, M, a = conditioned(12, 2).formula()

    early = removal_scores(k, Z, M, a, NOW)
    late = removal_scores(k, Z, M, a, NOW + 5 * THETA.lengthscale_time)

    assert np.all(late < early)


def wheel(X, t, y, theta, nu, normalise):
    space = wdbo_criterion.MaternKernel(theta.lengthscale_space, 2.5)
    time = wdbo_criterion.MaternKernel(theta.lengthscale_time, nu)
    scales = (theta.signal_variance, theta.noise_variance)
    return wdbo_criterion.wasserstein_criterion(
        X.copy(), y.copy(), t.copy(), len(y), X.shape[1], *scales, space, time, 1.0, 0, normalise
    )


def clipped(X, t, y, theta, pair, now):
    data = Data.of(X, t, y)
    surrogate = ExactEngine(Model(X.shape[1], *pair)).condition(data, Inference(theta))
    return BoundScores(*surrogate.formula(), now, Spatial.CLIPPED)


@pytest.mark.parametrize(("temporal", "nu"), [("matern32", 1.5), ("matern52", 2.5)])
@pytest.mark.parametrize("d", [1, 3, 6])
@pytest.mark.parametrize("l_S", [0.15, 0.3])
def test_the_bound_equals_the_public_package(d, l_S, temporal, nu):
    rng = np.random.default_rng(d)
    X, t, y = rng.random((25, d)), np.sort(rng.random(25)), rng.standard_normal(25)
    theta = Hyperparameters(1.2, l_S, 0.4, 0.05)
    ours = clipped(X, t, y, theta, ("matern52", temporal), 1.0)

    # its distances have a floor of 1e-5
    expected = wheel(X, t, y, theta, nu, normalise=1)
    np.testing.assert_allclose(ours.relative(), expected, rtol=1e-5)
    raw = wheel(X, t, y, theta, nu, normalise=0)
    np.testing.assert_allclose(ours.scores(), raw, rtol=1e-5)


def test_the_published_example_is_reproduced():
    matern = clipped(
        README_X, README_T, README_Y, README_THETA, ("matern52", "matern32"), README_NOW
    )
    rbf = clipped(README_X, README_T, README_Y, README_THETA, ("rbf", "rbf"), README_NOW)

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


def test_the_integral_on_the_box_equals_the_closed_form_of_the_rbf():
    from scipy.special import erf

    theta = Hyperparameters(1.0, 0.4, None, 0.1)
    surrogate = ExactEngine(Model(2, "rbf", "none")).condition(dataset(8, 2), Inference(theta))
    k, Z, M, a = surrogate.formula()
    X, l = Z[:, :-1], 0.4  # noqa: E741
    gap, middle = X[:, None] - X[None], (X[:, None] + X[None]) / 2
    edges = erf((1 - middle) / l) + erf(middle / l)
    C = np.prod(np.exp(-(gap**2) / (4 * l**2)) * np.sqrt(np.pi) * l / 2 * edges, axis=-1)
    bound = np.sqrt(np.diagonal(M @ C @ M) * (a**2 + np.diagonal(M))) / np.diagonal(M)

    # 512 Sobol nodes of a smooth function in two dimensions
    np.testing.assert_allclose(BoundScores(k, Z, M, a, NOW).scores(), bound, rtol=0.02)


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
    rq = Covariance(correlation("rq"), correlation("rq"), THETA)
    with pytest.raises(ValueError, match="box"):
        BoundScores(rq, dataset(3, 1).Z, np.eye(3), np.ones(3), NOW, Spatial.WHOLE)
