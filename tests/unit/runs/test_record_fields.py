"""Columns and JSON follow from the definition of an iteration record."""

import json
import math
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolt_core.common.types import Hyperparameters, IterationRecord, Observation
from bolt_core.runs.record_fields import JSON_FIELDS, OBSERVATION, POINTS, SCALARS, THETA
from bolt_core.runs.snapshot import RunHistory
from bolt_core.store.record_format import from_json, to_json

finite = st.floats(allow_nan=False, allow_infinity=False)
points = st.tuples(finite, finite)
optima = st.tuples(finite, points) | st.just((math.nan, (math.nan, math.nan)))
hyperparameters = st.builds(Hyperparameters, finite, finite, st.none() | finite, finite)


@st.composite
def records(draw):
    """Any record of a pass in two dimensions, with or without a known optimum."""
    best, best_x = draw(optima)
    return IterationRecord(
        observation=Observation(
            draw(st.integers(0, 10**6)), draw(points), draw(finite), draw(finite)
        ),
        value=draw(finite) if math.isfinite(best) else math.nan,
        best=best,
        best_x=best_x,
        n=draw(st.integers(0, 10**6)),
        seconds=draw(finite),
        warmup=draw(st.booleans()),
        waited=draw(st.just(0.0) | st.floats(1e-9, 1e6)),
        theta=draw(st.none() | hyperparameters),
        n_star=draw(st.none() | st.integers(1, 10**6)),
        removed=tuple(draw(st.lists(st.integers(0, 99), max_size=3))),
        notes=draw(st.just({}) | st.just({"budget": 0.1, "reset": "block is full"})),
    )


@given(records())
def test_a_record_survives_columns_and_json(record):
    history = RunHistory(2)
    history.append(record)
    line = to_json(record)
    text = json.dumps(line, allow_nan=False)

    assert repr(history.view().record(0)) == repr(record)  # NaN is not equal to itself
    assert repr(from_json(json.loads(text), record.observation.i)) == repr(record)
    assert not {None, (), math.nan} & {v for v in line.values() if not isinstance(v, dict)}


def test_every_field_of_a_record_is_stored():
    stored = {*SCALARS, *POINTS, "observation", "theta", "removed", "notes"}

    assert {field.name for field in fields(IterationRecord)} <= stored
    assert {field.name for field in fields(Observation)} == set(OBSERVATION) <= stored
    assert tuple(field.name for field in fields(Hyperparameters)) == THETA
    assert {"observation", *(field.name for field in JSON_FIELDS)} == {
        field.name for field in fields(IterationRecord)
    }


def test_the_json_of_a_pass_is_the_same_bytes_as_ever():
    theta = Hyperparameters(1.5, 0.1, None, 1e-4)
    full = IterationRecord(
        Observation(7, (0.5, 0.25), 2.0, -1.0), -1.5, 0.0, (0.2, 0.3), 7, 0.5, warmup=False,
        waited=0.25, theta=theta, n_star=5, removed=(1, 2), notes={"budget": 0.1},
    )  # fmt: skip
    nan = math.nan
    least = IterationRecord(Observation(0, (0.5,), 0.0, 1.0), nan, nan, (nan,), 0, 0.0, warmup=True)

    bytes_of_full = (
        '{"i": 7, "x": [0.5, 0.25], "t": 2.0, "y": -1.0, "value": -1.5, "best": 0.0, '
        '"best_x": [0.2, 0.3], "n": 7, "seconds": 0.5, "warmup": false, "waited": 0.25, '
        '"theta": {"signal_variance": 1.5, "lengthscale_space": 0.1, "lengthscale_time": null, '
        '"noise_variance": 0.0001}, "n_star": 5, "removed": [1, 2], "notes": {"budget": 0.1}}'
    )
    bytes_of_least = (
        '{"i": 0, "x": [0.5], "t": 0.0, "y": 1.0, "n": 0, "seconds": 0.0, "warmup": true}'
    )

    assert json.dumps(to_json(full)) == bytes_of_full
    assert json.dumps(to_json(least)) == bytes_of_least


@pytest.mark.parametrize("name", ["x", "t", "y", "n", "seconds", "warmup"])
def test_a_line_without_a_required_field_is_refused(name):
    line = {"i": 0, "x": [0.5], "t": 0.0, "y": 1.0, "n": 0, "seconds": 0.0, "warmup": True}
    del line[name]

    with pytest.raises(KeyError, match=name):
        from_json(line, 0)
