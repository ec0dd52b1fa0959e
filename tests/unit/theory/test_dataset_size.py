"""n*: agreement with brute force, reference values, and what Figure 1 of the paper says of it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core.theory.dataset_size import climbed_size, recommended_size, squared_norm_u
from bolt_core.theory.response_time import ResponseTime

ROOT3, ROOT5 = 3**0.5, 5**0.5
KERNELS = {
    "matern12": lambda l_T: lambda age: np.exp(-age / l_T),
    "matern32": lambda l_T: lambda age: (1 + ROOT3 * age / l_T) * np.exp(-ROOT3 * age / l_T),
    "matern52": lambda l_T: (
        lambda age: (1 + ROOT5 * age / l_T + 5 * (age / l_T) ** 2 / 3) * np.exp(-ROOT5 * age / l_T)
    ),
    "rbf": lambda l_T: lambda age: np.exp(-0.5 * (age / l_T) ** 2),
}
RESPONSES = {
    "R1": ResponseTime((0.5, 0.0, 0.0, 1e-7)),
    "R2": ResponseTime((0.05, 2e-3, 0.0, 1e-6)),
    "R3": ResponseTime((8.0, 0.0, 0.0, 1e-7)),
}
REFERENCE = {  # computed independently, by brute force over n <= 1,000
    ("matern12", 60.0): (98, 60, 33),
    ("matern32", 60.0): (103, 67, 27),
    ("rbf", 60.0): (109, 73, 22),
    ("matern32", 22.0): (65, 50, 12),
    ("matern32", 552.0): (215, 124, 127),
}


def curve(k_T, R, largest):
    """||u_n||^2 for n = 1 .. largest, every term of every sum."""
    n = np.arange(1, largest + 1)
    ages = R(n)[:, None] * n  # row n, column i: i R(n)
    return np.sum(np.tril(k_T(ages) ** 2), axis=1)


@pytest.mark.parametrize(("name", "l_T"), REFERENCE)
def test_the_reference_values_are_reproduced(name, l_T):
    sizes = [recommended_size(KERNELS[name](l_T), R, seen=500) for R in RESPONSES.values()]

    assert tuple(sizes) == REFERENCE[name, l_T]


def random_case(rng):
    name = rng.choice(list(KERNELS))
    l_T = 10 ** rng.uniform(0.5, 3)
    powers = [10 ** rng.uniform(-2, 1), 10 ** rng.uniform(-5, -2), 0.0, 10 ** rng.uniform(-9, -5)]
    return KERNELS[name](l_T), ResponseTime(tuple(powers))


def test_bisection_finds_the_argmax_in_300_random_cases():
    rng = np.random.default_rng(0)
    interior = 0
    for _ in range(300):
        k_T, R = random_case(rng)
        brute = curve(k_T, R, 200)
        n_star = recommended_size(k_T, R, seen=100)
        if n_star is None:  # no limit up to the cap: the curve has not fallen there
            assert brute.max() - brute[-1] <= 1e-9 * brute.max()
        else:
            interior += 1
            assert brute[n_star - 1] >= brute.max() * (1 - 1e-12)  # ties differ by rounding only

    assert interior > 150


@settings(max_examples=100, deadline=None)
@given(
    name=st.sampled_from(sorted(KERNELS)),
    l_T=st.floats(3.0, 1000.0),
    c0=st.floats(0.01, 10.0),
    c1=st.floats(1e-5, 1e-2),
    c3=st.floats(0.0, 1e-5),
)
def test_the_squared_norm_rises_to_one_maximum_and_falls(name, l_T, c0, c1, c3):
    values = curve(KERNELS[name](l_T), ResponseTime((c0, c1, 0.0, c3)), 300)

    # differences below 1e-12 of the maximum are rounding in sums of 300 terms
    signs = np.sign(np.where(np.abs(np.diff(values)) < 1e-12 * values.max(), 0.0, np.diff(values)))
    falling = np.flatnonzero(signs < 0)
    assert not len(falling) or not np.any(signs[falling[0] :] > 0)


@pytest.mark.parametrize("seconds", [0.5, 8.0])
@pytest.mark.parametrize("name", KERNELS)
def test_a_metronome_has_no_limit(name, seconds):
    R = ResponseTime((seconds, 0.0, 0.0, 0.0))

    assert recommended_size(KERNELS[name](22.0), R, seen=1000) is None


def test_a_smoother_temporal_kernel_keeps_more():
    sizes = [recommended_size(KERNELS[k](60.0), RESPONSES["R1"]) for k in KERNELS]

    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_a_slower_growing_response_time_keeps_more():
    slow, fast = ResponseTime((0.5, 0, 0, 1e-8)), ResponseTime((0.5, 0, 0, 1e-6))
    k_T = KERNELS["matern32"](60.0)

    assert recommended_size(k_T, slow, seen=500) > recommended_size(k_T, fast, seen=500)


def test_the_squared_norm_is_the_sum_it_says():
    k_T, R = KERNELS["matern32"](60.0), RESPONSES["R2"]

    by_hand = sum(float(k_T(i * float(R(5)))) ** 2 for i in range(1, 6))
    assert squared_norm_u(5, k_T, R) == pytest.approx(by_hand, rel=1e-12)


def test_a_maximum_is_found_however_far_beyond_it_the_search_begins():
    k_T, R = KERNELS["matern32"](20.0), RESPONSES["R2"]  # at n = 4,000 every k_T is 0.0

    assert recommended_size(k_T, R, seen=2000) == recommended_size(k_T, R) is not None


@pytest.mark.parametrize("start", [1, 20, 60, 150])
@pytest.mark.parametrize(("name", "l_T"), REFERENCE)
def test_unit_steps_reach_the_same_size_from_anywhere(name, l_T, start):
    k_T, R = KERNELS[name](l_T), RESPONSES["R2"]

    assert climbed_size(k_T, R, start, seen=500) == recommended_size(k_T, R, seen=500)


def test_unit_steps_that_run_away_stop_at_the_cap():
    falling = ResponseTime((1.0, -1e-4, 0.0, 0.0), floor=0.01)  # as a free cubic may

    assert climbed_size(KERNELS["rbf"](1e4), falling, 50, seen=120) is None
