"""GP sample paths: their covariance is the kernels', their optimum is the highest."""

import numpy as np
import pytest

from bolt_core.benchmarks import load, oracle
from bolt_core.benchmarks.gp_sample import draw
from bolt_core.common.errors import ConfigError

MANY = 400_000  # features; the mean of their cosines is good to 1 / sqrt(2 MANY) = 0.0011
FIVE_SIGMA = 5 * (2 * MANY) ** -0.5
TRUTH = {"signal_variance": 2.0, "lengthscale_space": 0.3, "lengthscale_time": 45.0}


def matern52(r):
    s = np.sqrt(5) * r
    return (1 + s + s**2 / 3) * np.exp(-s)


def matern32(r):
    s = np.sqrt(3) * r
    return (1 + s) * np.exp(-s)


@pytest.mark.parametrize("d", [1, 2, 6])
@pytest.mark.parametrize("distance", [0.05, 0.3, 0.9])
def test_the_spectrum_in_space_is_that_of_matern_52(d, distance):
    path = draw(d=d, environment=1, features=MANY, **TRUTH)
    toward = np.full(d, d**-0.5)  # along the diagonal, where a product of 1-D kernels would differ

    mean = np.mean(np.cos(path.w @ (distance * toward)))

    assert mean == pytest.approx(matern52(distance / 0.3), abs=FIVE_SIGMA)


@pytest.mark.parametrize("lag", [5.0, 45.0, 200.0])
def test_the_spectrum_in_time_is_that_of_matern_32(lag):
    path = draw(d=2, environment=2, features=MANY, **TRUTH)

    mean = np.mean(np.cos(path.v * lag))

    assert mean == pytest.approx(matern32(lag / 45.0), abs=FIVE_SIGMA)


def test_the_covariance_over_seeds_is_the_product_of_the_kernels():
    x = np.array([[0.2, 0.3], [0.2, 0.3], [0.45, 0.3], [0.45, 0.3]])
    t = np.array([100.0, 130.0, 100.0, 130.0])
    seeds = 4_000
    paths = [draw(d=2, environment=s, features=64, **TRUTH) for s in range(seeds)]
    values = np.array([path.f(x, t) for path in paths])
    distance = np.linalg.norm(x[:, None] - x, axis=-1)
    expected = 2.0 * matern52(distance / 0.3) * matern32(np.abs(t[:, None] - t) / 45.0)

    covariance = values.T @ values / seeds

    # a product of two N(0, 2) has a deviation of at most 2 sqrt 2; five of them over sqrt(seeds)
    np.testing.assert_allclose(covariance, expected, atol=5 * 2 * 2**0.5 / seeds**0.5)


def test_the_gradient_is_that_of_f():
    path = draw(d=3, environment=3, features=512, **TRUTH)
    x, step = np.array([0.2, 0.5, 0.7]), 1e-6 * np.eye(3)
    now = np.asarray(77.0)

    value, gradient = path.climb(77.0)(x)

    assert value == pytest.approx(float(path.f(x, now)), abs=1e-12)
    differences = (path.f(x + step, now) - path.f(x - step, now)) / 2e-6
    np.testing.assert_allclose(gradient, differences, atol=1e-6)


@pytest.mark.long
@pytest.mark.parametrize(("d", "seed"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)])
def test_a_longer_search_finds_nothing_higher(d, seed):
    benchmark = load("gp-sample", d=d, environment=seed)
    path = draw(
        d=d, environment=seed, signal_variance=1.0, lengthscale_space=0.2, lengthscale_time=60.0
    )
    rng = np.random.default_rng(0)

    for t in 600.0 * rng.random(2):
        places = rng.random((8_000, d))
        starts = places[np.argsort(benchmark.value(places, t))[-40:]]
        _, longer = oracle.highest(path.climb(t), starts)
        assert oracle.best(benchmark, t)[1] >= longer - 1e-6


def test_options_of_truth_reach_the_row_and_the_noise():
    benchmark = load("gp-sample", lengthscale_time=90.0, noise_variance=0.25)

    assert benchmark.row.lengthscale_time == 90.0
    assert benchmark.noise_variance == benchmark.row.noise_variance == 0.25


def test_another_seed_is_another_function():
    x = np.full(2, 0.4)

    assert load("gp-sample", environment=1).value(x, 10.0) != load(
        "gp-sample", environment=2
    ).value(x, 10.0)


def test_a_dimension_out_of_reach_is_refused_by_its_value():
    with pytest.raises(ConfigError, match=r"d .*\[1, 6\].* 7"):
        load("gp-sample", d=7)
