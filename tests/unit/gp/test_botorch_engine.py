"""The reference engine: the same interface, the same answers, nothing global left behind."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

from bolt_core.bench.datasets import from_gp
from bolt_core.common.errors import UnknownNameError
from bolt_core.common.types import EngineConfig
from bolt_core.gp import acquisition, botorch, load
from bolt_core.gp.protocol import FitRequest, Inference, Model
from tests.support.gp_cases import NOW, THETA, dataset
from tests.support.runs import first_passes


def both(data, known, model=None):
    model = model or Model(data.Z.shape[1] - 1)
    return [load(name, model).condition(data, known) for name in ("exact", "botorch")]


@pytest.mark.parametrize("temporal", ["matern32", "none"])
def test_both_engines_find_the_same_optimum(temporal):
    model = Model(2, temporal_kernel=temporal)
    data = from_gp(np.random.default_rng(3), model, 60, 0.4)
    rng = np.random.default_rng(0)
    exact, reference = (
        load(name, model).fit(data, FitRequest(61.0), rng).inference
        for name in ("exact", "botorch")
    )

    assert exact.loss == pytest.approx(reference.loss, abs=1e-3 * 60)
    assert exact.theta.lengthscale_space == pytest.approx(
        reference.theta.lengthscale_space, rel=0.05
    )
    assert reference.failed is None


def test_both_engines_have_the_same_posterior_and_scores():
    known = Inference(THETA, y_mean=5.0, y_sd=3.0, mean=0.3)
    exact, reference = both(dataset(25, 2, weighted=True), known)
    X = np.random.default_rng(1).random((12, 2))

    np.testing.assert_allclose(exact.posterior(X, NOW), reference.posterior(X, NOW), rtol=1e-8)
    np.testing.assert_allclose(exact.leave_one_out(), reference.leave_one_out(), rtol=1e-12)
    np.testing.assert_allclose(exact.removal_scores(NOW), reference.removal_scores(NOW), rtol=1e-12)
    removed = ([row for row, _ in gp.removals(NOW, 3)] for gp in (exact, reference))
    assert next(removed) == next(removed)
    np.testing.assert_allclose(
        exact.without(4).posterior(X, NOW), reference.without(4).posterior(X, NOW), rtol=1e-8
    )


@pytest.mark.parametrize("window", [0.0, 15.0])
def test_both_engines_find_the_same_maximum_of_ucb(window):
    exact, reference = both(dataset(30, 2), Inference(THETA))
    maxima = [
        gp.maximise_ucb(NOW, np.random.default_rng(2), beta=2.0, window=window)
        for gp in (exact, reference)
    ]
    values = [exact.ucb(x, t, 2.0)[0] for x, t in maxima]

    assert values[0] == pytest.approx(values[1], abs=1e-4)


def test_one_generator_gives_one_answer_and_torchs_own_is_left_alone():
    data = dataset(20, 2)

    def run():
        rng = np.random.default_rng(9)
        gp = load("botorch", Model(2)).fit(data, FitRequest(NOW), rng)
        return gp.inference, gp.maximise_ucb(NOW, rng)[0]

    first, x = run()
    torch.rand(7)  # somebody else draws from torch's generator
    state = torch.get_rng_state()
    again, same = run()

    assert first == again
    assert np.array_equal(x, same)
    assert torch.equal(torch.get_rng_state(), state)


def test_a_warm_start_and_a_restart_are_both_tried():
    data = from_gp(np.random.default_rng(3), Model(2), 40, 0.4)
    engine, rng = load("botorch", Model(2)), np.random.default_rng(0)
    warm = engine.fit(data.without(39), FitRequest(40.0), rng).inference
    fitted = engine.fit(data, FitRequest(41.0, warm, restart=1), rng).inference

    assert fitted.restarted
    assert fitted.failed is None


def test_a_failed_fit_keeps_the_last_values_and_says_so(monkeypatch):
    def fail(mll):
        raise botorch.NotPSDError("not this time")

    monkeypatch.setattr(botorch, "fit_gpytorch_mll", fail)
    warm = Inference(THETA, 1.0, 2.0, 0.1)
    rng = np.random.default_rng(0)
    kept = load("botorch", Model(2)).fit(dataset(20, 2), FitRequest(NOW, warm), rng).inference

    assert "not this time" in kept.failed
    assert replace(kept, failed=None) == warm


@pytest.mark.parametrize("n", [0, 3])
def test_little_data_keeps_what_was_known(n):
    warm = Inference(THETA, 1.0, 2.0, 0.1)
    rng = np.random.default_rng(0)
    gp = load("botorch", Model(2)).fit(dataset(n, 2), FitRequest(NOW, warm), rng)
    mu, sigma = gp.posterior(np.full((1, 2), 0.5), NOW)
    x, _ = gp.maximise_ucb(NOW, rng)

    assert gp.inference == warm
    assert np.isfinite([*mu, *sigma, *x]).all()


@pytest.mark.parametrize("engine", ["exact", "botorch"])
@pytest.mark.parametrize("name", ["ei", "logei", "pi"])
def test_improvements_are_maximised_on_either_engine(engine, name):
    gp = load(engine, Model(1)).condition(dataset(12, 1), Inference(THETA, 2.0, 3.0, 0.1))
    x, _ = acquisition.maximise(gp, name, NOW, np.random.default_rng(0))
    grid = np.linspace(0, 1, 2001)[:, None]
    mu, sigma = gp.posterior(np.vstack([x[None], grid]), NOW)
    z = (mu - acquisition.incumbent(gp, NOW)) / sigma
    normal = torch.distributions.Normal(0.0, 1.0)
    cdf = normal.cdf(torch.from_numpy(z)).numpy()
    pdf = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    value = cdf if name == "pi" else sigma * (pdf + z * cdf)

    assert value[0] >= value[1:].max() * (1 - 1e-3)


def test_the_incumbent_is_the_best_mean_now_not_the_best_y():
    gp = load("exact", Model(1)).condition(dataset(12, 1), Inference(THETA))
    old = acquisition.incumbent(gp, NOW + 20 * THETA.lengthscale_time)

    assert old < gp.data.y.max()
    assert old == pytest.approx(0.0, abs=1e-3)  # everything forgotten: the prior's mean


def test_ucb_goes_through_the_closed_form_and_wrong_names_are_refused():
    gp = load("exact", Model(1)).condition(dataset(12, 1), Inference(THETA))
    x, _ = acquisition.maximise(gp, "ucb", NOW, np.random.default_rng(3))

    assert np.array_equal(x, gp.maximise_ucb(NOW, np.random.default_rng(3))[0])
    with pytest.raises(UnknownNameError, match="logei"):
        acquisition.maximise(gp, "log-ei", NOW, np.random.default_rng(3))


def test_the_exact_engine_does_not_import_torch():
    code = (
        "import sys, numpy as np, bolt_core, bolt_core.common.types, bolt_core.gp.acquisition\n"
        "from bolt_core.gp import load\n"
        "from bolt_core.gp.protocol import Data, FitRequest, Model\n"
        "rng = np.random.default_rng(0)\n"
        "data = Data.of(rng.random((8, 2)), np.arange(8.0), rng.random(8))\n"
        "gp = load('exact', Model(2)).fit(data, FitRequest(8.0), rng)\n"
        "gp.maximise_ucb(8.0, rng), gp.removals(8.0)\n"
        "print([m for m in ('torch', 'gpytorch', 'botorch') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "key", ["et-gpucb-fixed-noise", "w-gpucb", "r-gpucb", "abo", "w-dbo", "bolt"]
)
def test_every_kind_of_policy_runs_on_this_engine(key):
    records = first_passes(18, algorithm=key, engine=EngineConfig("botorch"))

    assert len(records) == 18
    assert records[-1].theta is not None
    assert "failed" not in records[-1].notes["inference"]
