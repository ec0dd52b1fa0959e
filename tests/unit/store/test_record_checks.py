"""What is checked in a line of an imported record."""

import json

import pytest

from bolt_core.runs.record_fields import THETA
from bolt_core.store import bundled_race
from bolt_core.store.record_checks import header_error, line_error, summary_error
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


@pytest.mark.parametrize("factor", [0.0, -1.0, 1e-300, 1e300, "x", None])
def test_a_factor_of_speed_that_is_not_positive_is_refused(factor):
    event = {"kind": "event", "name": "speed", "i": 0, "t": 0.0, "ratio": 2.0, "factor": 2.0}
    summary = {"iterations": 1, "speeds": [[0.0, 2.0]]}

    assert line_error(event, 0, 1) is None
    assert "factor" in line_error(event | {"factor": factor}, 0, 1)
    assert "ratio" in line_error(event | {"ratio": factor}, 0, 1)
    assert summary_error(summary) is None
    assert "factor" in summary_error(summary | {"speeds": [[0.0, factor]]})


def test_half_a_character_is_no_text():
    header = json.loads(json.dumps(dict(bundled_race.race().runs[0].header)))
    half = json.loads(r'"\ud800"')

    assert header_error(header) is None
    assert "label" in header_error(header | {"label": half})
    assert "options" in header_error(header | {"config": header["config"] | {"options": {half: 1}}})
    assert "params" in header_error(header | {"config": header["config"] | {"params": {"a": half}}})


@pytest.mark.parametrize("name", THETA)
def test_only_the_lengthscale_of_time_may_be_unknown(name):
    line, i, dimension = fitted_pass()
    error = line_error(line | {"theta": line["theta"] | {name: None}}, i, dimension)

    assert (error is None) == (name == "lengthscale_time")


@pytest.mark.parametrize("name", THETA)
def test_hyperparameters_are_positive(name):
    line, i, dimension = fitted_pass()

    assert name in line_error(line | {"theta": line["theta"] | {name: 0.0}}, i, dimension)


@pytest.mark.parametrize("name", ["spatial_kernel", "temporal_kernel"])
def test_kernels_are_known_ones(name):
    header = json.loads(json.dumps(dict(bundled_race.race().runs[0].header)))

    assert name in header_error(header | {name: "a" * 60})
    assert name in header_error(header | {name: 5})
    assert header_error(header | {name: "rbf"}) is None
    assert header_error(header | {name: None}) is None
