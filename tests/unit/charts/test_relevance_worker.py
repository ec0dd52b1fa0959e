"""Relevance scores are computed from the record alone, once for all viewers."""

import json
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from bolt_core import algorithms
from bolt_core.analysis.response_fit import newest_fit
from bolt_core.charts import relevance_worker
from bolt_core.charts.relevance_worker import RelevanceScores
from bolt_core.common.types import Hyperparameters
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.runs.loop import iterate, prepare
from bolt_core.runs.snapshot import RunHistory
from bolt_core.store.records import RecordWriter, read
from tests.support.runs import STEEP, first_passes, make_config, make_fitted_run, make_run
from tests.support.threads import sleeps


@pytest.fixture(scope="module")
def bolt_file(tmp_path_factory):
    """The record of a BOLT run with an interior n*, and its optimizer as the last pass left it."""
    return recorded(tmp_path_factory.mktemp("bolt") / "run.jsonl", "bolt", 70)


@pytest.fixture
def maker():
    made = RelevanceScores()
    yield made
    made.shutdown()


def recorded(path, algorithm, passes):
    run = prepare(make_config(algorithm=algorithm, clock=STEEP))
    with RecordWriter(path, run.config, header=run.header_fields()) as writer:
        for _, record in zip(range(passes), iterate(run), strict=False):
            writer.append(record, run.state)
    return path, run.optimizer


def by_json(path):
    """The scores from the file's own lines: no snapshot, no scores."""
    header, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    passes = [line for line in lines if line["kind"] == "iteration"]
    gone = {i for line in passes for i in line.get("removed", ())}
    kept = [line for line in passes if line["i"] not in gone]
    last = passes[-1]
    told = last["notes"]["inference"]
    X, t, y = (np.array([line[name] for line in kept]) for name in ("x", "t", "y"))
    model = Model(header["dimension"], header["spatial_kernel"], header["temporal_kernel"])
    theta = Hyperparameters(**last["theta"])
    inference = Inference(theta, told["y_mean"], told["y_sd"], told.get("mean", 0.0))
    found = ExactEngine(model).condition(Data.of(X, t, y), inference)
    return [line["i"] for line in kept], found.removal_scores(last["t"])


def test_scores_equal_those_computed_by_hand_from_the_file(bolt_file):
    path, _ = bolt_file
    ids, expected = by_json(path)
    found = relevance_worker.relevance_scores(read(path))

    assert list(found.ids) == ids
    assert len(ids) < 70  # BOLT has removed some
    np.testing.assert_allclose(found.scores, expected, rtol=1e-9)
    assert found.lowest == ids[int(np.argmin(expected))]


@pytest.mark.parametrize(
    "key", sorted(key for key, spec in algorithms.catalog().items() if spec.kind != "baseline")
)
def test_a_record_alone_rebuilds_the_surrogate_of_every_algorithm(key, tmp_path):
    path, optimizer = recorded(tmp_path / "run.jsonl", key, 30)
    run = read(path)
    now = float(run.columns["t"][-1])

    assert [o.i for o in optimizer.dataset] == list(relevance_worker.relevance_scores(run).ids)
    if optimizer.dataset:  # a reset may have emptied it just now
        expected = optimizer.surrogate(now).removal_scores(now)
        np.testing.assert_allclose(
            relevance_worker.relevance_scores(run).scores, expected, rtol=1e-9
        )


def test_the_recorded_n_star_follows_from_the_recorded_coefficients(bolt_file):
    fits = [newest_fit(snapshot_upto(bolt_file[0], n)) for n in range(20, 71)]

    assert [fit.argmax for fit in fits] == [fit.n_star for fit in fits]
    assert sum(fit.n_star is not None for fit in fits) > 20


def snapshot_upto(path, n):
    """The run after n passes."""
    whole = read(path)
    history = RunHistory(whole.columns["x"].shape[1])
    for record in whole.records[:n]:
        history.append(record)
    return replace(whole, columns=history.view())


def test_many_readers_cost_one_computation(bolt_file, maker):
    run = read(bolt_file[0])
    found = []
    readers = [threading.Thread(target=lambda: found.append(maker.wait(run))) for _ in range(8)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()

    assert maker.computed == 1
    assert all(made is found[0] for made in found)
    assert maker.newest(run) is found[0]


def test_a_reader_gets_the_previous_scores_without_waiting(bolt_file, maker):
    earlier, later = (snapshot_upto(bolt_file[0], n) for n in (60, 70))

    assert maker.newest(earlier) is None
    first = maker.wait(earlier)
    assert maker.newest(later) is first
    assert first.version == 60


def test_a_run_is_scored_at_most_once_per_second(bolt_file, maker):
    earlier, whole = (snapshot_upto(bolt_file[0], n) for n in (60, 70))
    began = time.monotonic()
    maker.wait(earlier)
    maker.wait(whole)

    assert time.monotonic() - began > 0.5 * relevance_worker.SECONDS_BETWEEN_SCORES
    assert maker.computed == 2


def test_an_idle_thread_sleeps(bolt_file, maker):
    maker.wait(read(bolt_file[0]))
    thread = next(t for t in threading.enumerate() if t is maker._worker.thread)

    assert thread.daemon
    assert sleeps(thread)


def test_there_is_no_thread_before_the_first_request():
    assert RelevanceScores()._worker.thread is None


def test_only_the_most_recently_used_runs_are_cached(maker, monkeypatch):
    monkeypatch.setattr(relevance_worker, "MAX_CACHED_RUNS", 2)
    runs = [make_fitted_run(n) for n in (1, 2, 3)]
    for run in runs:
        maker.wait(run)

    assert len(maker._scores) == 2


def test_a_run_without_surrogate_has_a_reason_instead_of_scores():
    assert (
        "has no surrogate" in relevance_worker.relevance_scores(make_run(first_passes(40))).reason
    )
    assert relevance_worker.relevance_scores(make_fitted_run(0)) == Relevance(0)
    assert relevance_worker.relevance_scores(make_fitted_run(10)) == Relevance(10)


def test_a_surrogate_that_cannot_be_rebuilt_gives_a_reason(maker):
    broken = make_fitted_run(40, notes={"inference": {"y_mean": 0.0}})

    assert "could not be computed" in maker.wait(broken).reason


def test_after_the_shutdown_no_thread_is_started(maker):
    maker.shutdown()

    assert maker.newest(make_fitted_run(40)) is None
    assert maker._worker.thread is None
