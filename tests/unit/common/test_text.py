"""Numbers, counts, durations and lists as text."""

import math

import pytest

from bolt_core.common import text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.012345, "0.0123"),
        (4.567, "4.57"),
        (12345.6, "12,346"),
        (0.0, "0"),
        (-1.5, "\N{MINUS SIGN}1.50"),
    ],
)
def test_a_number_has_three_significant_digits(value, shown):
    assert text.significant(value) == shown
    assert value > 5400 or text.seconds(value) == f"{shown} s"


def test_hours_and_days_are_not_written_in_seconds():
    assert text.seconds(12_345.6) == "3.43 h"
    assert text.clock_time(300_000.0) == "3.47 days"
    assert text.seconds(math.inf) == "unknown s"


@pytest.mark.parametrize("value", [None, math.nan, math.inf])
def test_a_number_that_is_missing_is_unknown(value):
    assert text.significant(value) == "unknown"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.0, "0 s"), (89.0, "89 s"), (90.0, "2 min"), (5399.0, "90 min"), (12_240.0, "3.4 h")],
)
def test_a_duration_has_its_natural_unit(seconds, shown):
    assert text.duration(seconds) == shown


def test_counts_lists_and_shares():
    assert [text.counted(n, "seed") for n in (0, 1, 2, 1200)] == [
        "0 seeds", "1 seed", "2 seeds", "1,200 seeds",
    ]  # fmt: skip
    assert [text.listed(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == [
        "a", "a and b", "a, b and c",
    ]  # fmt: skip
    assert text.listed(["a", "b, c", "d"]) == "a; b, c and d"
    assert text.percent(0.25) == "25\N{THIN SPACE}%"


@pytest.mark.parametrize(
    ("seconds", "moment", "length"),
    [
        (0.0, "0 s", "0 s"),
        (599.6, "600 s", "599.6 s"),
        (9000.0, "150 min", "150 min"),
        (299_940.0, "3.47 days", "3.47 days"),
    ],
)
def test_times_of_races_are_seconds_unless_they_are_long(seconds, moment, length):
    assert (text.race_time(seconds), text.exact_time(seconds)) == (moment, length)


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.183, "0.18 s"), (12.3, "12 s"), (999.8, "16.7 min")]
)
def test_response_times_have_no_exponent(seconds, shown):
    assert text.response(seconds) == shown
