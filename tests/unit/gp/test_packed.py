import numpy as np
import pytest
from scipy.linalg import lapack

from bolt_core.gp import load
from bolt_core.gp.packed import inverse_of_packed_factor, packed, packed_diagonal
from bolt_core.gp.protocol import Data, FitRequest, Model


@pytest.mark.parametrize("n", range(1, 12))
def test_the_packed_diagonal_is_where_lapack_puts_it(n):
    square = np.diag(np.arange(1.0, n + 1))
    arf, _ = lapack.dtrttf(np.asfortranarray(square), uplo="L")

    assert np.array_equal(arf[packed_diagonal(n)], np.arange(1.0, n + 1))


@pytest.mark.parametrize("n", [1, 2, 5, 64, 65, 130, 131, 257])
def test_the_inverse_of_a_packed_factor_is_numpys(n):
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, n + 5))
    A = X @ X.T / n + np.eye(n)
    factor, info = lapack.dpftrf(n, packed(A), uplo="L")

    root = inverse_of_packed_factor(n, factor)

    assert info == 0
    assert np.array_equal(root, np.tril(root))
    # the condition number of A is below 20: 1e-12 leaves two digits to spare
    np.testing.assert_allclose(root, np.linalg.inv(np.linalg.cholesky(A)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("ard", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_surrogate_that_lost_observations_answers_as_if_they_had_never_been(ard, count):
    rng = np.random.default_rng(count)
    X, t = rng.random((60, 3)), np.sort(rng.uniform(0.0, 30.0, 60))
    y = np.sin(5 * X[:, 0] + t / 9) + 0.1 * rng.standard_normal(60)
    engine = load("exact", Model(3, ard=ard))
    left = engine.fit(Data.of(X, t, y), FitRequest(30.0), rng)
    for row in rng.permutation(57)[:count].tolist():
        left = left.without(row)
    anew = engine.condition(left.data, left.inference)
    places = rng.random((40, 3))

    for ours, theirs in zip(
        left.posterior(places, 31.0), anew.posterior(places, 31.0), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)
    for ours, theirs in zip(left.leave_one_out(), anew.leave_one_out(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(left.removal_scores(31.0), anew.removal_scores(31.0), rtol=1e-6)
    bounds = (s.bound_scores(31.0).scores() for s in (left, anew))
    np.testing.assert_allclose(*bounds, rtol=1e-6)
    found = [s.maximise_ucb(31.0, np.random.default_rng(0))[0] for s in (left, anew)]
    values = left.ucb(np.array(found), 31.0, 4.0)
    assert values[0] == pytest.approx(values[1], abs=0.02)  # within the search's own tolerance


def test_as_many_removals_as_pay_are_carried():
    rng = np.random.default_rng(0)
    data = Data.of(rng.random((20, 2)), np.arange(20.0), rng.standard_normal(20))
    stationary = load("exact", Model(2)).fit(data, FitRequest(20.0), rng)
    wiener = load("exact", Model(2, temporal_kernel="wiener")).fit(data, FitRequest(20.0), rng)

    assert stationary.downdates(3)
    assert not stationary.downdates(4)
    assert not stationary.without(0).downdates(3)
    assert not wiener.downdates(1)
