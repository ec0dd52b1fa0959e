"""Distance to the moving optimum: running medians."""

import numpy as np
import pytest

from bolt_core.analysis.distance_to_optimum import MEDIAN_QUERIES, running_medians


@pytest.mark.parametrize("n", [1, MEDIAN_QUERIES - 1, MEDIAN_QUERIES, 400])
def test_a_running_median_is_the_one_numpy_gives(n):
    values = np.random.default_rng(n).random(n)
    rows = np.arange(0, n, 3)

    expected = [np.median(values[max(0, r - MEDIAN_QUERIES + 1) : r + 1]) for r in rows]
    np.testing.assert_array_equal(running_medians(values, rows), expected)
