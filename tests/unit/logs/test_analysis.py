"""Yes, no and cannot tell, each where it is right."""

import numpy as np
import pytest

from bolt_core.common.errors import ConfigError
from bolt_core.common.text import in_natural_unit
from bolt_core.gp import load
from bolt_core.gp.protocol import Data, Model
from bolt_core.logs.analysis import analyse
from bolt_core.logs.confounding import confounded_knobs
from bolt_core.logs.verdict import Drift, Interval, Reason
from bolt_core.logs.words import interval_text
from bolt_core.theory.kernels import temporal_correlation
from tests.support.simulated_logs import SPAN, log_of, simulated_log, surface


def test_a_drifting_log_is_called_so_and_its_interval_holds_the_truth():
    log = simulated_log(0, l_T=600.0)
    verdict = analyse(log)
    assert (verdict.drift, verdict.reason) == (Drift.YES, Reason.EVIDENCE)
    assert verdict.interval.covers(600.0)
    assert verdict.interval.low < verdict.lengthscale < verdict.interval.high
    assert verdict.evidence > verdict.threshold
    assert verdict.bic == pytest.approx(verdict.evidence - np.log(120))
    assert verdict.level_evidence < 0
    k_T = temporal_correlation("matern32", verdict.lengthscale)
    assert float(k_T(np.array(verdict.half_life))) == pytest.approx(0.5)
    assert (len(verdict.rows), verdict.total, verdict.thinned) == (120, 120, False)
    assert verdict.to_json()["drift"] == "yes"


def test_the_inference_conditions_an_engine_on_the_same_rows():
    log = simulated_log(0, l_T=600.0)
    verdict = analyse(log)
    model = Model(2, verdict.spatial_kernel, verdict.temporal_kernel, True)
    rows = verdict.rows
    data = Data.of(log.X[rows], log.times[rows], log.y[rows])
    surrogate = load("exact", model).condition(data, verdict.inference)
    mean, _ = surrogate.posterior(log.X, log.times)
    noise = verdict.inference.noise_sd
    assert np.std(mean - log.y) < 1.5 * noise
    assert noise == pytest.approx(np.sqrt(0.05), rel=0.5)


def test_a_static_log_is_not_called_drifting():
    verdict = analyse(simulated_log(1, l_T=None))
    assert (verdict.drift, verdict.reason) == (Drift.NO, Reason.STEADY)
    assert verdict.interval.high is None
    assert verdict.interval.low > SPAN


def test_twenty_rows_are_too_few():
    verdict = analyse(simulated_log(2, n=20))
    assert (verdict.drift, verdict.reason) == (Drift.UNKNOWN, Reason.FEW_ROWS)
    assert verdict.lengthscale is verdict.interval is verdict.inference is None
    assert verdict.texts


def test_knobs_that_move_with_time_leave_it_open():
    rng = np.random.default_rng(3)
    X = rng.random((120, 2))
    X[:, 1] = np.linspace(0.0, 1.0, 120)
    for l_T in (600.0, None):
        verdict = analyse(simulated_log(3, l_T=l_T, X=X))
        assert (verdict.drift, verdict.reason) == (Drift.UNKNOWN, Reason.CONFOUNDED)
        assert "x1" in verdict.texts[0]


def test_a_level_that_wanders_by_itself_is_no_drift_of_the_best_setting():
    rng = np.random.default_rng(4)
    log = simulated_log(4, n=150, l_T=None)
    noise = np.zeros(150)
    for k in range(1, 150):
        noise[k] = 0.9 * noise[k - 1] + rng.normal(0.0, 0.5)
    verdict = analyse(log_of(log.X, log.times, log.y + noise))
    assert verdict.drift is Drift.UNKNOWN
    assert verdict.reason is Reason.LEVEL
    assert verdict.level_evidence > 0


def test_a_trend_of_the_level_is_no_drift_of_the_best_setting():
    log = simulated_log(8, n=150, l_T=None)
    verdict = analyse(log_of(log.X, log.times, log.y + 2.0 * log.times / SPAN))
    assert (verdict.drift, verdict.reason) == (Drift.UNKNOWN, Reason.LEVEL)


def test_noise_alone_is_not_called_drifting():
    rng = np.random.default_rng(5)
    verdict = analyse(log_of(rng.random((100, 2)), np.arange(100.0), rng.standard_normal(100)))
    assert verdict.drift is Drift.UNKNOWN


def test_a_long_log_is_thinned_and_gives_the_same_answer():
    rng = np.random.default_rng(6)
    X, t = rng.random((900, 1)), np.linspace(0.0, 4 * SPAN, 900)
    y = surface(rng, X, t, 1500.0) + 0.2 * rng.standard_normal(900)
    verdict = analyse(log_of(X, t, y), max_rows=150)
    assert verdict.drift is Drift.YES
    assert verdict.interval.covers(1500.0)
    assert (len(verdict.rows), verdict.total, verdict.thinned) == (150, 900, True)


def test_the_kernel_is_a_choice():
    assert analyse(simulated_log(0, n=60), temporal_kernel="rbf").temporal_kernel == "rbf"
    for kernel in ("none", "wiener", "cubic"):
        with pytest.raises(ConfigError, match=kernel):
            analyse(simulated_log(0), temporal_kernel=kernel)


def test_returns_to_a_setting_are_what_counts():
    rng = np.random.default_rng(7)
    t = np.arange(200.0)
    free = rng.random((200, 2))
    assert confounded_knobs(free, t, None) == ()
    ramp = free.copy()
    ramp[:, 0] = t / 200.0
    assert confounded_knobs(ramp, t, None) == (0,)
    waves = np.column_stack([np.sin(t / 10), np.cos(t / 7)]) / 2 + 0.5
    assert confounded_knobs(waves, t, None) == ()
    once_round = np.column_stack([np.cos(t / 32), np.sin(t / 32)]) / 2 + 0.5
    assert confounded_knobs(once_round, t, None) == (0, 1)
    held = np.repeat(rng.random((40, 4)), 5, axis=0)
    assert confounded_knobs(held, t, None) == ()
    levels = np.repeat(np.arange(4), 50)[:, None] / 4.0 + 0.125
    assert confounded_knobs(levels, t, None) == (0,)
    assert confounded_knobs(rng.permutation(levels), t, None) == ()


def test_open_ends_are_more_and_less_than():
    assert interval_text(Interval(60.0, None)) == f"more than {in_natural_unit(60.0)}"
    assert interval_text(Interval(None, 60.0)) == f"less than {in_natural_unit(60.0)}"
    assert "to" in interval_text(Interval(60.0, 7200.0))
    assert in_natural_unit(0.25) == "0.250 s"
    assert in_natural_unit(10 * 86_400.0) == "10.0 days"
