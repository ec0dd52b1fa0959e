"""R(n): the three properties of Definition 3.5, recovery of a known cubic, robustness."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import ResponseSample
from bolt_core.theory.response_time import _bin, fit_response_time, medians


def truth(n):
    return 0.05 + 2e-4 * n + 3e-8 * n**3


def samples(seconds_of, sizes):
    return [ResponseSample(n, seconds_of(n)) for n in sizes]


@pytest.mark.parametrize("plain", [False, True])
def test_recovers_a_cubic_beyond_the_sizes_it_saw(plain):
    R = fit_response_time(samples(truth, range(0, 200, 10)), plain=plain)

    assert float(R(500)) == pytest.approx(truth(500), rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 500), st.floats(1e-3, 100.0)), min_size=1, max_size=60))
def test_definition_3_5_holds_whatever_was_measured(pairs):
    R = fit_response_time([ResponseSample(n, s) for n, s in pairs])

    values = R(np.arange(0, 3000, 50))
    assert values[0] > 0
    assert np.all(np.diff(values) >= 0)


def test_one_slow_pass_does_not_bend_the_curve():
    spoiled = samples(truth, list(range(200)) * 3)
    spoiled[77] = ResponseSample(spoiled[77].n, 30.0)

    assert float(fit_response_time(spoiled)(100)) == pytest.approx(truth(100), rel=0.01)


def test_thousands_of_samples_at_one_size_do_not_drown_the_others():
    pinned = samples(truth, [*range(15, 120, 3), *[119] * 5000])

    assert float(fit_response_time(pinned)(300)) == pytest.approx(truth(300), rel=0.05)


@pytest.mark.parametrize("sizes", [[5], [5, 5, 5], [5, 6, 7]])
def test_fewer_than_four_sizes_give_a_constant(sizes):
    R = fit_response_time(samples(lambda n: 0.3, sizes))

    assert R.constant
    assert float(R(1000)) == 0.3


def test_it_never_falls_below_the_shortest_pass_measured():
    R = fit_response_time(samples(lambda n: 0.2 + 1e-2 * max(n - 50, 0) ** 2, range(100)))

    assert float(R(0)) >= 0.2


def test_the_plain_regression_is_numpys():
    rng = np.random.default_rng(0)
    noisy = [ResponseSample(n, truth(n) + 0.01 * rng.standard_normal()) for n in range(100)]

    fitted = np.polynomial.Polynomial.fit([s.n for s in noisy], [s.seconds for s in noisy], 3)

    coefficients = fit_response_time(noisy, plain=True).coefficients
    assert coefficients == pytest.approx(tuple(fitted.convert().coef), rel=1e-6)


def test_it_refuses_to_guess_from_nothing():
    with pytest.raises(ConfigError, match="at least one sample"):
        fit_response_time([])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 500), st.floats(1e-3, 100.0)), min_size=1, max_size=60))
def test_medians_are_those_of_each_bin(pairs):
    bins = {}
    for n, seconds in pairs:
        bins.setdefault(_bin(n), []).append((float(n), seconds))
    expected = sorted(tuple(np.median(bin_, axis=0)) for bin_ in bins.values())
    sizes, middle = medians(*np.array(pairs, dtype=float).T)

    assert list(zip(sizes, middle, strict=True)) == expected
