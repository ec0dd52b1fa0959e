"""What benchmarks, presets of campaigns and the README claim of experiments, computed here."""

import re
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from bolt_core import benchmarks
from bolt_core.analysis.seed_statistics import paired
from bolt_core.campaigns import presets, results
from bolt_core.common import devices
from bolt_core.common.types import Problem, RunConfig
from bolt_core.figures.benchmarks import optimum_path
from bolt_core.report.model.cases import speed
from bolt_core.report.verdicts import verdict
from bolt_core.runs import duration_estimate
from bolt_ui.lessons.lesson_catalog import LESSONS


def notes(key):
    return " ".join(benchmarks.get(key).notes)


@pytest.mark.parametrize("key", ["shekel", "hartmann3"])
def test_a_costly_query_limits_their_number(key):
    row = benchmarks.get(key).row
    stated = re.search(r"At (\d+) s .* of (\d+) s .* (\d+) queries, (\d+) of", notes(key))
    cost, horizon, queries, warmup = map(float, stated.groups())

    assert (cost, horizon) == (row.cost, row.horizon)
    assert queries == horizon / cost
    assert warmup == RunConfig("bolt", key).warmup


def test_griewank_stays_correlated_far_beyond_its_horizon():
    board = benchmarks.load("griewank")
    x = np.random.default_rng(0).random((2000, board.dimension))
    values = [board.value(x, np.full(2000, t)) for t in (0.0, board.horizon)]

    # a Matern-3/2 correlation above 0.999 after H means that l_T is more than 30 H
    assert np.corrcoef(values)[0, 1] > 0.999


def test_the_hottest_point_jumps_and_is_on_the_border_for_part_of_the_day():
    path = optimum_path.optimum_path(benchmarks.load("temperature"))
    on_border = np.any((path.x < 1e-6) | (path.x > 1 - 1e-6), axis=1)

    assert path.jumps > 0
    assert 0.1 < on_border.mean() < 0.9


def test_wlan_jumps_when_a_user_changes_the_node_and_not_otherwise():
    x = np.tile([1.0, 0.0], 3)  # neighbours with unlike power

    def largest_step(association, steps):
        board = benchmarks.load("wlan", association=association)
        t = np.linspace(0.0, 60.0, steps)
        return np.abs(np.diff(board.value(np.tile(x, (steps, 1)), t))).max()

    coarse, fine = (largest_step("nearest", steps) for steps in (500, 2_000))
    assert fine > 0.8 * coarse  # a jump does not shrink with the step
    assert largest_step("static", 2_000) < 0.5 * largest_step("static", 500)


def test_the_smallest_preset_is_estimated_at_less_than_a_minute():
    assert 3600 * presets.preset("tiny").hours() < 60.0


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.key for lesson in LESSONS])
def test_the_race_of_a_lesson_is_estimated_at_less_than_a_minute(lesson):
    assert sum(map(duration_estimate.cpu_seconds, lesson.configs(0))) < 60.0


@pytest.mark.parametrize("name", ["paper-quick", "paper"])
def test_ablations_are_cut_at_the_times_of_the_note(name):
    plan = presets.preset(name)
    cuts = {config.horizon for config in plan.configs() if config.horizon is not None}

    assert cuts == {float(seconds) for seconds in re.findall(r"at (\d+) s", plan.note)}
    ablated = {c.algorithm for c in plan.configs() if c.horizon is not None}
    assert ablated == ({"bolt"} if name == "paper-quick" else set(presets.ON_DEVICES.split(",")))


def test_the_small_griewank_has_one_percent_noise():
    board = benchmarks.load("griewank-small")

    assert board.row.noise_variance == pytest.approx(0.01 * board.landscape.variance)


def test_on_eggholder_the_stored_regret_is_higher_on_a_device_ten_times_slower():
    """Whether a device faster than the paper's lowers it is not shown by five seeds."""
    regrets = {}
    for run in results.load(results.BUNDLED).runs:
        config = run.config
        if (config.algorithm, config.benchmark, config.horizon) == ("bolt", "eggholder", 120.0):
            by_seed = regrets.setdefault(speed(config), {})
            by_seed[config.seed] = run.averages["over_queries"]
    steps = {
        (slow, fast): verdict(paired(regrets[fast], regrets[slow]))
        for slow, fast in pairwise(sorted(regrets))
    }

    assert steps == {(0.1, 1.0): "lower", (1.0, 10.0): "open", (10.0, 100.0): "open"}


def test_on_eggholder_removing_gains_least_on_the_slowest_paper_device():
    queries = {}
    for run in results.load(results.BUNDLED).runs:
        config = run.config
        if (config.benchmark, config.horizon, config.clock.kind) == ("eggholder", 120.0, "model"):
            by_algorithm = queries.setdefault(speed(config), {})
            by_algorithm.setdefault(config.algorithm, []).append(run.iterations)
    gains = {s: np.mean(of["bolt"]) / np.mean(of["bolt-keep"]) for s, of in queries.items()}
    constant, _, squared, _ = devices.device("paper")

    assert set(gains) == {0.1, 1.0, 10.0, 100.0}
    assert min(gains, key=gains.get) == 0.1
    assert constant > squared * 200.0**2  # up to 200 observations, most of the time does not grow


def test_an_algorithm_knows_dimension_and_kernels_only():
    names = {field.name for field in fields(Problem)}

    assert names == {"dimension", "spatial_kernel", "temporal_kernel", "domain"}
    assert all(benchmarks.load(key).problem.domain is None for key in benchmarks.catalog())
