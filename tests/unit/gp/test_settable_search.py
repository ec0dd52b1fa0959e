"""The largest UCB among the settable points of a region, against a dense reference."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core.common.domain import Domain, Region
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import Hyperparameters
from bolt_core.gp import acquisition, load
from bolt_core.gp.protocol import Data, FitRequest, Inference, Model
from bolt_core.theory.wasserstein.nodes import sobol
from tests.support.gp_cases import NOW
from tests.unit.common.test_domain import boxes, knobs

MIXED = Domain((0, 0, 6, 3), (False, False, False, True))
MANY = Domain((0, 20, 20, 20), (False, False, False, True))  # 8,000 combinations
LEVELS_ONLY = Domain((5, 7, 3), (False, False, True))
MANY_LEVELS_ONLY = Domain((30, 30, 30), (False, False, False))


def surrogate(domain, seed, n=60, ard=True, name="exact"):
    """A draw from the prior on settable points, half of them at one combination of levels."""
    rng = np.random.default_rng(seed)
    d = domain.dimension
    X = rng.random((n, d))
    X[::2, list(domain.discrete)] = rng.random(len(domain.discrete))
    X, t = domain.snap(X), np.sort(rng.random(n)) * NOW
    scales = tuple(np.exp(rng.uniform(np.log(0.15), np.log(1.5), d)).tolist())
    theta = Hyperparameters(1.0, scales if ard else 0.4, 60.0, 0.01)
    model = Model(d, ard=ard, domain=domain)
    Z = np.column_stack([X, t])
    K = model.covariance(theta).between(Z, Z) + 0.01 * np.eye(n)
    y = np.linalg.cholesky(K) @ rng.standard_normal(n)
    return load(name, model).condition(Data.of(X, t, y), Inference(theta))


def dense(gp, region, per_combination):
    """The largest UCB over all combinations of levels, with many points of the other knobs each."""
    domain = gp.model.domain
    continuous = [k for k in range(domain.dimension) if not domain.levels[k]]
    places = np.zeros((1, 0))
    if continuous:
        unit = sobol(len(continuous), per_combination)
        low, high = region.low[continuous], region.high[continuous]
        stretched = np.clip(0.5 + 1.2 * (unit - 0.5), 0.0, 1.0)  # on faces, too
        places = low + (high - low) * stretched
    settable = [region.settable(domain, k) for k in domain.discrete]
    combinations = np.array(list(itertools.product(*settable)))
    X = np.empty((len(combinations) * len(places), domain.dimension))
    X[:, continuous] = np.tile(places, (len(combinations), 1))
    X[:, list(domain.discrete)] = np.repeat(combinations, len(places), axis=0)
    return max(
        float(gp.ucb(rows, NOW, 2.0).max()) for rows in np.array_split(X, 1 + len(X) // 8192)
    )


def cut(domain, seed):
    rng = np.random.default_rng(seed)
    centre = domain.snap(rng.random(domain.dimension))
    return Region(np.clip(centre - 0.3, 0, 1), np.clip(centre + 0.3, 0, 1))


@pytest.mark.parametrize(
    ("domain", "per_combination", "cases"),
    [(MIXED, 2048, 8), (MANY, 16, 2), (LEVELS_ONLY, 1, 3), (MANY_LEVELS_ONLY, 1, 3)],
)
@pytest.mark.parametrize("whole", [True, False])
def test_the_answer_is_within_a_hundredth_of_a_dense_reference(
    domain, per_combination, cases, whole
):
    short = []
    for seed in range(cases):
        gp = surrogate(domain, seed)
        region = Region.whole(domain.dimension) if whole else cut(domain, seed)
        x, _ = gp.maximise_ucb(NOW, np.random.default_rng(seed), beta=2.0, region=region)
        spread = np.ptp(gp.ucb(gp.data.Z[:, :-1], NOW, 2.0))
        short.append((dense(gp, region, per_combination) - gp.ucb(x, NOW, 2.0)[0]) / spread)

    assert max(short) <= 0.01


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    data=st.data(),
    domain=knobs,
    n=st.sampled_from([0, 1, 20]),
    seed=st.integers(0, 10**6),
    ard=st.booleans(),
    beta_and_window=st.sampled_from([(0.0, 0.0), (2.0, 0.0), (2.0, 10.0)]),
)
def test_every_answer_is_settable_and_inside(data, domain, n, seed, ard, beta_and_window):
    beta, window = beta_and_window
    region = data.draw(st.none() | boxes(domain))
    gp = surrogate(domain, seed, n, ard)
    rng = np.random.default_rng(seed)
    x, t = gp.maximise_ucb(NOW, rng, beta=beta, window=window, region=region)

    assert x.shape == (domain.dimension,)
    assert np.allclose(domain.snap(x), x, atol=1e-12)
    assert np.all((x >= 0) & (x <= 1))
    assert region is None or region.holds(x)
    assert NOW <= t <= NOW + window


@pytest.mark.parametrize("ard", [False, True])
def test_a_region_of_real_knobs_is_searched_to_its_faces(ard):
    rng = np.random.default_rng(0)
    data = Data.of(rng.random((40, 2)), np.full(40, 90.0), rng.standard_normal(40))
    theta = Hyperparameters(1.0, (0.1, 0.4) if ard else 0.15, 100.0, 0.01)
    gp = load("exact", Model(2, ard=ard)).condition(data, Inference(theta))
    line = np.linspace(0, 1, 201)
    grid = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    for seed in range(12):
        ends = np.sort(rng.random((2, 2)), axis=0)
        region = Region(*ends)
        x, _ = gp.maximise_ucb(NOW, np.random.default_rng(seed), beta=2.0, region=region)
        best = gp.ucb(ends[0] + (ends[1] - ends[0]) * grid, NOW, 2.0).max()
        assert region.holds(x)
        assert gp.ucb(x, NOW, 2.0)[0] >= best - 1e-3


def test_a_single_point_is_a_region():
    gp, at = surrogate(MIXED, 0), MIXED.snap(np.full(4, 0.3))
    x, _ = gp.maximise_ucb(NOW, np.random.default_rng(0), region=Region(at, at))

    assert np.array_equal(x, at)


def test_observations_outside_the_cube_do_no_harm():
    gp = surrogate(MIXED, 1)
    Z = gp.data.Z.copy()
    Z[:10, 0], Z[5:15, 2], Z[12:20, 3] = 1.4, -0.5 / 6, 4.5 / 3
    moved = Data(Z, gp.data.y, gp.data.weights)
    gp = load("exact", gp.model).fit(moved, FitRequest(NOW), np.random.default_rng(0))
    x, _ = gp.maximise_ucb(NOW, np.random.default_rng(0))

    assert np.allclose(MIXED.snap(x), x)
    assert np.isfinite(gp.removal_scores(NOW)).all()
    assert np.isfinite(gp.bound_scores(NOW).relative()).all()


def test_duplicates_and_ties_do_no_harm():
    X = MIXED.snap(np.full((30, 4), 0.4))
    data = Data.of(X, np.linspace(0, NOW, 30), np.zeros(30))
    gp = load("exact", Model(4, domain=MIXED)).fit(data, FitRequest(NOW), np.random.default_rng(0))
    x, _ = gp.maximise_ucb(NOW, np.random.default_rng(0))

    assert np.allclose(MIXED.snap(x), x)


@pytest.mark.parametrize("whole", [True, False])
def test_integers_in_the_reference_engine_are_settable(whole):
    domain = Domain((0, 4), (False, False))
    gp = surrogate(domain, 0, 15, ard=False, name="botorch")
    region = None if whole else Region(np.array([0.2, 0.125]), np.array([0.4, 0.375]))
    x, _ = gp.maximise_ucb(NOW, np.random.default_rng(0), region=region)

    assert np.allclose(domain.snap(x), x)
    assert region is None or region.holds(x)


def test_other_acquisitions_are_for_real_knobs():
    gp = surrogate(MIXED, 0, 15)
    with pytest.raises(ConfigError, match="ucb"):
        acquisition.maximise(gp, "ei", NOW, np.random.default_rng(0))
