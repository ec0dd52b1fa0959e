"""A bounded BFGS for a few variables: against SciPy, against every face of the box, and bounds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from bolt_core.gp.descent import descend, model_step, updated

ENOUGH = {"iterations": 200, "tolerance": 1e-15}


def quadratic(rng, d):
    """A convex quadratic g's + s'As / 2 with a condition number of up to 10^4."""
    Q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return Q @ np.diag(10.0 ** rng.uniform(-2, 2, d)) @ Q.T, rng.standard_normal(d)


def lowest_over_faces(A, g, low, high):
    """The minimum of a convex quadratic over a box: the best feasible minimum of any face."""
    best, d = 0.0, len(g)
    for face in product((-1, 0, 1), repeat=d):
        side = np.array(face)
        s = np.where(side < 0, low, np.where(side > 0, high, 0.0))
        free = side == 0
        if free.any():
            right = -(g + A @ s)[free]
            s[free] = np.linalg.solve(A[np.ix_(free, free)], right)
        if np.all((s >= low - 1e-12) & (s <= high + 1e-12)):
            best = min(best, float(g @ s + 0.5 * s @ A @ s))
    return best


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 4))
def test_a_quadratic_is_minimised_over_the_box_as_by_trying_every_face(seed, d):
    rng = np.random.default_rng(seed)
    A, g = quadratic(rng, d)
    low, high = -rng.uniform(0, 1, d), rng.uniform(0, 1, d)
    reached = descend(
        lambda x: (float(g @ x + 0.5 * x @ A @ x), g + A @ x),
        np.zeros(d),
        low,
        high,
        curvature=np.eye(d),
        **ENOUGH,
    )

    assert np.all((reached.x >= low) & (reached.x <= high))
    assert reached.value == pytest.approx(lowest_over_faces(A, g, low, high), rel=1e-6, abs=1e-9)
    assert np.all(np.linalg.eigvalsh(reached.curvature) > 0)


@pytest.mark.parametrize("seed", range(5))
def test_a_curved_valley_is_followed_as_low_as_by_scipy(seed):
    def valley(x):  # Rosenbrock's, in three variables
        a, b = x[1:] - x[:-1] ** 2, 1.0 - x[:-1]
        gradient = np.zeros(3)
        gradient[:-1] = -4.0 * x[:-1] * a - 2.0 * b
        gradient[1:] += 2.0 * a
        return float((a**2 + b**2).sum()), gradient

    start = np.random.default_rng(seed).uniform(-1, 1, 3)
    low, high = np.full(3, -1.5), np.array([1.5, 0.7, 1.5])
    reached = descend(valley, start, low, high, curvature=np.eye(3), **ENOUGH)
    box = np.column_stack([low, high])
    theirs = minimize(valley, start, jac=True, method="L-BFGS-B", bounds=box)

    assert reached.value == pytest.approx(theirs.fun, abs=1e-6)


def test_with_the_true_curvature_two_evaluations_are_enough():
    A, g = quadratic(np.random.default_rng(0), 4)
    calls = []

    def f(x):
        calls.append(x)
        return float(g @ x + 0.5 * x @ A @ x), g + A @ x

    far = np.full(4, 1e9)
    start = np.linalg.solve(A, -g) + 0.5
    descend(f, start, -far, far, curvature=A, iterations=20, tolerance=1e-9)
    assert len(calls) == 2
    descend(f, calls[-1], -far, far, curvature=A, iterations=20, tolerance=1e-9)
    assert len(calls) == 3  # nothing is promised: no step


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 4))
def test_a_step_of_the_model_is_in_the_box_and_promises_what_the_model_loses(seed, d):
    rng = np.random.default_rng(seed)
    H, g = quadratic(rng, d)
    low, high = -rng.exponential(1, d) * rng.integers(0, 2, d), rng.exponential(1, d)
    step, promised = model_step(H, g, low, high)

    assert np.all((step >= low) & (step <= high))
    assert promised == pytest.approx(-(g @ step + 0.5 * step @ H @ step), abs=1e-12)
    assert promised >= 0
    if lowest_over_faces(H, g, low, high) < -1e-9:
        assert promised > 0


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 4))
def test_the_curvature_follows_a_step_and_stays_positive_definite(seed, d):
    rng = np.random.default_rng(seed)
    H, step = quadratic(rng, d)
    rise = rng.standard_normal(d)
    after = updated(H, step, rise)

    assert np.all(np.linalg.eigvalsh(after) > 0)
    if rise @ step > 0.2 * (step @ H @ step):
        assert after @ step == pytest.approx(rise, abs=1e-8)


def test_steps_along_one_line_leave_the_curvature_well_conditioned():
    H, step = np.eye(4), np.array([1.0, 2.0, 0.0, -1.0])
    for _ in range(100):
        H = updated(H, 1e-3 * step, -step)  # concave each time
    H = updated(H, 1e-9 * step, 1e9 * step)

    assert np.linalg.cond(H) <= 1.001e10
    assert np.array_equal(updated(H, step, np.full(4, np.nan)), H)


def test_a_value_that_is_not_a_number_shortens_the_step():
    def f(x):
        return (np.nan if x[0] > 0.5 else float((x[0] - 0.4) ** 2)), 2.0 * (x - 0.4)

    reached = descend(
        f, np.zeros(1), np.zeros(1), np.ones(1), curvature=np.eye(1), iterations=20, tolerance=1e-12
    )

    assert reached.x[0] == pytest.approx(0.4, abs=1e-4)
