"""Batched BFGS over the unit cube: optima inside and on the border, each start by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core.gp.ascent import LOOKED_AT, Stage, ascend, best_apart

LONG = (Stage(8, 60),)
STEPS = {"first_step": 0.05, "apart": 0.01, "tolerance": 1e-12}


def quadratic(seed, d):
    """A concave quadratic with condition number up to 100 and its maximum near the box."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    A = Q @ np.diag(10.0 ** rng.uniform(-1, 1, d)) @ Q.T
    centre = rng.uniform(-0.3, 1.3, d)

    def f(X):
        step = X - centre
        return -0.5 * np.einsum("si,ij,sj->s", step, A, step), -step @ A

    return f


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 7))
def test_at_the_maximum_of_a_quadratic_no_coordinate_can_gain(seed, d):
    f = quadratic(seed, d)
    x, value = ascend(f, np.random.default_rng(seed).random((8, d)), LONG, **STEPS)
    _, gradient = (part[0] for part in f(x[None]))
    inward = np.where(((x <= 0) & (gradient < 0)) | ((x >= 1) & (gradient > 0)), 0.0, gradient)

    assert np.all((x >= 0) & (x <= 1))
    assert value == f(x[None])[0][0]
    assert np.abs(inward).max() < 1e-3


def test_each_start_climbs_as_if_it_were_alone():
    def f(X):  # two peaks of different width
        return (np.sin(9 * X) + 0.1 * X)[:, 0], 9 * np.cos(9 * X) + 0.1

    starts = np.array([[0.05], [0.3], [0.62], [0.95]])
    together = ascend(f, starts, LONG, **STEPS)
    alone = [ascend(f, starts[[i]], LONG, **STEPS) for i in range(len(starts))]
    best = max(alone, key=lambda reached: reached[1])

    assert together[0] == pytest.approx(best[0], abs=1e-12)
    assert together[1] == pytest.approx(best[1], abs=1e-12)


def test_the_answer_is_never_worse_than_the_best_start():
    def f(X):  # the gradient is wrong on purpose
        return -np.abs(X - 0.5).sum(axis=1), np.sign(X - 0.5)

    starts = np.random.default_rng(0).random((6, 3))
    _, value = ascend(f, starts, (Stage(6, 4), Stage(2, 4)), **STEPS)

    assert value == f(starts)[0].max()


def test_the_best_rows_are_apart_in_some_coordinate():
    X = np.array([[0.5, 0.5], [0.5, 0.52], [0.5, 0.7], [0.1, 0.1]])

    assert best_apart(X, np.array([3.0, 4.0, 2.0, 1.0]), 3, 0.05) == [1, 2, 3]
    assert best_apart(X, np.array([3.0, 4.0, 2.0, 1.0]), 2, 0.0) == [1, 0]
    assert best_apart(X[:2], np.array([1.0, 2.0]), 5, 0.05) == [1]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    m=st.integers(1, 200),
    count=st.integers(1, 8),
    apart=st.floats(0, 0.5),
)
def test_the_best_rows_apart_are_those_of_a_plain_loop(seed, m, count, apart):
    rng = np.random.default_rng(seed)
    X, values = rng.random((m, 2)), rng.integers(0, 9, m).astype(float)
    rows = []
    for row in np.argsort(-values, kind="stable")[: LOOKED_AT * count]:
        if len(rows) < count and all(np.abs(X[row] - X[other]).max() > apart for other in rows):
            rows.append(row)

    assert best_apart(X, values, count, apart) == rows
    assert best_apart(X, values, count, np.array([apart + 0.01, apart + 0.01])) == best_apart(
        X, values, count, apart + 0.01
    )
