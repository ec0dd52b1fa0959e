"""The contract every benchmark keeps. A new file or entry point is tested with no edit here."""

import re
from functools import cache

import numpy as np
import pytest
from scipy.stats import qmc

from bolt_core.benchmarks import catalog, load, oracle, stored_twins
from bolt_core.common.errors import ConfigError, UnknownNameError
from tests.support.twins import make_twin

RANDOM_TIMES, RANDOM_PLACES = 10, 5_000
# How far a random point may stand above f*, where rounding is not the limit (raw units).
SLACK = {"gp-sample": 1e-6, "temperature": 5e-3, make_twin(60).key: 1e-6}


TWIN = "a stored twin"


@pytest.fixture(params=[*sorted(catalog()), TWIN])
def key(request):
    return stored_twins.save(make_twin(60)) if request.param == TWIN else request.param


@pytest.fixture
def benchmark(key):
    return ready(key)


ready = cache(load)


def somewhere(benchmark, n, seed=0):
    """n uniform places and times."""
    rng = np.random.default_rng(seed)
    return rng.random((n, benchmark.dimension)), benchmark.horizon * rng.random(n)


def test_key_and_label_can_be_shown_and_typed(key):
    spec = catalog()[key]

    assert spec.key == key
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key)
    assert 0 < len(spec.label) <= 24
    assert spec.label == spec.label.strip()


def test_no_two_benchmarks_share_a_label():
    for sample in (1, 2):
        stored_twins.save(make_twin(10, sample=sample))
    labels = [spec.label for spec in catalog().values()]

    assert len(set(labels)) == len(labels)


def test_the_row_is_usable(benchmark):
    row = benchmark.row

    assert 0 < row.cost < row.horizon
    assert row.noise_variance >= 0
    assert row.lengthscale_time > 0


def test_the_spec_states_the_dimension_it_builds(key, benchmark):
    assert benchmark.dimension == benchmark.problem.dimension == catalog()[key].dimension


def test_one_place_gives_one_number(benchmark):
    x, t = somewhere(benchmark, 1)

    assert np.ndim(benchmark.value(x[0], t[0])) == 0


def test_many_places_at_once_equal_one_at_a_time(benchmark):
    x, t = somewhere(benchmark, 16)
    one_by_one = [float(benchmark.value(p, s)) for p, s in zip(x, t, strict=True)]

    at_once = benchmark.value(x, t)

    assert at_once.shape == (16,)
    # sums of up to some hundred terms may be taken in another order
    np.testing.assert_allclose(at_once, one_by_one, rtol=1e-10, atol=1e-10)


def test_one_time_serves_many_places(benchmark):
    x, t = somewhere(benchmark, 16)

    together = benchmark.value(x, t[0])

    assert together.shape == (16,)
    same = benchmark.value(x, np.full(16, t[0]))
    np.testing.assert_allclose(together, same, rtol=1e-10, atol=1e-10)


def test_values_are_finite_to_the_corners_and_the_last_moment(benchmark):
    corners = np.vstack([np.zeros(benchmark.dimension), np.ones(benchmark.dimension)])

    values = [benchmark.value(corners, t) for t in (0.0, benchmark.horizon)]

    assert np.all(np.isfinite(values))


def test_the_objective_moves(benchmark):
    x, _ = somewhere(benchmark, 16)
    times = np.linspace(0.0, benchmark.horizon, 5)

    values = np.array([benchmark.value(x, t) for t in times])

    assert np.ptp(values, axis=0).max() > 0


@pytest.mark.parametrize("bad", [-0.25, 1.25, float("nan")])
def test_a_place_outside_the_box_is_refused_by_its_value(benchmark, bad):
    x = np.full(benchmark.dimension, 0.5)
    x[-1] = bad

    with pytest.raises(ConfigError, match=f"got {bad}"):
        benchmark.value(x, 0.0)


def test_a_place_with_too_many_coordinates_is_refused_by_its_shape(benchmark):
    wrong = benchmark.dimension + 1

    with pytest.raises(ConfigError, match=rf"\({wrong},\)"):
        benchmark.value(np.full(wrong, 0.5), 0.0)


def test_times_outside_the_horizon_are_refused_by_their_value(benchmark):
    x = np.full(benchmark.dimension, 0.5)

    for bad in (-1.0, benchmark.horizon + 1.0, float("nan")):
        with pytest.raises(ConfigError, match=f"got {bad}"):
            benchmark.value(x, bad)


def test_an_unknown_option_is_refused_by_its_name(key):
    with pytest.raises(UnknownNameError, match="colour"):
        load(key, colour="blue")


def test_the_same_options_give_the_same_function(key, benchmark):
    x, t = somewhere(benchmark, 50)

    np.testing.assert_array_equal(load(key).value(x, t), benchmark.value(x, t))


def test_no_random_place_beats_the_optimum(key, benchmark):
    rng = np.random.default_rng(1)

    for t in benchmark.horizon * rng.random(RANDOM_TIMES):
        _, top = oracle.best(benchmark, t)
        values = benchmark.value(rng.random((RANDOM_PLACES, benchmark.dimension)), t)
        slack = SLACK.get(key, 1e-9 * max(1.0, abs(top)))
        assert values.max() <= top + slack


def test_no_near_place_beats_the_optimum(key, benchmark):
    rng = np.random.default_rng(2)

    for t in benchmark.horizon * rng.random(RANDOM_TIMES):
        x, top = oracle.best(benchmark, t)
        near = x + 1e-3 * rng.standard_normal((200, benchmark.dimension))
        values = benchmark.value(np.clip(near, 0.0, 1.0), t)
        slack = SLACK.get(key, 1e-9 * max(1.0, abs(top)))
        assert values.max() <= top + slack


def test_the_optimum_is_a_place_in_the_box_with_its_value(benchmark):
    for t in np.linspace(0.0, benchmark.horizon, 7):
        x, top = oracle.best(benchmark, t)

        assert x.shape == (benchmark.dimension,)
        assert np.all((x >= 0) & (x <= 1))
        assert benchmark.value(x, t) == top


def test_noise_of_the_paper_is_the_row(benchmark):
    assert benchmark.noise_variance == benchmark.row.noise_variance


def test_one_percent_noise_is_one_percent_of_the_variance(key):
    quiet = load(key, noise="1pct")
    unit = qmc.Sobol(quiet.dimension + 1, rng=3).random_base2(15)
    batches = np.array_split(unit, 8)  # features x points stay small
    values = [quiet.value(u[:, :-1], quiet.horizon * u[:, -1]) for u in batches]

    # 2^15 Sobol points: the variance of the heaviest tail (Shekel) is then good to 3 %
    assert quiet.noise_variance == pytest.approx(0.01 * np.var(np.concatenate(values)), rel=0.05)


def test_kernels_are_the_papers_unless_chosen():
    usual = load("wlan")
    chosen = load("wlan", temporal_kernel="rbf")

    assert usual.problem.temporal_kernel == "matern12"
    assert chosen.problem.temporal_kernel == "rbf"
    assert chosen.problem.spatial_kernel == usual.problem.spatial_kernel
    with pytest.raises(ConfigError, match=r"temporal_kernel.*one of"):
        load("wlan", temporal_kernel="cosine")
