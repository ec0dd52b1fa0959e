"""The contract of every algorithm, over the registry; and Table 1 of the paper."""

import json
from dataclasses import asdict, replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from bolt_core import algorithms
from bolt_core.common.types import ClockConfig, EngineConfig, Observation, Problem, ResponseSample
from bolt_core.gp.protocol import Inference
from bolt_core.runs.loop import iterate, prepare, resume
from tests.support.runs import first_passes, make_config

# Eggholder with a device on which one pass takes a tenth of its l_T: in 40 passes n* is small, the
# budget of W-DBO flows, and blocks and windows are short. So everything that can leave does.
SLOW = ClockConfig("model", device=(0.0, 0.1, 0.0, 0.0))
PASSES, AFTER = 55, 10  # in all, and after a cut
REMOVERS = {
    "bolt", "bolt-plain", "bolt-literal", "bolt-oldest", "bolt-random", "et-gpucb",
    "et-gpucb-fixed-noise", "r-gpucb", "sw-gpucb", "w-dbo",
}  # fmt: skip


@pytest.fixture(params=sorted(algorithms.catalog()))
def key(request):
    return request.param


@cache
def uninterrupted_with_states(key):
    """The records of a run, and its state as JSON before each pass."""
    run = prepare(make_config(algorithm=key, clock=SLOW))
    passes, records, states = iterate(run), [], []
    for _ in range(PASSES):
        states.append(json.dumps(run.state(), allow_nan=False))
        records.append(next(passes))
    return records, states


def uninterrupted(key):
    return uninterrupted_with_states(key)[0]


def build(key, dimension=2, seed=0):
    spec = algorithms.get(key)
    rng = np.random.default_rng(seed)
    return spec.build(Problem(dimension), rng, params=spec.parse({}), engine=EngineConfig())


def straight_on(key, passes, f, dimension=2):
    """Where it looks if it is asked from the first pass on, without a warm-up."""
    optimizer, responses, X, t = build(key, dimension), [], [], 0.0
    for i in range(passes):
        query, n = optimizer.ask(t), len(optimizer.dataset)
        t = t if query.at is None else query.at
        optimizer.tell(Observation(i, query.x, t, f(query.x, t)))
        optimizer.infer(t)
        optimizer.prune(t, responses)
        responses.append(ResponseSample(n, 1.0 + 0.2 * n))
        t += responses[-1].seconds
        X.append(query.x)
    return np.array(X)


def test_queries_stay_in_the_unit_cube(key):
    X = np.array([r.observation.x for r in uninterrupted(key)])

    assert X.min() >= 0.0
    assert X.max() <= 1.0


def test_removes_only_what_it_holds_and_never_twice(key):
    held = set()
    for record in uninterrupted(key):
        assert record.n == len(held)
        held.add(record.observation.i)
        assert len(set(record.removed)) == len(record.removed)
        assert set(record.removed) <= held
        held -= set(record.removed)


@pytest.mark.parametrize("remover", sorted(REMOVERS))
def test_these_runs_are_long_enough_to_see_removals(remover):
    assert any(r.removed for r in uninterrupted(remover))


def test_all_others_say_that_they_keep_everything_and_do(key):
    if key not in REMOVERS:
        assert algorithms.get(key).stale_data == "None"
        assert not any(r.removed for r in uninterrupted(key))


def test_the_spec_says_whether_there_is_a_surrogate(key):
    assert algorithms.get(key).infers == build(key).infers


def test_nothing_leaves_during_warmup(key):
    assert not any(r.removed for r in uninterrupted(key)[:15])


def test_one_seed_gives_one_run(key):  # whether or not its states are taken
    assert first_passes(35, algorithm=key, clock=SLOW) == uninterrupted(key)[:35]


def test_another_seed_gives_another_run_after_the_same_kind_of_warmup(key):
    other = first_passes(18, algorithm=key, clock=SLOW, seed=1)

    assert [r.observation.x for r in other] != [r.observation.x for r in uninterrupted(key)[:18]]
    assert [r.n for r in other[:15]] == list(range(15))


def test_notes_are_ready_for_json(key):
    for record in uninterrupted(key):
        notes = json.loads(json.dumps(record.notes, allow_nan=False))

        assert notes.keys() == record.notes.keys()


def test_a_record_has_all_that_was_learned(key):
    run = prepare(make_config(algorithm=key, clock=SLOW))
    record = list(islice(iterate(run), 20))[-1]

    if not run.optimizer.infers:
        assert (record.theta, record.notes) == (None, {})
    else:
        recorded = Inference.from_json({**record.notes["inference"], "theta": asdict(record.theta)})
        learned = run.optimizer.inference
        assert recorded == replace(learned, curvature=None)  # which no surrogate needs


def cuts(records):
    """After the warm-up, after the first removal or reset, and later."""
    leaves = [i for i, r in enumerate(records) if r.removed]
    return sorted({15, *(i + 1 for i in leaves[:2]), 38} & set(range(PASSES - AFTER)))


def test_a_run_resumed_from_its_state_equals_an_uninterrupted_one(key):
    expected, states = uninterrupted_with_states(key)
    config = make_config(algorithm=key, clock=SLOW)
    for cut in cuts(expected):
        went_on = islice(iterate(resume(config, json.loads(states[cut]), expected[:cut])), AFTER)

        assert list(went_on) == expected[cut : cut + AFTER]


@pytest.mark.parametrize("dimension", [1, 6])
def test_works_in_any_dimension(key, dimension):
    X = straight_on(key, 18, lambda x, t: np.sin(7 * sum(x) + t), dimension)

    assert X.shape == (18, dimension)
    assert X.min() >= 0.0
    assert X.max() <= 1.0


def test_survives_observations_that_are_all_the_same(key):
    X = straight_on(key, 18, lambda x, t: 3.0)

    assert X.min() >= 0.0
    assert X.max() <= 1.0


def test_asks_with_one_observation_or_none(key):
    optimizer = build(key)

    before = optimizer.ask(0.0).x
    optimizer.tell(Observation(0, before, 0.0, 1.0))
    optimizer.infer(0.0)
    optimizer.prune(0.0, [])
    after = optimizer.ask(1.0).x

    assert all(0.0 <= v <= 1.0 for v in (*before, *after))


def test_a_run_that_ends_with_its_warmup_can_be_resumed(key):
    run = prepare(make_config(algorithm=key, clock=SLOW))
    begun = list(islice(iterate(run), 15))
    state = json.loads(json.dumps(run.state()))

    resumed = resume(run.config, state, begun)

    assert [o.i for o in resumed.optimizer.dataset] == list(range(15))
    assert resumed.optimizer.state() == run.optimizer.state()


TABLE_1 = {  # of the paper, in its order and its words
    "TV-GPUCB": ("Markov Model", "R(n) ∈ Θ(1)", "None", "Linear UB"),
    "R-GPUCB": ("Markov Model", "R(n) ∈ Θ(1)", "Periodic Reset", "Linear UB"),
    "ABO": ("No", "No", "None", "None"),
    "SW-GPUCB": ("Finite Var. Budget", "R(n) ∈ Θ(1)", "Sliding Window", "Sublinear UB†"),
    "W-GPUCB": ("Finite Var. Budget", "R(n) ∈ Θ(1)", "None", "Sublinear UB†"),
    "ET-GPUCB": ("Markov Model", "R(n) ∈ Θ(1)", "Event-Based Reset", "Linear UB"),
    "W-DBO": ("No", "No", "Relevancy-Based", "None"),
    "BOLT": ("No", "No", "Relevancy-Based", "Linear UB"),
}


def test_the_specs_say_what_table_1_says():
    ours = {
        s.label: (s.assumes_objective, s.assumes_response_time, s.stale_data, s.guarantee)
        for s in algorithms.catalog().values()
    }

    assert {label: ours[label] for label in TABLE_1} == TABLE_1


def test_the_rows_of_table_1_are_in_chronological_order():
    years = {s.label: s.year for s in algorithms.catalog().values()}

    assert [years[label] for label in TABLE_1] == sorted(years[label] for label in TABLE_1)


def test_all_nine_and_their_variants_are_there():
    kinds = {spec.label: spec.kind for spec in algorithms.catalog().values()}
    variants = {key for key, spec in algorithms.catalog().items() if spec.kind == "variant"}

    assert kinds["GPUCB"] == "control"
    assert {kinds[label] for label in TABLE_1} == {"paper"}
    assert variants >= {
        "bolt-literal", "bolt-oldest", "bolt-random", "bolt-keep", "bolt-plain", "abo-t",
        "et-gpucb-fixed-noise",
    }  # fmt: skip
    assert {key for key in algorithms.catalog() if algorithms.is_baseline(key)} == {
        "random", "hold", "extremum-seeking", "ui-tvbo"
    }  # fmt: skip


def test_the_catalog_is_in_the_order_of_table_1():
    paper = [spec.label for spec in algorithms.catalog().values() if spec.kind == "paper"]

    table = "TV-GPUCB, R-GPUCB, ABO, SW-GPUCB, W-GPUCB, ET-GPUCB, W-DBO, BOLT"
    assert ", ".join(paper) == table
