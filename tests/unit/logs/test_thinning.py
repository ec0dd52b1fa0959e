"""Thinned rows show short and long times alike."""

import numpy as np
import pytest

from bolt_core.logs.thinning import thinned


@pytest.mark.parametrize("total", [601, 1000, 3000, 5000, 200_000])
def test_all_time_scales_stay_visible(total):
    rows = thinned(total, 600)
    assert len(rows) == 600
    assert len(set(rows.tolist())) == 600
    assert (rows[0], rows[-1]) == (0, total - 1)
    gaps = np.diff(rows)
    assert gaps.min() == 1
    for scale in np.geomspace(20, total, 8):  # several rows within each scale, and beyond it
        newest = rows[rows > total - 1 - scale]
        assert len(newest) >= 10
        assert np.diff(newest).max() <= max(scale / 5, 1)


def test_a_short_log_is_used_as_it_is():
    assert thinned(7, 600).tolist() == list(range(7))
