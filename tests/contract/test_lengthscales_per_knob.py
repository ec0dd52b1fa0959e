"""Runs with one lengthscale per knob: run, record, read, rebuild, resume and draw."""

import json
from functools import cache
from itertools import islice

import numpy as np
import pytest

from bolt_core.analysis import surrogate_from_record
from bolt_core.analysis.spatial_traps import no_structure_share, sees_no_structure
from bolt_core.common.text import significant
from bolt_core.common.types import EngineConfig, Hyperparameters, RunStatus
from bolt_core.figures.inside.algorithm1 import steps
from bolt_core.figures.inside.hyperparameters import hyperparameters
from bolt_core.figures.inside.posterior import posterior
from bolt_core.runs.loop import iterate, prepare, resume
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import export, importing, records
from bolt_core.store.record_checks import line_error
from bolt_core.store.record_format import from_json, to_json
from bolt_core.store.run_summary import RunSummary
from tests.support.algorithm_keys import INFERRING
from tests.support.runs import STEEP, make_config, make_run, write_run

SETTING = {"benchmark": "gp-sample", "engine": EngineConfig(ard=True), "clock": STEEP}  # d = 2


def theta(*scales):
    return Hyperparameters(1.0, scales, 20.0, 0.01)


@cache
def ard_run():
    """Thirty passes of a real run, as a live page sees them."""
    run = prepare(make_config(algorithm="bolt", **SETTING))
    passes = list(islice(iterate(run), 30))
    return make_run(passes, config=run.config, header=run.header_fields(), run_id="ard")


@pytest.mark.parametrize("key", INFERRING)
def test_every_algorithm_learns_and_resumes_with_them(key):
    config = make_config(algorithm=key, **SETTING)
    run = prepare(config)
    passes = iterate(run)
    before = list(islice(passes, 17))  # two of them after the warm-up
    state = json.loads(json.dumps(run.state(), allow_nan=False))
    after = list(islice(passes, 3))
    resumed = resume(config, state, before)

    assert list(islice(iterate(resumed), 3)) == after
    scales = after[-1].theta.lengthscale_space
    assert isinstance(scales, tuple)
    assert len(scales) == 2
    assert scales[0] != scales[1]


def test_a_record_has_a_list_and_its_own_schema(tmp_path):
    ard, plain = tmp_path / "ard.jsonl", tmp_path / "plain.jsonl"
    passes = write_run(ard, 22, algorithm="bolt", **SETTING)
    write_run(plain, 17, algorithm="bolt")
    header, *lines = (json.loads(line) for line in ard.read_text().splitlines())
    thetas = [line["theta"] for line in lines if line.get("theta")]

    assert header["schema"] == 2
    assert json.loads(plain.read_text().splitlines()[0])["schema"] == 1
    assert all(type(theta["lengthscale_space"]) is list for theta in thetas)
    again = records.read(ard)
    assert [record.theta for record in again.records] == [record.theta for record in passes]
    assert again.config.engine.ard


def test_a_record_is_imported_and_exported(tmp_path):
    write_run(tmp_path / "ard.jsonl", 20, algorithm="bolt", **SETTING)
    importing.import_records((tmp_path / "ard.jsonl").read_bytes(), tmp_path / "runs")
    (stored,) = (tmp_path / "runs").rglob("*.jsonl")
    race = RaceSnapshot("r", RunStatus.FINISHED, (records.read(stored), make_run(20)))
    table = export.frame(race)

    np.testing.assert_array_equal(
        table["lengthscale_space_2"][15:20], race.runs[0].columns.scales[15:, 1]
    )
    assert table["lengthscale_space_2"][20:].isna().all()


def test_the_rebuilt_surrogate_is_that_of_the_run():
    config = make_config(algorithm="bolt", **SETTING)
    run = prepare(config)
    passes = list(islice(iterate(run), 25))
    shown = make_run(passes, config=config, header=run.header_fields())
    rebuilt = surrogate_from_record.surrogate(shown)
    own = run.optimizer.surrogate(passes[-1].observation.t)
    X = np.random.default_rng(0).random((6, 2))

    assert np.array_equal(rebuilt.posterior(X, 20.0), own.posterior(X, 20.0))


def test_columns_and_tables_have_one_lengthscale_per_knob():
    run = make_run(300, x=(0.3, 0.4), theta=lambda i: theta(0.1 + i, 4.0))
    frame = run.to_frame()

    assert run.columns.scales.shape == (300, 2)
    assert np.isnan(run.columns.scales[:15]).all()
    assert run.records[299].theta.lengthscale_space == (299.1, 4.0)
    assert run.records[3].theta is None
    assert frame["lengthscale_space_1"].tolist()[15:] == [0.1 + i for i in range(15, 300)]
    assert frame["lengthscale_space"].iloc[-1] == pytest.approx((299.1 * 4.0) ** 0.5)
    assert make_run(20).columns.scales is None
    assert "lengthscale_space_1" not in make_run(20).to_frame()


def test_a_short_scaled_diagonal_is_a_lack_of_structure():
    assert sees_no_structure((3.0, 3.0), 2)
    assert not sees_no_structure((0.3, 30.0), 2)  # one knob matters
    assert sees_no_structure((1.5, 1.5), 2) == sees_no_structure(1.5, 2)
    run = make_run(35, x=(0.3, 0.4), theta=lambda i: theta(3.0, 3.0 if i >= 25 else 0.2))
    summary = RunSummary()
    for record in run.records:
        summary.add(record)

    assert no_structure_share(run.columns) == 0.5
    assert summary.summary()["no_structure_share"] == 0.5


def test_inside_draws_one_line_per_knob_and_the_posterior():
    run = ard_run()
    chart = json.loads(json.dumps(hyperparameters(run), allow_nan=False))
    names = [trace["name"] for trace in chart["data"]]

    assert sum("input" in name for name in names) == 2
    dashes = [trace["line"].get("dash") for trace in chart["data"] if "input" in trace["name"]]
    assert len(set(dashes)) == 2
    assert json.dumps(posterior(run), allow_nan=False)
    (fitted,) = (step["said"] for step in steps(run) if "l_S" in step["said"])
    assert all(significant(l_k) in fitted for l_k in run.records[-1].theta.lengthscale_space)


@pytest.mark.parametrize(
    "scales", [[0.1], [0.1, 0.2, 0.3], [0.1, 0.0], [0.1, "x"], [], "x", [[0.1], 0.2]]
)
def test_lengthscales_that_cannot_be_used_are_refused(scales):
    line = json.loads(json.dumps({"kind": "iteration", **to_json(ard_run().records[20])}))
    assert line_error(line, 20, 2) is None
    line["theta"]["lengthscale_space"] = scales

    assert "lengthscale_space" in line_error(line, 20, 2)


def test_a_pass_survives_its_line():
    record = ard_run().records[20]

    assert from_json(json.loads(json.dumps(to_json(record))), 20).theta == record.theta
