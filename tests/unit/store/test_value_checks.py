"""The words of a check say what passes it."""

import pytest

from bolt_core.store.record_checks import PASS, first_error
from bolt_core.store.value_checks import MAX_NUMBER


@pytest.mark.parametrize("y", [1e308, -1e308, float("nan"), "x"])
def test_a_number_that_is_too_large_is_refused_with_the_limit(y):
    problem = first_error({"y": y}, PASS)

    assert f"{MAX_NUMBER:g}" in problem
    assert "finite" not in problem  # 1e308 is finite


def test_the_limit_itself_passes():
    assert first_error({"y": MAX_NUMBER, "seconds": 0.0}, PASS) is None
    assert "from 0" in first_error({"seconds": -1.0}, PASS)
