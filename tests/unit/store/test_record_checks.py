"""What is checked in a line of an imported record."""

import json

import pytest

from bolt_core.store import bundled_race
from bolt_core.store.record_checks import line_error
from bolt_core.store.record_format import to_json

LEARNED = {"y_mean": 0.0, "y_sd": 1.0}


def fitted_pass(**notes):
    """A pass of the built-in recording after its warm-up, with these notes, as JSON."""
    run = next(run for run in bundled_race.race().runs if run.config.algorithm == "bolt")
    i = next(i for i, record in enumerate(run.records) if record.theta is not None)
    line = json.loads(json.dumps({"kind": "iteration", **to_json(run.records[i])}))
    return line | {"notes": notes}, i, len(line["x"])


@pytest.mark.parametrize(
    "notes",
    [
        {"inference": LEARNED, "scores": [0.0, 2.5], "memory": None, "reset": "full"},
        {"response": [0.1, 0.2], "response_floor": 0.1, "unknown": {"a": [1, "x"]}},
    ],
)
def test_notes_of_any_algorithm_are_accepted(notes):
    assert line_error(*fitted_pass(**notes)) is None


@pytest.mark.parametrize(
    "notes",
    [
        *({"response": fit, "response_floor": 0.1} for fit in ([], "x", [None], {})),
        *({"inference": learned} for learned in (1, "x", {}, LEARNED | {"y_mean": "x"})),
        *({"inference": LEARNED | {"evaluations": value}} for value in (-1, 0.5, "x")),
        *({"scores": scores} for scores in (1, [-1], ["x"], [[0.0]])),
        *({"memory": memory} for memory in (0.0, "x", [1.0])),
    ],
)
def test_notes_that_cannot_be_drawn_are_refused(notes):
    assert "notes" in line_error(*fitted_pass(**notes))


def test_an_inference_without_theta_is_refused():
    line, i, dimension = fitted_pass(inference=LEARNED)

    assert "theta" in line_error(line | {"theta": None}, i, dimension)
