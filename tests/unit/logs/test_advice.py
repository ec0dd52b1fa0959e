"""n* and the pace follow from l_T and R(n)."""

import numpy as np
import pytest

from bolt_core.common.errors import ConfigError
from bolt_core.figures.lab.setting import DIALS, setting
from bolt_core.logs.advice import FRESH, STALE, advise
from bolt_core.logs.analysis import analyse
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponseTime
from tests.support.simulated_logs import simulated_log

THINKING = (0.02, 0.0, 1e-5, 1e-8)  # seconds per n^j


@pytest.fixture(scope="module")
def drifting():
    log = simulated_log(0, l_T=600.0)
    return log, analyse(log)


def test_n_star_and_the_pace(drifting):
    log, verdict = drifting
    advice = advise(log, verdict, THINKING, cost=0.5)
    R, k_T = (
        ResponseTime((0.52, 0.0, 1e-5, 1e-8)),
        temporal_correlation("matern32", verdict.lengthscale),
    )
    assert advice.n_star == recommended_size(k_T, R, seen=10_000)
    assert advice.n_star_low < advice.n_star < advice.n_star_high
    assert float(k_T(np.array(advice.measure_every))) == pytest.approx(FRESH)
    assert float(k_T(np.array(advice.stale_after))) == pytest.approx(STALE)
    assert f"{advice.n_star:,}" in advice.texts[0]


def test_the_link_opens_the_lab_with_the_same_n_star(drifting):
    log, verdict = drifting
    advice = advise(log, verdict, THINKING, cost=0.5)
    values = [advice.lab[name] for name in DIALS]
    lab = setting(advice.lab["k"], values)
    assert advice.lab_second == 1.0
    assert lab.n_star == pytest.approx(advice.n_star, rel=0.1)  # the sliders have steps
    slow = advise(log, verdict, [60 * c for c in THINKING], cost=30.0)
    assert slow.lab_second == 60.0  # a measurement of 30 s is beyond the slider
    assert float(slow.lab["r0"]) == pytest.approx(31.2 / 60, rel=1e-3)


def test_without_a_cost_it_is_the_spacing_of_the_log(drifting):
    log, verdict = drifting
    assert log.spacing == pytest.approx(3600 / 119)
    free, given = advise(log, verdict, THINKING), advise(log, verdict, THINKING, cost=log.spacing)
    assert free == given
    for cost in (0.0, -1.0, float("nan")):
        with pytest.raises(ConfigError, match="cost"):
            advise(log, verdict, THINKING, cost=cost)


def test_without_drift_nothing_is_limited():
    log = simulated_log(1, l_T=None)
    advice = advise(log, analyse(log), THINKING)
    assert (advice.n_star, advice.measure_every, advice.lab) == (None, None, {})
    few = simulated_log(2, n=20)
    assert advise(few, analyse(few), THINKING).texts
