"""Baselines without a surrogate: hold holds, extremum seeking climbs and follows."""

import math

import numpy as np
import pytest

from bolt_core import algorithms
from bolt_core.algorithms import extremum_seeking
from bolt_core.common.types import EngineConfig, Observation, Problem
from tests.support.runs import first_passes


def build(key, dimension, **values):
    spec = algorithms.get(key)
    rng, params = np.random.default_rng(0), spec.parse(values)
    return spec.build(Problem(dimension), rng, params=params, engine=EngineConfig())


def queries(optimizer, warmup, f, passes):
    """Return its queries after these warm-up points; f(x, step) is the objective."""
    X = [np.asarray(x, dtype=float) for x in warmup]
    for i in range(len(warmup) + passes):
        x = X[i] if i < len(warmup) else np.array(optimizer.ask(float(i)).x)
        optimizer.tell(Observation(i, tuple(x.tolist()), float(i), f(x, i)))
        X[len(warmup) :] = [*X[len(warmup) :], x] if i >= len(warmup) else []
    return np.array(X[len(warmup) :])


def test_hold_measures_the_best_warmup_point_for_ever_even_if_it_turns_bad():
    warmup = [(0.1, 0.2), (0.7, 0.3), (0.9, 0.9)]
    X = queries(build("hold", 2), warmup, lambda x, i: x[0] * (-1.0) ** (i > 2) - x[1], 20)

    assert X.tolist() == [[0.7, 0.3]] * 20


def test_hold_in_a_run_has_one_setting_and_the_response_time_of_a_query_alone():
    records = first_passes(40, algorithm="hold")
    warmup, rest = records[:15], records[15:]
    best = max(warmup, key=lambda r: r.observation.y)

    assert {r.observation.x for r in rest} == {best.observation.x}
    assert [r.seconds for r in rest] == pytest.approx([warmup[0].seconds] * len(rest))


def test_the_first_steps_of_extremum_seeking_are_those_of_its_formula():
    X = queries(build("extremum-seeking", 3), [(0.5, 0.5, 0.5)], lambda x, i: float(i % 2), 3)
    w = np.array([1.0, 1.0, 1.75])
    h = 2 * math.pi / 17.5

    def step(k, z):
        waves = np.array([np.cos, np.sin, np.cos])
        phase = w * h * k - 2.0 * z
        return h * 0.1 * w * np.array([wave(p) for wave, p in zip(waves, phase, strict=True)])

    # y = 0, then 1, 0: the newest is 1 of mean 1/2 and sd 1/2, then 0 of mean 1/3 and sd sqrt(2)/3
    p1 = step(0, 1.0)
    p2 = p1 + step(1, -1.0 / math.sqrt(2.0))
    assert X[0].tolist() == [0.5, 0.5, 0.5]
    assert 2.0 * X[1:] - 1.0 == pytest.approx(np.array([p1, p2]))


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_extremum_seeking_ends_within_two_amplitudes_of_a_static_top(dimension):
    top = np.linspace(0.35, 0.6, dimension)
    warmup = np.random.default_rng(1).random((15, dimension))
    X = queries(
        build("extremum-seeking", dimension), warmup, lambda x, i: -np.sum((x - top) ** 2), 1500
    )
    amplitude = extremum_seeking.Params().amplitude / 2  # in units of x

    assert np.abs(X[-200:] - top).max() < 2 * amplitude
    assert np.abs(X[-200:].mean(axis=0) - top).max() < amplitude


def test_extremum_seeking_follows_a_top_that_moves_less_than_an_amplitude_per_cycle():
    def top(i):
        return np.array([0.5 + 0.3 * math.sin(i / 800), 0.5 + 0.3 * math.cos(i / 800)])

    X = queries(
        build("extremum-seeking", 2), [top(0)], lambda x, i: -np.sum((x - top(i)) ** 2), 5000
    )
    tops = np.array([top(i) for i in range(1, 5001)])
    away = np.linalg.norm(X - tops, axis=1)[1000:]

    assert away.mean() < 0.15
    assert (
        away.mean() < 0.3 * np.linalg.norm(X[0] - tops, axis=1)[1000:].mean()
    )  # held at its start


def test_extremum_seeking_has_no_unit_of_y():
    def f(x, i):
        return float(np.cos(3 * x[0]) - x[1])

    one, other = (
        queries(build("extremum-seeking", 2), [(0.2, 0.8)], scaled, 50)
        for scaled in (f, lambda x, i: 1e6 + 1e3 * f(x, i))
    )

    assert one == pytest.approx(other, abs=1e-6)
