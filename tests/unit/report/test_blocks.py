"""Tests of how a report writes numbers."""

from bolt_core.report.model.blocks import number, same_decimals, whole, with_error


def test_numbers_have_three_significant_digits():
    assert [number(v) for v in (0.0, 2.5, 262.4, 6721.3, 0.0123, None)] == [
        "0.00", "2.50", "262", "6721", "0.0123", "-",
    ]  # fmt: skip
    assert [whole(v) for v in (12.4, None, float("nan"))] == ["12", "-", "-"]


def test_an_error_has_the_decimals_of_its_mean():
    assert with_error(2.512, 0.0213) == "2.51 ± 0.02"
    assert with_error(262.4, 7.13) == "262 ± 7.1"
    assert with_error(6721.0, 2113.2) == "6721 ± 2113"
    assert with_error(2.512, None) == "2.51"


def test_numbers_that_belong_together_have_the_decimals_of_the_largest():
    assert same_decimals((-50.04, -70.0, 0.001)) == ["-50.0", "-70.0", "0.0"]
