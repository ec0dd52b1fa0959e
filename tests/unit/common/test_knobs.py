"""Knobs: coordinates and back, steps, and errors that name the knob."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolt_core.common import knobs
from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.knob_tables import knob_from_json, knob_to_json
from bolt_core.common.knobs import Choice, Integer, Real

NUMBERS = st.floats(-1e6, 1e6)
SHARES = st.floats(0.0, 1.0)


STEPS = st.floats(1e-3, 1e3)


@st.composite
def reals(draw):
    """Draw a real knob with a step limit, linear or logarithmic."""
    if draw(st.booleans()):
        low = draw(st.floats(1e-6, 1e3))
        return Real(low, low * draw(st.floats(1.5, 1e6)), scale="log", max_step=1 + draw(STEPS))
    low = draw(NUMBERS)
    return Real(low, low + draw(st.floats(1e-2, 1e6)), max_step=draw(STEPS))


def test_the_examples_of_the_module_hold():
    assert doctest.testmod(knobs).failed == 0
    assert doctest.testmod(knobs).attempted >= 6


@given(reals(), SHARES)
def test_a_real_value_stays_in_its_range_and_keeps_its_coordinate(knob, u):
    value = knob.check("k").from_unit(u)

    assert knob.low <= value <= knob.high
    assert knob.to_unit("k", value) == pytest.approx(u, abs=1e-6)


@given(reals(), SHARES, SHARES)
def test_a_step_is_never_larger_than_allowed(knob, u, share):
    low, high = knob.reach(u)
    ends = max(low, 0.0), min(high, 1.0)
    before, after = knob.from_unit(u), knob.from_unit(ends[0] + share * (ends[1] - ends[0]))

    if knob.scale == "log":
        assert max(before, after) / min(before, after) <= knob.max_step
    else:
        assert abs(after - before) <= knob.max_step


@given(st.integers(-1000, 1000), st.integers(1, 50), st.integers(1, 60), SHARES)
def test_whole_numbers_and_their_steps_are_exact(low, span, step, u):
    knob = Integer(low, low + span, max_step=step).check("k")
    value = knob.from_unit(u)

    assert low <= value <= low + span
    assert knob.from_unit(knob.to_unit("k", value)) == value
    reached = [knob.from_unit(end) for end in knob.reach(knob.to_unit("k", value))]
    assert reached == [value - step, value + step]


def test_all_values_of_a_choice_are_as_likely():
    knob = Choice("A", "B", "C")
    drawn = [knob.from_unit(u) for u in np.linspace(0.0, 1.0, 3001)]

    assert {value: drawn.count(value) // 1000 for value in "ABC"} == {"A": 1, "B": 1, "C": 1}


@pytest.mark.parametrize("value", [1, 2.0, np.int64(3), np.float32(4)])
def test_numbers_of_any_kind_may_be_told(value):
    assert Integer(1, 6).to_unit("k", value) == (int(value) - 0.5) / 6


@pytest.mark.parametrize(
    "knob",
    [
        Real(0.1, 8),
        Real(1, 9, "K", "log", 2.0),
        Integer(1, 6, max_step=2),
        Choice(1, "a", False, 2.5),
    ],
)
def test_a_table_gives_the_same_knob(knob):
    assert knob_from_json("k", knob_to_json(knob.check("k"))) == knob


@pytest.mark.parametrize(
    ("knob", "words"),
    [
        (Real(8, 0), "low < high, got low = 8 and high = 0"),
        (Real(0, float("inf")), "high of knob 'feed' must be a finite number, got inf"),
        (Real("a", 1), "low of knob 'feed'"),
        (Real(0, 8, scale="log"), "above 0 with scale = 'log'"),
        (Real(0, 8, scale="ln"), "'linear' or 'log', got 'ln'"),
        (Real(1, 8, scale="log", max_step=0.5), "factor above 1"),
        (Real(0, 8, max_step=-1), "max_step of knob 'feed' must be above 0, got -1"),
        (Real(0, 8, unit=5), "unit of knob 'feed'"),
        (Integer(1.5, 6), "low of knob 'feed' must be a whole number, got 1.5"),
        (Integer(0, 10**9), "at most 1,000,000"),
        (Integer(1, 6, max_step=0), "at least 1, got 0"),
        (Choice("A"), "2 to 1,000, got 1"),
        (Choice("A", "A"), "must differ, got 'A' twice"),
        (Choice("A", ["B"]), r"got \['B'\]"),
    ],
)
def test_a_wrong_declaration_is_refused_with_the_knob(knob, words):
    with pytest.raises(BoltError, match=words) as error:
        knob.check("feed")

    assert "'feed'" in str(error.value)


@pytest.mark.parametrize(
    ("knob", "value", "words"),
    [
        (Real(0, 8, unit="l/min"), "high", "0 to 8 l/min; got 'high'"),
        (Real(0, 8), True, "got True"),
        (Real(1, 8, scale="log"), 0.0, "above 0, got 0"),
        (Integer(1, 6), 2.5, "whole numbers, got 2.5"),
        (Choice("A", "B"), "C", "cannot be set to 'C'; choose one of 'A', 'B'"),
        (Choice(1, 2), "1", "cannot be set to '1'"),
    ],
)
def test_a_value_that_cannot_be_set_is_refused_with_the_knob(knob, value, words):
    with pytest.raises(BoltError, match=words) as error:
        knob.to_unit("feed", value)

    assert "'feed'" in str(error.value)


def test_a_value_outside_its_range_has_a_coordinate_outside_the_cube():
    assert Real(0, 8).to_unit("k", 10) == 1.25
    assert Integer(1, 4).to_unit("k", 0) < 0


@pytest.mark.parametrize(
    ("knob", "value"),
    [
        (Real(1e-4, 1e-1, scale="log"), 1e-3),
        (Real(0.3, 7.7), 3.9),
        (Real(-1e6, 1e6), 0.1),
        (Real(1e-9, 2e-9), 1.7e-9),
        (Real(280, 420), 333.3),
        (Real(0, 8), 12.7),
    ],
)
def test_a_value_is_returned_as_it_was_told(knob, value):
    for number in (value, value * 1.1, value / 3):
        kept = float(f"{number:.5g}")
        assert knob.from_unit(knob.to_unit("a", kept)) == kept


@pytest.mark.parametrize(
    ("knob", "words"),
    [
        (Real(-1e308, 1e308), "1e\\+308; use another unit"),
        (Real(0, 1e200), "1e\\+200; use another unit"),
        (Real(0, 1e-200), "1e-200; use another unit"),
        (Real(1e-30, 1e30, scale="log"), "1e\\+30; use a larger low"),
        (Real(1e-300, 1e40, scale="log"), "1e\\+40; use a larger low"),
        (Real(0, 10**400), "finite number"),
        (Integer(10**60, 10**60 + 5), "use another unit"),
    ],
)
def test_a_range_that_cannot_be_computed_with_is_refused(knob, words):
    with pytest.raises(ConfigError, match=words):
        knob.check("feed")
