"""The twin of a log is made of the rows and the model of its verdict."""

from dataclasses import replace

import numpy as np
import pytest

from bolt_core.benchmarks.twin import MAX_KNOBS, TwinDefinition, spec_of
from bolt_core.common.errors import ConfigError
from bolt_core.common.knobs import Integer, Real
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.protocol import Inference
from bolt_core.logs.log import Log, Roles
from bolt_core.logs.twin import twin_of
from bolt_core.logs.verdict import Drift, Reason, Verdict
from bolt_core.online.problem_spec import ProblemSpec

ROWS, PERIOD = 120, 60.0


def make_log(**changes):
    """Return a log whose outcome rises by 3 with the feed, less and less so as time goes on."""
    rng = np.random.default_rng(4)
    knobs = {"feed": Real(0.0, 8.0), "stages": Integer(1, 4)}
    X = np.column_stack([rng.random(ROWS), (np.floor(4 * rng.random(ROWS)) + 0.5) / 4])
    times = PERIOD * np.arange(ROWS)
    y = 70.0 + 3.0 * X[:, 0] * np.cos(times / 3000.0) + 0.1 * rng.standard_normal(ROWS)
    spec = ProblemSpec(knobs, "cost", maximize=False, unit="EUR")
    log = Log("plant.csv", "cd" * 32, times, None, spec, X, y, Roles("t", tuple(knobs), "cost"))
    return replace(log, **changes)


def verdict_on(log, rows=slice(None), **changes):
    """Return a verdict with a model that fits, conditioned on some of the rows."""
    sd = float(log.y.std())
    theta = Hyperparameters(1.0, (0.8, 5.0), 3000.0, (0.1 / sd) ** 2)
    fields = {
        "drift": Drift.YES,
        "reason": Reason.EVIDENCE,
        "lengthscale": 3000.0,
        "interval": None,
        "evidence": 50.0,
        "threshold": 6.63,
        "bic": 40.0,
        "level_evidence": None,
        "spatial_kernel": "matern52",
        "temporal_kernel": "matern32",
        "inference": Inference(theta, float(log.y.mean()), sd, -0.2),
        "rows": np.arange(len(log))[rows],
        "total": len(log),
    }
    return Verdict(**{**fields, **changes})


def test_a_twin_passes_through_the_log_and_larger_is_better():
    log = make_log()
    definition = twin_of(log, verdict_on(log), seed=2, name="Plant")

    board = spec_of(definition).build()

    residuals = -log.y - board.value(log.X, log.times)
    assert np.std(residuals) == pytest.approx(0.1, rel=4.0 / (2 * ROWS) ** 0.5)
    assert (board.cost, board.horizon) == (PERIOD, PERIOD * (ROWS - 1))
    assert TwinDefinition.from_json(definition.to_json()).key == definition.key
    assert (definition.name, definition.sample, definition.maximize) == ("Plant", 2, False)
    assert definition.log_sha256 == log.sha256


def test_the_direction_does_not_change_the_process():
    down = make_log()
    up = replace(down, spec=replace(down.spec, maximize=True), y=-down.y)
    verdict = verdict_on(down)
    learned = verdict.inference
    turned = replace(learned, y_mean=-learned.y_mean, mean=-learned.mean)

    ways = [twin_of(down, verdict), twin_of(up, replace(verdict, inference=turned))]

    np.testing.assert_array_equal(ways[0].y, ways[1].y)
    assert ways[0].path().f(down.X[:3], down.times[:3]) == pytest.approx(
        ways[1].path().f(down.X[:3], down.times[:3])
    )


def test_only_the_rows_of_the_verdict_are_in_a_twin():
    log = make_log()

    definition = twin_of(log, verdict_on(log, slice(30, None)))

    assert len(definition.y) == ROWS - 30
    assert definition.Z[0, -1] == 30 * PERIOD


def test_a_period_replays_the_end_of_the_log():
    log = make_log()

    definition = twin_of(log, verdict_on(log), period=10.0)

    assert (definition.cost, definition.horizon) == (10.0, 3000.0)
    assert definition.Z[-1, -1] == pytest.approx(3000.0)
    board = spec_of(TwinDefinition.from_json(definition.to_json())).build()
    late = log.times >= log.span - 3000.0
    values = board.value(log.X[late], log.times[late] - (log.span - 3000.0))
    assert np.std(values + log.y[late]) < 0.2


def test_a_small_outcome_and_a_long_name_make_a_twin_as_well():
    log = make_log(name="x\n" * 200)
    small = replace(log, y=1e-14 * log.y)
    learned = verdict_on(log).inference
    turned = replace(learned, y_mean=1e-14 * learned.y_mean, y_sd=1e-14 * learned.y_sd)

    definition = twin_of(small, verdict_on(log, inference=turned))

    assert TwinDefinition.from_json(definition.to_json()).key == definition.key
    assert len(definition.name) <= 100


def test_a_log_without_a_fit_has_no_twin():
    log = make_log()

    with pytest.raises(ConfigError, match="too few"):
        twin_of(log, verdict_on(log, inference=None))


def test_a_twin_has_a_limited_number_of_knobs():
    knobs = {f"k{i}": Real(0.0, 1.0) for i in range(MAX_KNOBS + 1)}
    log = make_log(spec=ProblemSpec(knobs))

    with pytest.raises(ConfigError, match=f"at most {MAX_KNOBS}"):
        twin_of(log, verdict_on(log))
