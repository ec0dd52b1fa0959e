"""The search that stands in where a landscape has no optimum of its own."""

from dataclasses import replace

import numpy as np
import pytest

from bolt_core.benchmarks import load, oracle


def searched(key):
    """The benchmark, without its own method."""
    benchmark = load(key)
    return replace(benchmark, landscape=replace(benchmark.landscape, best=None))


@pytest.mark.parametrize("key", ["eggholder", "hartmann3", "hartmann6", "powell", "schwefel"])
def test_a_benchmark_without_a_method_is_searched_to_the_same_optimum(key):
    known, unknown = load(key), searched(key)

    for t in np.linspace(0.0, known.horizon, 9):
        _, top = oracle.best(known, t)
        # central differences of step 1e-6 see a summit to this share of its height
        assert oracle.best(unknown, t)[1] == pytest.approx(top, rel=1e-6)


def test_summits_are_one_a_hill():
    points = oracle.dense_points(2)  # even: a hole in the points makes a summit of its rim
    hills = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.9]])
    distances = np.linalg.norm(points[:, None] - hills, axis=-1)
    values = np.max(np.array([3.00, 2.97, 2.94]) - distances, axis=1)

    maxima = oracle.local_maxima(points, values, 3)

    # one of 4,096 even points is within a spacing (1/64) of each top
    np.testing.assert_allclose(maxima, hills, atol=1 / 64)


def test_summits_are_no_more_than_asked_for_and_the_best_come_first():
    points = np.random.default_rng(0).random((500, 3))
    values = np.sin(40 * points).sum(axis=1)

    maxima = oracle.local_maxima(points, values, 4)

    assert len(maxima) == 4
    np.testing.assert_array_equal(maxima[0], points[np.argmax(values)])


def test_the_highest_of_several_climbs_is_kept():
    def climb(x):  # two tops, at 0.1 (height 1) and at 0.9 (height 2), and a saddle at 0.5
        heights = np.array([1.0, 2.0]) * np.exp(-50 * (x[0] - np.array([0.1, 0.9])) ** 2)
        return heights.sum(), np.array([-100 * heights @ (x[0] - np.array([0.1, 0.9]))])

    x, top = oracle.highest(climb, np.array([[0.12], [0.88]]))

    assert x == pytest.approx([0.9], abs=1e-6)
    assert top == pytest.approx(2.0, abs=1e-12)


def test_a_maximum_on_the_border_is_reached():
    x, top = oracle.highest(lambda x: (float(x.sum()), np.ones(2)), np.array([[0.3, 0.4]]))

    np.testing.assert_array_equal(x, [1.0, 1.0])
    assert top == 2.0
