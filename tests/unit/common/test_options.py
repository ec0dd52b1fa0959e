"""Options: named choices that reject what is out of bounds."""

from dataclasses import dataclass

import pytest

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.options import Option, options_of, param, parse_all, parse_assignment

WINDOW = Option("window", 100, "kept", low=10, high=500, unit="observations")


@dataclass(frozen=True)
class Params:
    alpha: float = param(0.25, "budget growth", low=0, high=1)
    literal: bool = param(False, "as printed")


@pytest.mark.parametrize("value", [5, 501, float("inf"), float("nan")])
def test_a_number_out_of_bounds_is_named_with_them(value):
    with pytest.raises(ConfigError, match=rf"window must be .*got {value}"):
        Option("window", 100.0, "", low=10, high=500).parse(value)


@pytest.mark.parametrize("value", ["many", None, True, 20.5])
def test_a_whole_number_must_be_one(value):
    with pytest.raises(ConfigError, match=r"window.*whole number"):
        WINDOW.parse(value)


def test_a_whole_number_may_be_written_with_a_point():
    assert WINDOW.parse(20.0) == 20


def test_choices_are_listed():
    with pytest.raises(ConfigError, match=r"noise.*paper, 1pct.*loud"):
        Option("noise", "paper", "", ("paper", "1pct")).parse("loud")


def test_a_switch_must_be_true_or_false():
    with pytest.raises(ConfigError, match=r"literal.*true or false.*'yes'"):
        Option("literal", False, "").parse("yes")


def test_text_is_taken_as_it_is():
    assert Option("day", "2004-03-06", "").parse("2004-03-07") == "2004-03-07"


def test_what_is_not_given_has_its_default():
    assert parse_all("option of x", [WINDOW], {}) == {"window": 100}


def test_an_unknown_name_lists_the_known():
    with pytest.raises(UnknownNameError, match=r"'windw'.*did you mean"):
        parse_all("option of x", [WINDOW], {"windw": 3})


def test_the_fields_of_a_dataclass_are_options():
    alpha, literal = options_of(Params)

    assert (alpha.name, alpha.default, alpha.low, alpha.high) == ("alpha", 0.25, 0, 1)
    assert (literal.name, literal.default, literal.help) == ("literal", False, "as printed")


@pytest.mark.parametrize(
    ("text", "value"),
    [("a=1", 1), ("a = 0.5", 0.5), ("a=.5", 0.5), ("a=1e3", 1e3), ("a=True", True),
     ("a=x=y", "x=y"), ('a="5"', "5"), ("a=[1]", "[1]"), ("a=", "")],
)  # fmt: skip
def test_an_assignment_is_parsed_into_name_and_value(text, value):
    parsed = parse_assignment(text)

    assert parsed == ("a", value)
    assert type(parsed[1]) is type(value)


@pytest.mark.parametrize("text", ["=3", "a", " = 3"])
def test_an_assignment_needs_a_name_and_a_sign(text):
    with pytest.raises(ConfigError, match="name=value"):
        parse_assignment(text)
