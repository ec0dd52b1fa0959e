"""Theorems 3.6 and 3.8: by hand, by brute force, and what the regret bound is worth."""

import math

import numpy as np
import pytest

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.protocol import Model, default_beta
from bolt_core.theory import regret_bound
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponseTime
from bolt_core.theory.wasserstein import RemovalScores, nodes_near, uniform_nodes
from tests.support.surrogates import conditioned, covariance

KERNELS = ("matern12", "matern32", "matern52", "rbf", "rq")
CUBIC = ResponseTime((0.5, 0.0, 0.0, 1e-7))


def test_kappa_is_the_least_correlation_in_the_cube():
    k = covariance(d=3)
    X = np.vstack([np.random.default_rng(0).random((300, 3)), np.zeros((1, 3)), np.ones((1, 3))])

    pairs = k.between(np.column_stack([X, np.zeros(302)]), np.column_stack([X, np.zeros(302)]))
    assert regret_bound.constants(k, 3, 1.0).least_correlation == pytest.approx(
        pairs.min(), rel=1e-12
    )


def test_c1_is_the_least_factor_for_which_the_log_identity_holds():
    for noise in (0.01, 0.5, 3.0):
        z = np.linspace(0, 1 / noise, 1001)
        factor = regret_bound.Constants(noise, 1.0, 1.0).regret_factor

        slack = factor / 8 * np.log1p(z) / noise - z
        assert slack.min() >= -1e-12 / noise
        assert slack[-1] == pytest.approx(0, abs=1e-12 / noise)


def test_c2_by_hand_and_in_units_of_lambda():
    k = covariance("matern12", d=1, l_S=1.0, l_T=10.0, noise=0.2, spatial="rbf")
    doubled = Model(1, "rbf", "matern12").covariance(Hyperparameters(2.0, 1.0, 10.0, 0.4))

    by_hand = math.exp(-1.0) / (20.0 / 4.0 + 0.2)
    assert regret_bound.constants(k, 1, 4.0).variance_factor == pytest.approx(by_hand, rel=1e-12)
    assert regret_bound.constants(doubled, 1, 4.0) == regret_bound.constants(k, 1, 4.0)
    safe = regret_bound.constants(k, 1, 4.0, safe=True).variance_factor
    assert safe == pytest.approx(math.exp(-1.0) / (1 + 5 + 0.2), rel=1e-12)


def test_beta_by_hand_and_against_its_own_proof():
    for steps, d, delta, a, b in ((10, 1, 0.1, 1.0, 1.0), (500, 3, 0.05, 2.0, 0.7)):
        beta = regret_bound.confidence_factor(steps, d, delta, a=a, b=b)

        L = b * math.sqrt(math.log(d * a * math.pi**2 * steps**2 / 3 / delta))
        proof = 2 * math.log((L * d * steps**2) ** d * math.pi**2 * steps**2 / (3 * delta))
        shift = 2 * d * math.log(6 * delta) - 2 * math.log(3 * delta)
        assert beta == pytest.approx(proof - shift, rel=1e-12)
    assert regret_bound.confidence_factor(1, 1) == pytest.approx(6.8514, abs=1e-4)


def test_beta_grows_like_the_logarithm_of_t():
    growth = [
        regret_bound.confidence_factor(10 ** (p + 1), 2) - regret_bound.confidence_factor(10**p, 2)
        for p in (3, 9)
    ]

    assert growth[0] > growth[1]  # the log log in it
    assert growth[1] == pytest.approx(12 * math.log(10), rel=0.02)


def test_information_gain_is_the_sum_over_the_posterior_variances_of_each_next_point():
    rng = np.random.default_rng(4)
    k = covariance(noise=0.05)
    Z = np.column_stack([rng.random((25, 2)), np.arange(25.0)])

    terms = []
    for i in range(25):
        _, sd = conditioned(k, Z[:i]).posterior(Z[i : i + 1, :-1], Z[i, -1])
        terms.append(0.5 * math.log1p(float(sd[0]) ** 2 / 0.05))
    assert regret_bound.information_gain(k, Z) == pytest.approx(sum(terms), rel=1e-9)


def test_no_data_tell_more_than_the_data_free_bound_and_unrelated_data_tell_as_much():
    rng = np.random.default_rng(5)
    k = covariance(l_T=1.0)
    near, far = (np.column_stack([rng.random((30, 2)), s * np.arange(30)]) for s in (0.1, 100.0))

    most = regret_bound.most_information(30, regret_bound.constants(k, 2, 1.0))
    assert regret_bound.information_gain(k, near) < 0.9 * most
    assert regret_bound.information_gain(k, far) == pytest.approx(most, rel=1e-12)
    assert most == pytest.approx(15 * math.log(11), rel=1e-12)


def test_the_regret_bound_by_hand():
    constants = regret_bound.Constants(0.5, 0.8, 3.0)
    bound = regret_bound.regret_bound(100, 40, constants, beta=7.0, information=12.0, variance=0.9)

    by_hand = (100 * 8 / math.log(3) * 7 * (12 + 2 / 2 * 60 * 0.9)) ** 0.5 + math.pi**2 / 6
    assert bound == pytest.approx(by_hand, rel=1e-12)


def test_the_static_case_is_the_bound_of_gp_ucb():
    k, steps = covariance("none", noise=0.2), 60
    Z = np.column_stack([np.random.default_rng(6).random((steps, 2)), np.arange(float(steps))])
    constants, beta = regret_bound.constants(k, 2, 1.0), regret_bound.confidence_factor(steps, 2)
    information = regret_bound.information_gain(k, Z)
    variance = regret_bound.variance_bound(steps, k.temporal, ResponseTime((1.0,)), constants)

    bound = regret_bound.regret_bound(
        steps, steps, constants, beta=beta, information=information, variance=variance
    )
    gp_ucb = math.sqrt(steps * 8 / math.log(1 + 1 / 0.2) * beta * information) + math.pi**2 / 6
    assert bound == pytest.approx(gp_ucb, rel=1e-12)
    assert (constants.variance_factor, variance) == (0.0, 1.0)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("R", [0.1, 1.0, 4.0])
def test_the_theorem_is_above_the_sum_of_the_immediate_bounds_of_a_run(name, R):
    rng, steps, n = np.random.default_rng(7), 80, 15
    k = covariance(name, l_S=3.0, l_T=1.0, noise=0.3)
    Z = np.column_stack([rng.random((steps, 2)), R * np.arange(steps)])
    total = math.pi**2 / 6
    for i in range(steps):
        _, sd = conditioned(k, Z[max(i - n, 0) : i]).posterior(Z[i : i + 1, :-1], Z[i, -1])
        total += 2 * math.sqrt(regret_bound.confidence_factor(i + 1, 2)) * float(sd[0])

    constants = regret_bound.constants(k, 2, R, safe=True)
    limit = regret_bound.regret_bound(
        steps,
        n,
        constants,
        beta=regret_bound.confidence_factor(steps, 2),
        information=regret_bound.information_gain(k, Z[:n]),
        variance=regret_bound.variance_bound(
            n, temporal_correlation(name, 1.0), ResponseTime((R,)), constants
        ),
    )
    assert total <= limit


def curve(steps, sizes, noise):
    """The bound over n, gamma_n data-free, kappa = 1; in units of 2 T sqrt(beta)."""
    k = covariance(l_S=1e9, noise=noise)
    k_T, constants = temporal_correlation("matern32", 60.0), regret_bound.constants(k, 2, 0.5)
    beta = regret_bound.confidence_factor(steps, 2)
    values = [
        regret_bound.regret_bound(
            steps,
            n,
            constants,
            beta=beta,
            information=regret_bound.most_information(n, constants),
            variance=regret_bound.variance_bound(n, k_T, CUBIC, constants),
        )
        for n in sizes
    ]
    return np.array(values) / (2 * steps * math.sqrt(beta))


def test_with_t_large_the_bound_is_least_at_the_recommended_size():
    sizes = range(1, 500)
    n_star = recommended_size(temporal_correlation("matern32", 60.0), CUBIC)

    assert sizes[int(np.argmin(curve(10**7, sizes, 0.1)))] == n_star


@pytest.mark.parametrize(("noise", "share"), [(0.01, 4.10), (0.1, 1.80), (1.0, 1.06)])
def test_at_a_given_t_the_bound_is_above_the_trivial_one_and_least_without_a_limit(noise, share):
    at_n_star, without_limit = curve(10**6, (103, 10**6), noise)

    assert at_n_star == pytest.approx(share, abs=0.005)
    assert without_limit == pytest.approx(1.0, abs=1e-5)  # pi^2 / 6 over 2 T sqrt(beta)


@pytest.mark.parametrize("steps", [500, 10_000])
def test_with_little_noise_no_limit_at_all_has_the_least_bound(steps):
    bounds = curve(steps, [*range(1, 400, 3), steps], 0.39)

    assert np.argmin(bounds) == len(bounds) - 1
    assert math.log1p(1 / 0.39) < 0.5 / 0.39  # whatever the model: the variance bound is >= 1/2


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: regret_bound.constants(covariance(), 2, 0.0),
        lambda: regret_bound.confidence_factor(0, 2),
        lambda: regret_bound.confidence_factor(10, 2, 1.0),
        lambda: regret_bound.regret_bound(
            5, 6, regret_bound.Constants(1, 1, 1), beta=1, information=1, variance=1
        ),
    ],
)
def test_values_outside_the_theorem_are_refused(wrong):
    with pytest.raises(ConfigError):
        wrong()


def removals(seed, count):
    """Surrogates of random datasets, one with and one without a random observation, and beta."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        d, n = int(rng.integers(1, 5)), int(rng.integers(1, 40))
        k = covariance(
            str(rng.choice((*KERNELS, "none"))),
            d=d,
            l_S=10 ** rng.uniform(-1, 0.5),
            l_T=10 ** rng.uniform(1, 2),  # below 10 s the oldest would change nothing at all
            noise=10 ** rng.uniform(-3, 0),
        )
        Z = np.column_stack([rng.random((n, d)), rng.uniform(0, 60, n)])
        full = conditioned(k, Z, rng.normal(0, 1.5, n))
        i = int(rng.integers(n))
        yield full, i, float(rng.choice([0.0, default_beta(d, n), 10 ** rng.uniform(-2, 2)]))


def gap(full, i, nodes, beta):
    X, t = nodes.Z[:, :-1], nodes.Z[:, -1]
    return regret_bound.acquisition_gap(
        full.posterior(X, t), full.without(i).posterior(X, t), nodes.weights, beta
    )


def test_theorem_3_8_holds_for_200_random_datasets_and_removals():
    for full, i, beta in removals(8, 200):
        X = full.data.Z[:, :-1]
        for nodes in (
            uniform_nodes(full.state.k, X.shape[1], 61.0, 128),
            nodes_near(full.state.k, X, 61.0, 128),
        ):
            sides = gap(full, i, nodes, beta)

            assert 0 < sides.change <= sides.limit * (1 + 1e-12)  # rounding: pointwise inequality


def test_the_limit_is_the_removal_score_and_the_change_that_of_ucb():
    for full, i, beta in removals(9, 40):
        nodes = uniform_nodes(full.state.k, full.data.Z.shape[1] - 1, 61.0, 128)
        X, t = nodes.Z[:, :-1], nodes.Z[:, -1]
        sides = gap(full, i, nodes, beta)

        W2 = RemovalScores(*full.formula(), nodes).scores()[i]
        by_ucb = full.ucb(X, t, beta) - full.without(i).ucb(X, t, beta)
        # differences of two posteriors of order 1, each right to about 1e-12 (cond A < 1e5)
        assert sides.limit == pytest.approx(math.sqrt(1 + beta) * W2, rel=1e-6, abs=1e-9)
        assert sides.change == pytest.approx(
            math.sqrt(sum(w * g**2 for w, g in zip(nodes.weights, by_ucb, strict=True))), rel=1e-9
        )


def test_theorem_3_8_is_an_equality_where_the_sd_changes_by_sqrt_beta_times_the_mean():
    by_mean = np.array([0.3, -0.2, 0.05])
    zero = np.zeros(3)
    sides = regret_bound.acquisition_gap(
        (by_mean, 2.0 * by_mean), (zero, zero), np.full(3, 0.5), 4.0
    )

    assert sides.change == pytest.approx(sides.limit, rel=1e-12)
    assert sides.change == pytest.approx(5 * math.sqrt(0.5 * (0.09 + 0.04 + 0.0025)), rel=1e-12)
