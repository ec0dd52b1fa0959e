"""eps: its two faces, what is derived from it, and how it is learned on the side."""

import numpy as np
import pytest

from bolt_core.algorithms.drift import DEFAULT_EPSILON, Drift, block_length, epsilon, lengthscale
from bolt_core.algorithms.et_gpucb import threshold
from bolt_core.common.errors import FitError
from bolt_core.common.types import EngineConfig, Observation, Problem
from bolt_core.gp.protocol import default_beta

RNG = np.random.default_rng


@pytest.mark.parametrize(("eps", "l_T"), [(0.01, 198.998), (0.03, 65.662), (0.1, 18.982)])
def test_epsilon_and_lengthscale_are_two_faces_of_one_rate(eps, l_T):
    assert lengthscale(eps, 1.0) == pytest.approx(l_T, abs=5e-4)  # printed to three decimals
    assert epsilon(lengthscale(eps, 3.0), 3.0) == pytest.approx(eps, rel=1e-12)


@pytest.mark.parametrize(("eps", "over_5"), [(0.01, 0.049010), (0.03, 0.141266), (0.1, 0.409510)])
def test_a_longer_round_drifts_further(eps, over_5):
    assert epsilon(lengthscale(eps, 1.0), 5.0) == pytest.approx(over_5, abs=5e-7)
    assert over_5 == pytest.approx(1 - (1 - eps) ** 5, abs=5e-7)


@pytest.mark.parametrize(
    ("eps", "N"),
    [(1e-4, 120), (1e-3, 68), (0.01, 38), (0.03, 29), (0.1, 22), (0.3, 17), (0.5, 15), (1.0, 12)],
)
def test_block_lengths_are_the_published_ones(eps, N):  # noqa: N803 - the paper's symbol
    assert block_length(eps) == N


@pytest.mark.parametrize(
    ("t", "q"),
    [
        (1, 2.643),
        (2, 3.124),
        (5, 3.664),
        (10, 4.025),
        (50, 4.758),
        (100, 5.041),
        (500, 5.643),
        (1000, 5.884),
    ],
)
def test_the_threshold_of_et_gpucb_grows_as_tabulated(t, q):
    assert threshold(t, 0.1) == pytest.approx(q, abs=5e-4)  # printed to three decimals


@pytest.mark.parametrize(("n", "beta"), [(15, 2.041), (100, 3.179)])
def test_beta_of_ucb_in_three_dimensions(n, beta):
    assert default_beta(3, n) == pytest.approx(beta, abs=5e-4)


def drift():
    return Drift(Problem(2), EngineConfig())


def markov(rng, eps, n, l_S=0.3, noise=0.01):
    """Noisy values of f_{t+1} = sqrt(1 - eps) f_t + sqrt(eps) g_{t+1} at n places, one a round."""
    X = rng.random((n, 2))
    r = np.linalg.norm(X[:, None] - X, axis=2) * 5**0.5 / l_S
    rounds = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    K = (1 + r + r**2 / 3) * np.exp(-r) * (1 - eps) ** (rounds / 2) + noise * np.eye(n)
    return X, np.linalg.cholesky(K) @ rng.standard_normal(n)


def fed(X, y, seconds=1.0):
    estimator = drift()
    for i, (x, value) in enumerate(zip(X, y, strict=True)):
        estimator.add(Observation(i, tuple(x.tolist()), seconds * i, float(value)))
    return estimator


def test_the_rate_of_a_markov_model_is_found_from_100_observations():
    truth, estimates = 0.1, []
    for seed in range(5):
        learner = fed(*markov(RNG(seed), truth, 100))
        learner.fit(100.0, RNG(0))
        estimates.append(learner.epsilon)

    # with known hyperparameters 80 % of single estimates lie in [0.072, 0.13]; these are the
    # median of five with everything learned
    assert 0.05 < np.median(estimates) < 0.2


def test_the_rate_counts_rounds_not_seconds():
    X, y = markov(RNG(1), 0.1, 60)
    fast, slow = fed(X, y, 1.0), fed(X, y, 7.0)
    fast.fit(60.0, RNG(0))
    slow.fit(420.0, RNG(0))

    # the same likelihood in other units; L-BFGS stops at slightly different places
    assert slow.epsilon == pytest.approx(fast.epsilon, rel=0.05)
    assert slow.gap == pytest.approx(7 * fast.gap)


def test_before_15_observations_the_rate_is_a_guess():
    learner = fed(*markov(RNG(0), 0.1, 14))

    assert learner.fit(14.0, RNG(0)) == ()
    assert learner.epsilon == DEFAULT_EPSILON


def test_the_rate_stays_within_its_bounds():
    rng = RNG(0)
    still, wild = fed(rng.random((40, 2)), np.zeros(40)), fed(rng.random((40, 2)), rng.random(40))
    for learner in (still, wild):
        assert learner.fit(40.0, RNG(0)) == (40,)
        assert 1e-4 <= learner.epsilon <= 0.5


def test_the_last_100_observations_are_remembered():
    learner = fed(*markov(RNG(0), 0.1, 130))

    assert [o["i"] for o in learner.state()["buffer"]] == list(range(30, 130))


def test_a_fit_that_fails_teaches_nothing_and_is_noted(monkeypatch):
    learner = fed(*markov(RNG(0), 0.1, 30))
    learner.fit(30.0, RNG(0))
    before = learner.notes()

    monkeypatch.setattr("bolt_core.gp.inference._search", fails)
    learner.fit(31.0, RNG(0))

    assert learner.notes() == {**before, "drift_failed": "nothing there"}


def fails(*args):
    raise FitError("nothing there")
