"""The paper's synthetic functions: against BoTorch, the paper's table, and their own calculus."""

from itertools import product

import numpy as np
import pytest
import torch
from botorch.test_functions import synthetic
from scipy.stats import qmc

from bolt_core.benchmarks import (
    _griewank,
    ackley,
    catalog,
    eggholder,
    hartmann3,
    hartmann6,
    load,
    oracle,
    powell,
    schwefel,
    shekel,
)
from bolt_core.benchmarks._climb import climbing
from bolt_core.benchmarks.spec import near_constant, quasi_static
from bolt_core.common.types import NOMINAL_DEVICE

# Table 3: noise variance, R(0) (s), H (s), l_T (s), quasi-static, near-constant
TABLE_3 = {
    "shekel": (0.02, 8.00, 600, 174, False, True),
    "hartmann3": (0.05, 8.00, 600, 164, False, True),
    "ackley": (0.05, 0.05, 600, 216, True, False),
    "griewank": (0.30, 0.05, 600, 55, False, False),
    "eggholder": (0.10, 0.05, 600, 22, False, False),
    "schwefel": (0.25, 0.05, 600, 35, False, False),
    "hartmann6": (0.05, 0.10, 600, 270, True, False),
    "powell": (2.50, 0.01, 600, 552, True, False),
    "temperature": (0.16, 0.01, 1800, 396, True, False),
    "wlan": (1.50, 0.10, 600, 120, False, False),
}
# Var f, mean f*, random regret: computed apart from this code, with 400,000 uniform points
# (40,000 for the regret) and given to three figures, so 3 % is what can be asked.
SCALES = {
    "shekel": (0.0325, 3.03, 2.73),
    "hartmann3": (0.911, 2.06, 1.13),
    "ackley": (1.13, -14.6, 6.23),
    "griewank": (4322, -30.6, 150.7),
    "eggholder": (8.9e4, 599, 594),
    "schwefel": (1.50e5, -419, 1256),
    "hartmann6": (0.148, 2.54, 2.28),
    "powell": (1.01e8, -26.5, 7590),
}
BOTORCH = {  # the function, and the box as Appendix C has it
    "shekel": (lambda: synthetic.Shekel(), 0, 10),
    "hartmann3": (lambda: synthetic.Hartmann(dim=3), 0, 1),
    "hartmann6": (lambda: synthetic.Hartmann(dim=6), 0, 1),
    "ackley": (lambda: synthetic.Ackley(dim=4), -32, 32),
    "griewank": (lambda: synthetic.Griewank(dim=6), -600, 600),
    "eggholder": (lambda: synthetic.EggHolder(), -512, 512),
    "powell": (lambda: synthetic.Powell(dim=4), -4, 5),
}
GRADIENTS = {
    "shekel": (shekel.g, shekel.gradient, 0, 10, 4),
    "hartmann3": (hartmann3.HARTMANN.g, hartmann3.HARTMANN.gradient, 0, 1, 3),
    "hartmann6": (hartmann6.HARTMANN.g, hartmann6.HARTMANN.gradient, 0, 1, 6),
    "powell": (powell.g, powell.gradient, -4, 5, 4),
}
IN_PAPER = sorted(key for key, spec in catalog().items() if spec.in_paper)


@pytest.fixture
def double():
    """BoTorch keeps its matrices in the default type, which is single."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


@pytest.mark.usefixtures("double")
@pytest.mark.parametrize("key", BOTORCH)
def test_agrees_with_botorch(key):
    function, low, high = BOTORCH[key]
    benchmark, rng = load(key), np.random.default_rng(0)
    x, t = rng.random((2_000, benchmark.dimension)), 600 * rng.random(2_000)
    z = low + (high - low) * np.column_stack([x, t / 600])

    theirs = -function()._evaluate_true(torch.from_numpy(z)).numpy()

    np.testing.assert_allclose(benchmark.value(x, t), theirs, rtol=1e-9, atol=1e-9)


def test_schwefel_is_a_sum_over_coordinates():
    z = np.array([[1.0, -20.0, 300.0, 420.0], [0.0, 0.0, 0.0, 0.0]])
    terms = [[418.9829 - u * np.sin(abs(u) ** 0.5) for u in row] for row in z]

    np.testing.assert_allclose(schwefel.g(z), np.sum(terms, axis=1), rtol=1e-14)


@pytest.mark.parametrize("key", TABLE_3)
def test_the_row_is_table_3(key):
    row = catalog()[key].row

    assert (
        row.noise_variance,
        row.cost,
        row.horizon,
        row.lengthscale_time,
        row.quasi_static,
        row.near_constant,
    ) == TABLE_3[key]


@pytest.mark.parametrize("key", IN_PAPER)
def test_the_two_definitions_of_section_2_give_the_papers_columns(key):
    row = catalog()[key].row

    assert near_constant(row, NOMINAL_DEVICE) == row.near_constant
    assert quasi_static(row, NOMINAL_DEVICE) == row.quasi_static


@pytest.mark.parametrize("key", SCALES)
def test_variance_optimum_and_random_regret_have_the_known_scale(key):
    variance, mean_best, random_regret = SCALES[key]
    benchmark = load(key)
    unit = qmc.Sobol(benchmark.dimension + 1, rng=0).random_base2(15)
    values = benchmark.value(unit[:, :-1], 600 * unit[:, -1])
    times = 600 * (np.arange(50) + 0.5) / 50
    tops = np.mean([oracle.best(benchmark, t)[1] for t in times])

    assert benchmark.landscape.variance == pytest.approx(variance, rel=0.03)
    assert np.var(values) == pytest.approx(variance, rel=0.03)
    assert tops == pytest.approx(mean_best, rel=0.03)
    assert tops - np.mean(values) == pytest.approx(random_regret, rel=0.03)


@pytest.mark.parametrize("key", GRADIENTS)
def test_the_gradient_is_that_of_g(key):
    g, gradient, low, high, dimension = GRADIENTS[key]
    z = low + (high - low) * np.random.default_rng(0).random((200, dimension))
    h = 1e-5 * (high - low)
    step = h * np.eye(dimension)
    differences = (g(z[:, None] + step) - g(z[:, None] - step)) / (2 * h)

    scale = np.abs(differences).max()  # error of central differences: about 1e-8 of it
    np.testing.assert_allclose(gradient(z), differences, rtol=1e-6, atol=1e-7 * scale)


@pytest.mark.long
@pytest.mark.parametrize("key", GRADIENTS)
def test_thirty_more_starts_find_nothing_higher(key):
    g, gradient, low, high, dimension = GRADIENTS[key]
    starts = low + (high - low) * np.random.default_rng(0).random((30, dimension - 1))
    more = climbing(g, gradient, (low, high), 600.0, starts)
    benchmark = load(key)

    for t in np.linspace(0.0, 600.0, 9):
        top = oracle.best(benchmark, t)[1]
        assert more(t)[1] <= top + 1e-9 * max(1.0, abs(top))


@pytest.mark.long
@pytest.mark.parametrize("key", ["griewank", "griewank-small", "schwefel", "ackley"])
def test_a_search_of_the_box_never_beats_the_formula(key):
    benchmark = load(key)

    for t in np.linspace(0.0, 600.0, 13):
        searched = benchmark.value(oracle._searched(benchmark, t), t)
        assert searched <= oracle.best(benchmark, t)[1] + 1e-9


@pytest.mark.parametrize("key", ["griewank-small", "schwefel"])
def test_a_search_of_the_box_reaches_the_formula(key):
    benchmark = load(key)

    for t in np.linspace(0.0, 600.0, 13):
        searched = benchmark.value(oracle._searched(benchmark, t), t)
        # central differences of step 1e-6 place a summit to about 1e-6 of the box
        assert searched == pytest.approx(oracle.best(benchmark, t)[1], abs=1e-5)


@pytest.mark.parametrize(
    ("key", "hills"),
    [
        ("ackley", np.full(3, 1 / 64)),  # the next ripple of each coordinate
        ("griewank", np.pi * np.sqrt(np.arange(1, 6)) / 1200),  # the next change of sign
        ("griewank-small", np.pi * np.sqrt(np.arange(1, 6)) / 12),
    ],
)
def test_climbing_every_hill_around_the_middle_reaches_the_formula(key, hills):
    benchmark, rng = load(key), np.random.default_rng(0)
    choices = np.array(list(product([0, 1], repeat=len(hills))))  # one of each mirror pair
    jitter = 0.1 * rng.uniform(-1, 1, choices.shape)
    starts = np.clip(0.5 + hills * (choices + jitter), 0, 1)

    for t in (7.0, 150.0, 287.0, 590.0):  # not 300: Ackley's top is then a corner
        _, searched = oracle.highest(lambda x, t=t: oracle._differences(benchmark, x, t), starts)
        # central differences of step 1e-6 place a summit to about 1e-6 of the box
        assert searched == pytest.approx(oracle.best(benchmark, t)[1], abs=1e-5)


def test_schwefels_peak_is_the_highest_of_one_coordinate():
    z = np.linspace(-500.0, 500.0, 2_000_001)
    wave = z * np.sin(np.sqrt(np.abs(z)))

    # flat to second order: a grid of step 5e-4 sees the height to 1e-7
    assert pytest.approx(z[np.argmax(wave)], abs=5e-4) == schwefel.PEAK
    peak = schwefel.PEAK * np.sin(np.sqrt(schwefel.PEAK))
    assert peak == pytest.approx(wave.max(), abs=1e-6)
    assert peak >= wave.max()


@pytest.mark.parametrize("c", [1.0, 0.3, -4e-4, -5.1e-4, -6e-4, -1e-3, -0.1, -1.0])
def test_griewanks_flip_is_the_best_of_one_coordinate(c):
    u = np.linspace(0.0, 6.0, 600_001)
    gains = -(u**2) / 4000 + c * np.cos(u)
    best = _griewank.best_first_coordinate(c)

    assert -(best**2) / 4000 + c * np.cos(best) >= gains.max() - 1e-15
    assert -(best**2) / 4000 + c * np.cos(best) == pytest.approx(gains.max(), abs=1e-9)


def test_one_coordinate_makes_the_cosines_as_negative_as_any_at_its_distance():
    rng = np.random.default_rng(0)
    direction = rng.standard_normal((200_000, 5))
    direction[100_000:, 2:] = 0.0  # two coordinates come nearest
    radius = np.pi * rng.random(200_000)
    u = radius[:, None] * direction / np.linalg.norm(direction, axis=1)[:, None]

    assert np.all(np.prod(np.cos(u), axis=1) >= np.cos(radius) - 1e-12)


@pytest.mark.parametrize("module", [ackley, schwefel])
def test_the_optimum_stands_still_where_the_docstring_says_so(module):
    places = [module.best(t)[0] for t in np.linspace(0.0, 600.0, 11)]

    assert np.ptp(places, axis=0).max() == 0


def test_eggholders_optimum_jumps():
    places = np.array([eggholder.best(t)[0] for t in np.linspace(0.0, 600.0, 301)])

    assert np.sum(np.abs(np.diff(places, axis=0)) > 0.05) == 26
