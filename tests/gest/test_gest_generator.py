"""BoltGenerator keeps the contract of gest-api; what it cannot do is refused by name."""

import copy
import math

import pytest
from gest_api.generator import Generator
from gest_api.vocs import VOCS

from bolt_core.online.gest_generator import BoltGenerator

VARIABLES = {
    "feed": [0.0, 8.0],
    "stages": {"type": "ContinuousVariable", "domain": [1, 6], "dtype": int},
    "catalyst": {"A", "B", "C"},
}
REACTOR = VOCS(
    variables=VARIABLES,
    objectives={"yield": "MAXIMIZE"},
    constants={"pressure": 1.5},
    observables=["colour"],
)
ONE = VOCS(variables={"x": [0.0, 1.0]}, objectives={"f": "MINIMIZE"})


def measured(point):
    """Return a point with its outputs."""
    loss = (point["feed"] - 3.0) ** 2 + (point["stages"] - 4) ** 2
    outputs = {"yield": 80.0 - loss - 5.0 * (point["catalyst"] != "B"), "colour": "red"}
    return {**point, **outputs}


def test_it_is_a_generator_that_suggests_settable_points_with_constants_and_ids():
    generator = BoltGenerator(REACTOR, seed=1)
    points = generator.suggest(3)

    assert isinstance(generator, Generator)
    assert generator.returns_id
    assert [point["_id"] for point in points] == [1, 2, 3]
    for point in points:
        assert set(point) == {*VARIABLES, "pressure", "_id"}
        assert 0 <= point["feed"] <= 8
        assert type(point["stages"]) is int
        assert 1 <= point["stages"] <= 6
        assert point["catalyst"] in {"A", "B", "C"}
        assert point["pressure"] == 1.5


@pytest.mark.parametrize(("asked_for", "count"), [(None, 1), (0, 0), (1, 1), (20, 20)])
def test_it_gives_as_many_points_as_are_asked_for(asked_for, count):
    assert len(BoltGenerator(REACTOR).suggest(asked_for)) == count


@pytest.mark.parametrize("count", [-1, 1.5, "2"])
def test_an_impossible_number_of_points_is_a_value_error(count):
    with pytest.raises(ValueError, match="num_points"):
        BoltGenerator(REACTOR).suggest(count)


def test_it_learns_from_results_in_batches():
    generator = BoltGenerator(REACTOR, seed=0)
    for _ in range(20):
        generator.ingest([measured(point) for point in generator.suggest(2)])
    best = generator.optimizer.best().setting

    assert len(generator.data) == 40
    assert not generator.data["pending"].any()
    assert abs(best["feed"] - 3.0) < 0.8
    assert (best["stages"], best["catalyst"]) == (4, "B")


def test_minimize_is_told_with_its_sign():
    generator = BoltGenerator(ONE, seed=0, warmup=5)
    generator.ingest([{"x": k / 10, "f": (k / 10 - 0.7) ** 2} for k in range(11)])

    assert generator.optimizer.best().setting["x"] == pytest.approx(0.7, abs=0.1)


def test_results_come_back_in_any_order_once_or_twice_and_from_elsewhere():
    generator = BoltGenerator(ONE)
    first, second = generator.suggest(2)
    generator.ingest([{**second, "f": 2.0}])
    generator.ingest([{**first, "f": 1.0}, {"x": 0.25, "f": 3.0, "_id": math.nan}])
    generator.ingest([{**first, "f": 1.0}])
    log = generator.data

    assert log["f"].tolist() == [2.0, 1.0, 3.0]
    assert log["ask"].tolist()[:2] == [2, 1]
    assert log["x"].tolist() == [second["x"], first["x"], 0.25]


@pytest.mark.parametrize("number", [2, 0, 1.5])
def test_an_id_that_was_not_suggested_is_a_value_error_and_nothing_is_added(number):
    generator = BoltGenerator(ONE)
    (point,) = generator.suggest(1)
    with pytest.raises(ValueError, match="_id"):
        generator.ingest([{**point, "f": 1.0}, {"x": 0.5, "f": 1.0, "_id": number}])

    assert len(generator.optimizer.dataset) == 0


@pytest.mark.parametrize(
    ("row", "word"), [({"f": 1.0}, "'x'"), ({"x": 0.5}, "'f'"), ({"x": "wide", "f": 1.0}, "'x'")]
)
def test_a_result_without_a_usable_value_is_refused_by_its_name(row, word):
    with pytest.raises(ValueError, match=word):
        BoltGenerator(ONE).ingest([row])


def test_results_that_are_not_finite_have_failed():
    generator = BoltGenerator(ONE)
    generator.ingest([{"x": 0.1, "f": math.nan}, {"x": 0.2, "xopt_error": True}])

    assert generator.data["failed"].all()
    assert len(generator.optimizer.dataset) == 0


def test_times_of_measurements_are_used():
    clock = iter([100.0, 130.0])
    generator = BoltGenerator(ONE, time="t", now=lambda: next(clock))
    (point,) = generator.suggest(1)
    generator.ingest([{**point, "f": 1.0, "t": 103.5}, {"x": 0.5, "f": 2.0, "t": 90.0}])
    generator.suggest(1)
    times = generator.data["time"]

    assert (times - times[0]).dt.total_seconds().tolist() == [0.0, -13.5, 26.5]


def test_a_clock_behind_the_results_does_not_stop_it():
    generator = BoltGenerator(ONE, time="t", now=lambda: 100.0)
    generator.ingest([{"x": 0.5, "f": 2.0, "t": 101.0}])

    assert len(generator.suggest(1)) == 1


@pytest.mark.parametrize("t", ["noon", math.inf, None])
def test_a_time_that_is_no_number_is_refused_by_its_name(t):
    with pytest.raises(ValueError, match="'t'"):
        BoltGenerator(ONE, time="t").ingest([{"x": 0.5, "f": 2.0, "t": t}])


def test_a_copy_goes_on_as_the_original_does():
    generator = BoltGenerator(ONE, seed=3, time="t", now=lambda: 50.0)
    generator.ingest([{"x": k / 20, "f": math.sin(k), "t": float(k)} for k in range(20)])

    assert copy.deepcopy(generator).suggest(2) == generator.suggest(2)


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ({"variables": {}}, "variables"),
        ({"objectives": {}}, "objective"),
        ({"objectives": {"f": "MINIMIZE", "g": "MINIMIZE"}}, "g"),
        ({"objectives": {"f": "EXPLORE"}}, "ExploreObjective"),
        ({"constraints": {"heat": ["LESS_THAN", 0.0]}}, "heat"),
        ({"variables": {"weather": "CONTEXTUAL"}}, "weather"),
        ({"variables": {"x": {"only"}}}, "x"),
        (
            {
                "variables": {
                    "coil": {"type": "ContinuousVariable", "domain": [0, 1], "dtype": ("f8", 3)}
                }
            },
            "coil",
        ),
    ],
)
def test_what_it_cannot_do_is_a_value_error_that_names_it(parts, word):
    base = {"variables": {"x": [0, 1]}, "objectives": {"f": "MINIMIZE"}}
    with pytest.raises(ValueError, match=word):
        BoltGenerator(VOCS(**{**base, **parts}))


@pytest.mark.parametrize(
    ("options", "word"), [({"journal": "x.jsonl"}, "journal"), ({"seed": -1}, "seed")]
)
def test_options_are_those_of_bolt_without_a_journal(options, word):
    with pytest.raises(ValueError, match=word):
        BoltGenerator(ONE, **options)
