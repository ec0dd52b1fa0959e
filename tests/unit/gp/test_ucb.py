"""Where UCB is largest: against a grid, in time windows, without data, and again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core.common.types import Hyperparameters
from bolt_core.gp import load
from bolt_core.gp.exact import as_points
from bolt_core.gp.protocol import Data, Inference, Model, default_beta
from bolt_core.gp.ucb import Search
from bolt_core.gp.ucb_rank import MAX_ERROR, is_precise
from bolt_core.gp.ucb_search import (
    NEIGHBOURS,
    PLACES_APART,
    SOBOL,
    TOP_OBSERVED,
    candidates,
    maximise,
)
from tests.support.gp_cases import NOW, THETA, case, dataset, kernel_pairs, seeds, thetas


def surrogate(n=30, d=1, seed=0, theta=THETA, temporal="matern32"):
    model = Model(d, temporal_kernel=temporal)
    return load("exact", model).condition(dataset(n, d, seed), Inference(theta, 1.0, 2.0, 0.1))


@pytest.mark.parametrize("seed", range(8))
def test_no_point_of_a_grid_is_better(seed):
    gp = surrogate(40, 1, seed, Hyperparameters(1.0, 0.08, 30.0, 0.01))
    x, t = gp.maximise_ucb(NOW, np.random.default_rng(seed), beta=2.0)
    grid = np.linspace(0, 1, 5001)[:, None]

    # one grid step of 2e-4 is worth less than 1e-3 standard deviations of 2 (the sd of y)
    assert gp.ucb(x, NOW, 2.0)[0] >= gp.ucb(grid, NOW, 2.0).max() - 2e-3 * 1e-3
    assert t == NOW


def test_many_peaks_are_told_apart():
    line = np.linspace(0, 1, 151)
    grid, reached = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2), 0
    known = Inference(Hyperparameters(1.0, 0.1, 100.0, 0.01))
    for seed in range(24):
        rng = np.random.default_rng(seed)
        data = Data.of(rng.random((40, 2)), np.full(40, 90.0), rng.standard_normal(40))
        gp = load("exact", Model(2)).condition(data, known)
        x, _ = gp.maximise_ucb(NOW, np.random.default_rng(seed + 1000), beta=2.0)
        reached += gp.ucb(x, NOW, 2.0)[0] >= gp.ucb(grid, NOW, 2.0).max() - 1e-3

    assert reached >= 23  # 24 with four starts, 22 with two, 20 with one or without the joint climb


def test_a_window_in_time_is_searched_too():
    gp = surrogate(30, 1, 3)
    x, t = gp.maximise_ucb(NOW, np.random.default_rng(0), beta=2.0, window=20.0)
    X, times = (
        g.ravel() for g in np.meshgrid(np.linspace(0, 1, 201), NOW + np.linspace(0, 20, 81))
    )

    assert NOW <= t <= NOW + 20.0
    assert gp.ucb(x, t, 2.0)[0] >= gp.ucb(X[:, None], times, 2.0).max() - 1e-6


@pytest.mark.parametrize("d", [1, 2, 6])
def test_the_answer_is_in_the_box(d):
    gp = surrogate(25, d, temporal="none", theta=Hyperparameters(1.0, 2.0, None, 0.1))
    x, _ = gp.maximise_ucb(NOW, np.random.default_rng(1))

    assert x.shape == (d,)
    assert np.all((x >= 0) & (x <= 1))


def test_one_generator_gives_one_answer():
    gp = surrogate(30, 3)
    first, again = (gp.maximise_ucb(NOW, np.random.default_rng(5))[0] for _ in range(2))

    assert np.array_equal(first, again)


def test_without_data_the_prior_answers():
    gp = surrogate(0, 2)
    mu, sigma = gp.posterior(np.zeros((3, 2)), NOW)
    x, _ = gp.maximise_ucb(NOW, np.random.default_rng(0))

    assert np.allclose(mu, 1.0 + 2.0 * 0.1)
    assert np.allclose(sigma, 2.0 * THETA.signal_variance**0.5)
    assert np.all((x >= 0) & (x <= 1))


def test_candidates_are_on_faces_and_at_observed_places_apart():
    gp = surrogate(60, 2)
    search = Search(gp.state, 2.0, NOW, 0.0)
    U = candidates(search, np.random.default_rng(77))
    observed = {tuple(x) for x in gp.data.Z[:, :-1]}
    places = np.array([u for u in U if tuple(u) in observed])
    gaps = np.abs(places[:, None] - places).max(axis=-1)

    assert len(places) == TOP_OBSERVED
    assert gaps[~np.eye(len(places), dtype=bool)].min() > PLACES_APART * search.reach
    assert len(U) == SOBOL + TOP_OBSERVED * (1 + len(NEIGHBOURS))
    assert np.all((U >= 0) & (U <= 1))
    assert SOBOL / 8 < np.isin(U[:SOBOL], (0.0, 1.0)).any(axis=1).sum() < SOBOL / 2


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    pair=kernel_pairs,
    theta=thetas,
    seed=seeds,
    d=st.integers(1, 4),
    n=st.integers(1, 40),
    window=st.sampled_from([0.0, 15.0]),
)
def test_no_candidate_is_better_than_the_answer(pair, theta, seed, d, n, window):
    model, data, known = case(n, d, pair, theta, seed)
    search = Search(load("exact", model).condition(data, known).state, 2.0, NOW, window)
    point, value = maximise(search, np.random.default_rng(seed))
    U = candidates(search, np.random.default_rng(seed))
    mu, sigma = search.posterior.predict(point[None])

    assert np.all((point[:-1] >= 0) & (point[:-1] <= 1))
    assert NOW <= point[-1] <= NOW + window
    scale = theta.signal_variance**0.5
    assert value == pytest.approx(mu[0] + 2.0**0.5 * sigma[0], rel=1e-9, abs=1e-7 * scale)
    assert value >= search.value(U).max() - 1e-9 * scale


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    pair=kernel_pairs,
    theta=thetas,
    seed=seeds,
    d=st.integers(1, 4),
    n=st.integers(1, 90),
    window=st.sampled_from([0.0, 15.0]),
)
def test_ranks_are_by_alpha_within_the_error_allowed(pair, theta, seed, d, n, window):
    model, data, known = case(n, d, pair, theta, seed)
    search = Search(load("exact", model).condition(data, known).state, 2.0, NOW, window)
    U = np.random.default_rng(seed).random((100, search.free))
    observed = search.posterior.Z[:, :-1]

    assert np.abs(search.rank(U) - search.value(U)).max() < 2 * MAX_ERROR
    assert np.abs(search.rank_observed() - search.mean(observed)).max() < 2 * MAX_ERROR


def test_ranks_are_close_where_the_data_are_not_nearly_singular():
    gp = surrogate(120, 3)
    for state in (gp.state, gp.without(7).without(30).state):
        search = Search(state, 2.0, NOW, 0.0)
        U = np.random.default_rng(0).random((400, 3))  # more than one block

        assert is_precise(state)
        assert search.rank(U) == pytest.approx(search.value(U), abs=1e-4)
        assert search.rank_observed() == pytest.approx(search.mean(state.Z[:, :-1]), abs=1e-4)


def test_with_an_observation_far_outside_of_the_box_ranks_are_in_double_precision():
    data = dataset(30, 2, 0)
    data.Z[7, 0] = 1e40
    gp = load("exact", Model(2)).condition(data, Inference(Hyperparameters(1.0, 0.3, 50.0, 0.05)))
    search = Search(gp.state, 2.0, NOW, 0.0)
    U = np.random.default_rng(0).random((20, 2))

    assert np.array_equal(search.rank(U), search.value(U))


def test_a_nearly_singular_posterior_is_ranked_in_double_precision():
    gp = surrogate(40, 1, theta=Hyperparameters(1e4, 5.0, 1e5, 1e-7))
    search = Search(gp.state, 2.0, NOW, 0.0)
    U = np.random.default_rng(0).random((20, 1))

    assert not is_precise(gp.state)
    assert np.array_equal(search.rank(U), search.value(U))


@pytest.mark.parametrize("removals", [0, 2])
def test_alpha_and_its_gradient_do_not_depend_on_how_many_points_are_asked(removals):
    gp = surrogate(60, 3)
    for _ in range(removals):
        gp = gp.without(11)
    search = Search(gp.state, 2.0, NOW, 0.0)
    U = np.random.default_rng(0).random((24, 3))
    alpha, gradient = search.value_and_gradient(U)

    assert alpha == pytest.approx(search.value(U), abs=1e-9)
    for count in (1, 2, 3, 7, 8, 9, 16):
        some, slopes = search.value_and_gradient(U[:count])
        assert some == pytest.approx(alpha[:count], abs=1e-9)
        assert slopes == pytest.approx(gradient[:count], abs=1e-7)


def test_beta_is_the_papers():
    assert default_beta(3, 15) == pytest.approx(2.041, abs=5e-4)
    assert default_beta(3, 100) == pytest.approx(3.179, abs=5e-4)


def test_one_time_stands_for_all_points():
    points = as_points(np.zeros((3, 2)), 7.0)

    assert np.array_equal(points[:, -1], [7.0, 7.0, 7.0])
