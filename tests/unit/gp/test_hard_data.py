"""Data that break careless GPs: no exception, no NaN, a bounded and recorded jitter."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from bolt_core.common.types import Hyperparameters
from bolt_core.gp import load
from bolt_core.gp.packed_covariance import JITTERS
from bolt_core.gp.protocol import Bounds, Data, FitRequest, Inference, Model
from tests.support.gp_cases import NOW, dataset

RNG = np.random.default_rng(0)
BASE = dataset(20, 2)


def repeated():
    return Data.of(np.full((20, 2), 0.3), np.full(20, 5.0), RNG.standard_normal(20))


CASES = {
    "duplicates": replace(BASE, Z=np.repeat(BASE.Z[:5], 4, axis=0)),
    "one place, one time": repeated(),
    "one time": Data.of(BASE.Z[:, :-1], np.full(20, 5.0), BASE.y),
    "constant": replace(BASE, y=np.full(20, 3.0)),
    "constant but for rounding": replace(BASE, y=1e6 + 1e-10 * RNG.standard_normal(20)),
    "one point": dataset(1, 2),
    "none": dataset(0, 2),
    "two points": dataset(2, 2),
    "huge": replace(BASE, y=1e6 * BASE.y),
    "huge and far": replace(BASE, y=1e6 * BASE.y + 1e9),
    "tiny": replace(BASE, y=1e-9 * BASE.y),
    "one outlier": replace(BASE, y=np.append(BASE.y[:-1], 1e8)),
    "uneven weights": replace(BASE, weights=np.geomspace(1e-3, 1e6, 20)),
    "times far from zero": replace(BASE, Z=BASE.Z + np.array([0, 0, 1e6])),
}
over_engines = pytest.mark.parametrize("engine", ["exact", "botorch"])


def answers(gp, now):
    X = np.vstack([gp.data.Z[:3, :-1], RNG.random((5, 2))])
    mu, sigma = gp.posterior(X, now)
    x, t = gp.maximise_ucb(now, np.random.default_rng(0))
    scores = gp.removal_scores(now)
    return np.concatenate([mu, sigma, x, [t], scores, *gp.leave_one_out()])


@over_engines
@pytest.mark.parametrize("name", CASES)
def test_hard_data_give_finite_answers(name, engine):
    data = CASES[name]
    now = float(data.Z[:, -1].max(initial=NOW)) + 1.0
    gp = load(engine, Model(2)).fit(data, FitRequest(now), np.random.default_rng(0))

    assert np.isfinite(answers(gp, now)).all()
    assert gp.inference.failed is None
    scale = gp.inference.theta.signal_variance + gp.inference.theta.noise_variance
    assert 0 <= gp.inference.jitter <= JITTERS[-1] * scale * (1 + 1e-12)


@pytest.mark.parametrize("scale", [1e6, 1e-6])
def test_the_unit_of_y_does_not_matter(scale):
    engine, rng = load("exact", Model(2)), np.random.default_rng(0)
    plain = engine.fit(BASE, FitRequest(NOW), rng)
    scaled = engine.fit(replace(BASE, y=scale * BASE.y), FitRequest(NOW), rng)
    X = np.random.default_rng(1).random((6, 2))

    # the same descent but for rounding of the standardised y
    np.testing.assert_allclose(
        scaled.posterior(X, NOW), scale * np.array(plain.posterior(X, NOW)), rtol=1e-5
    )


@pytest.mark.parametrize("corner", range(16))
def test_hyperparameters_at_their_bounds_give_finite_answers(corner):
    box = Bounds.known(BASE.Z[:, -1], NOW)
    sides = (box.signal, box.space, box.time, box.noise)
    theta = Hyperparameters(*(side[corner >> bit & 1] for bit, side in enumerate(sides)))
    gp = load("exact", Model(2)).condition(BASE, Inference(theta))
    fitted = load("exact", Model(2)).fit(BASE, FitRequest(NOW, Inference(theta)), RNG)

    assert np.isfinite(answers(gp, NOW)).all()
    assert np.isfinite(answers(fitted, NOW)).all()


@pytest.mark.parametrize("spatial", ["rbf", "matern52", "rq"])
def test_a_nearly_singular_matrix_is_factorised_with_a_recorded_jitter(spatial):
    theta = Hyperparameters(1.0, np.exp(3), 3000.0, 1e-9)
    data = replace(BASE, Z=np.repeat(BASE.Z[:4], 5, axis=0))
    model = Model(2, spatial, "rbf")
    many = dataset(200, 2)
    gps = [load("exact", model).condition(d, Inference(theta)) for d in (data, many)]

    for gp in gps:
        assert np.isfinite(answers(gp, NOW)).all()
        assert 0 <= gp.inference.jitter <= JITTERS[-1] * 1.001


def test_no_noise_at_all_on_duplicates_needs_jitter_and_says_so():
    theta = Hyperparameters(1.0, 0.5, 50.0, 0.0)
    data = replace(BASE, Z=np.repeat(BASE.Z[:5], 4, axis=0))
    gp = load("exact", Model(2)).condition(data, Inference(theta))

    assert 0 < gp.inference.jitter <= JITTERS[-1]
    assert np.isfinite(answers(gp, NOW)).all()


@pytest.mark.long
def test_two_thousand_observations_fit_in_a_gigabyte():
    code = (
        "import resource, numpy as np\n"
        "from bolt_core.common import runtime\n"
        "from bolt_core.gp import load\n"
        "from bolt_core.gp.protocol import Data, FitRequest, Inference, Model\n"
        "from bolt_core.common.types import Hyperparameters\n"
        "runtime.configure()\n"
        "rng, n = np.random.default_rng(0), 2000\n"
        "X = rng.random((n, 3))\n"
        "data = Data.of(X, np.arange(n), np.sin(5 * X.sum(1)) + 0.3 * rng.standard_normal(n))\n"
        "warm = Inference(Hyperparameters(2.8, 0.48, 6e4, 0.17))  # near the optimum: few steps\n"
        "gp = load('exact', Model(3)).fit(data, FitRequest(2e3, warm, noise_sd=0.1**0.5), rng)\n"
        "gp.maximise_ucb(2e3, rng), gp.removals(2e3)\n"
        "print(gp.inference.evaluations, gp.inference.failed)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    fitted, kilobytes = done.stdout.strip().splitlines()

    assert fitted.split()[1] == "None"
    assert int(kilobytes) < 1_000_000
