"""The benches give rows that can be printed, and the engine is as good as stock BoTorch."""

import json
from dataclasses import asdict, fields

import numpy as np
import pytest

from bolt_core.bench import (
    ard,
    ask_quality,
    campaign,
    decision,
    engine,
    frames,
    iteration,
    quality,
    real_passes,
    w2,
)
from bolt_core.bench.iteration import Row as Pass
from bolt_core.bench.timing import headings
from bolt_core.campaigns import pools as executors
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.ucb import Search
from tests.support.gp_cases import NOW, conditioned


def test_the_fast_engine_is_as_good_as_stock_botorch():
    summary = quality.summarise(quality.run(6, largest=120))

    assert summary["likelihood_within"] == 1.0
    assert summary["ucb_within"] >= 5 / 6  # 95 % over 100 datasets is for `bolt bench quality`


@pytest.mark.parametrize("per_input", [False, True])
def test_the_right_observation_is_removed(per_input):
    rows = decision.run(16, largest=60, ard=per_input)

    assert decision.share_within(rows) >= 0.9  # 95 % over 200 datasets; see `bolt bench w2`


@pytest.mark.parametrize("bench", [engine, w2, iteration, frames, ask_quality, real_passes])
def test_every_column_has_its_own_heading(bench):
    texts = headings(bench.Row)

    assert list(texts) == [f.name for f in fields(bench.Row)]
    assert len(set(texts.values())) == len(texts)


def test_the_reference_of_an_ask_is_that_of_a_grid():
    state = conditioned(30, 1, theta=Hyperparameters(1.0, 0.1, 30.0, 0.02)).state
    search = Search(state, 2.0, NOW, 0.0)
    alpha = search.value(np.linspace(0, 1, 20_001)[:, None])
    dense = ask_quality.reference(search)

    assert dense.best == pytest.approx(alpha.max(), abs=1e-6)
    assert dense.best >= alpha.max() - 1e-12
    assert dense.median == pytest.approx(np.median(alpha), abs=1e-3)
    assert dense.miss(dense.median) == pytest.approx(1.0)
    assert ask_quality.Reference(2.0, 2.0).miss(2.0) == 0.0


def test_a_share_of_all_cases_still_has_a_sampling_error():
    assert 0 < ask_quality.sampling_error(30, 30) < ask_quality.sampling_error(15, 30)
    assert ask_quality.sampling_error(15, 30) == pytest.approx(0.5 / 32**0.5)


def test_small_runs_give_json_ready_rows():
    rows = [
        *engine.run([20], dimension=1, passes=8),
        *w2.run([20], dimension=1),
        *iteration.run([20, 40], dimension=1, count=2),
    ]

    assert all(json.loads(json.dumps(asdict(row)))["n"] >= 20 for row in rows)
    assert min(asdict(ard.run(20, dimension=2, passes=2)).values()) > 0.0


def test_every_chart_is_benched_and_a_tick_is_a_small_part_of_it():
    rows = {row.chart: row for row in frames.run(lanes=2, passes=400)}

    assert rows.keys() >= {"regret", "size", "leaderboard", "fit"}
    assert rows["regret"].sent < rows["regret"].whole / 4


def test_a_device_is_calibrated_from_its_passes():
    rows = [
        Pass(n, 0, 0, 0, seconds=0.1 + 1e-3 * n + 1e-8 * n**3, over_floor=1.0)
        for n in (50, 100, 200, 400)
    ]
    device = iteration.calibrate(rows, cost=0.5)

    assert device.coefficients == pytest.approx((0.1, 1e-3, 0.0, 1e-8), rel=1e-6, abs=1e-12)
    stars = [device.recommended[l_T] for l_T in iteration.LENGTHSCALES]
    assert stars == sorted(stars)  # the slower the objective, the more is worth keeping
    assert 0.5 < iteration.growth(rows) < 3


def test_the_recommended_size_is_that_of_the_reference_table():
    rows = [Pass(n, 0, 0, 0, seconds=1e-7 * n**3, over_floor=1.0) for n in (50, 100, 400)]
    stars = iteration.calibrate(rows, cost=0.5).recommended

    assert stars[60.0] == 103  # of R(n) = 0.5 s + 1e-7 s n^3, by brute force
    assert np.all(np.diff([stars[l_T] for l_T in iteration.LENGTHSCALES]) > 0)


def test_without_the_public_package_its_columns_are_empty(monkeypatch):
    monkeypatch.setattr(w2.importlib.util, "find_spec", lambda name: None)
    (row,) = w2.run([20], dimension=1)

    assert row.wheel is None
    assert row.speedup is None
    assert row.choice > 0


@pytest.mark.long
def test_several_workers_are_measured_against_one_on_equal_work(monkeypatch):
    pools = []

    def local(workers):
        pools.append(workers)
        return executors.InProcess()

    monkeypatch.setattr(executors, "local", local)
    found = campaign.run(2, 1, horizon=2.0)

    assert pools == [1, 2, 1, 2]
    assert found.runs == 2
    assert found.speedup == pytest.approx(found.one / found.several)
    assert found.efficiency == pytest.approx(found.speedup / 2)
