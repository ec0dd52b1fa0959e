"""What was typed into the form, as a problem or as mistakes that name the knob."""

from dataclasses import replace

import pytest

from bolt_core import Choice, Integer, Real
from bolt_core.common.errors import ConfigError
from bolt_ui.problem.knob_changes import changed_values
from bolt_ui.problem.typed_problem import EMPTY, EXAMPLE, TypedKnob, spec_of, typed_number


def with_knob(**fields):
    return replace(EXAMPLE, knobs=[TypedKnob(**{"name": "heat", "low": "1", "high": "9"} | fields)])


def test_the_example_is_a_problem():
    spec, mistakes = spec_of(EXAMPLE)

    assert not mistakes
    assert spec.knobs == {
        "feed": Real(0.0, 8.0, "l/min", max_step=1.0),
        "stages": Integer(1, 6),
        "catalyst": Choice("A", "B", "C"),
    }
    assert (spec.outcome, spec.unit, spec.maximize) == ("yield", "%", True)


@pytest.mark.parametrize(
    ("fields", "knob"),
    [
        ({"low": "0,5"}, Real(0.5, 9.0)),
        ({"low": "1e-3", "scale": "log"}, Real(1e-3, 9.0, scale="log")),
        ({"kind": "Whole number", "max_step": "2"}, Integer(1, 9, max_step=2)),
        ({"kind": "Choice", "values": "1, 2, 4"}, Choice(1, 2, 4)),
        ({"kind": "Choice", "values": "red,,blue "}, Choice("red", "blue")),
        ({"low": "\N{MINUS SIGN}3", "unit": " bar "}, Real(-3.0, 9.0, "bar")),
    ],
)
def test_texts_become_knobs(fields, knob):
    spec, mistakes = spec_of(with_knob(**fields))

    assert not mistakes
    assert spec.knobs == {"heat": knob}


@pytest.mark.parametrize(
    "fields",
    [
        {"low": ""},
        {"high": "a lot"},
        {"low": "9", "high": "1"},
        {"low": "0", "scale": "log"},
        {"max_step": "-1"},
        {"kind": "Whole number", "low": "0.5"},
        {"kind": "Choice", "values": "one"},
        {"kind": "Choice", "values": "a, a"},
        {"high": "1,000.5"},
    ],
)
def test_a_mistake_names_the_knob(fields):
    spec, mistakes = spec_of(with_knob(**fields))

    assert spec is None
    assert "heat" in mistakes.knobs[0]
    assert not mistakes.general


@pytest.mark.parametrize(
    ("text", "remedy"), [("1.234,5", "1234.5"), ("1,234.5", "1234.5"), ("1,234,567", "1234567")]
)
def test_a_thousands_separator_is_named(text, remedy):
    with pytest.raises(ConfigError, match=f"thousands.*{remedy}"):
        typed_number("the measurement", text)


def test_everything_that_is_wrong_is_said_at_once():
    spec, mistakes = spec_of(replace(EMPTY, knobs=[TypedKnob(), TypedKnob(name="b", low="x")]))

    assert spec is None
    assert set(mistakes.knobs) == {0, 1}
    assert len(mistakes.general) == 2
    assert spec_of(replace(EXAMPLE, outcome="feed"))[1].general
    assert spec_of(replace(EXAMPLE, knobs=[]))[1].general


def test_only_what_was_typed_anew_changes():
    present = {"low": "0", "high": "8", "unit": "l/min", "max_step": "1"}
    knob = Real(0.0, 8.0, "l/min", max_step=1.0)

    assert changed_values("feed", knob, present, dict(present)) == {}
    typed = present | {"high": "6,5", "max_step": "", "unit": "l/h"}
    assert changed_values("feed", knob, present, typed) == {
        "high": 6.5,
        "max_step": None,
        "unit": "l/h",
    }
    assert changed_values("n", Integer(1, 6), {"high": "6"}, {"high": "4"}) == {"high": 4}
