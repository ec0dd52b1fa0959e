"""Downsampling keeps the shape of a curve; numbers are rounded for JSON."""

import math

import numpy as np
import pytest

from bolt_core.analysis.downsample import POINTS_PER_TRACE, rounded, thin


@pytest.mark.parametrize("n", [801, 1000, 12_345, 100_000])
def test_thinning_keeps_first_last_lowest_highest(n):
    x = np.arange(float(n))
    y = np.random.default_rng(n).standard_normal(n)
    few_x, few_y = thin(x, y)

    assert len(few_x) <= POINTS_PER_TRACE
    assert (few_x[0], few_x[-1]) == (0.0, n - 1.0)
    assert (few_y.min(), few_y.max()) == (y.min(), y.max())
    assert np.all(np.diff(few_x) > 0)


def test_thinning_survives_nan():
    y = np.full(5000, np.nan)
    y[1234] = 7.0

    assert np.nanmax(thin(np.arange(5000.0), y)[1]) == 7.0


def test_a_short_trace_is_not_thinned():
    x = np.arange(800.0)

    assert thin(x, x)[0] is x


def test_plain_numbers_keep_six_digits():
    assert rounded(np.array([123.456789, math.nan, math.inf])) == [123.457, None, None]
