"""The profile likelihood against brute force with scipy, and the two rivals of the model."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2, multivariate_normal

from bolt_core.gp.protocol import Data, Model
from bolt_core.logs.fitting import LogFit
from bolt_core.logs.level_model import LevelLikelihood, level_loss
from bolt_core.logs.profile import QUANTILE, profile
from tests.support.simulated_logs import SPAN, simulated_log

LIMITS = (10.0, 100.0 * SPAN)


def small(seed=3, n=45, l_T=700.0):
    log = simulated_log(seed, n=n, d=1, l_T=l_T)
    return log, Data.of(log.X, log.times, log.y)


def matern(nu, r):
    s = math.sqrt(2 * nu) * r
    return (1 + s if nu == 1.5 else 1 + s + s * s / 3) * np.exp(-s)


def brute_force(data, l_T):
    """The smallest -log N(y | m, A) over everything but l_T, by differences."""
    y = (data.y - data.y.mean()) / data.y.std()
    x, t = data.Z[:, 0], data.Z[:, 1]
    r_S, r_T = np.abs(np.subtract.outer(x, x)), np.abs(np.subtract.outer(t, t))
    in_time = matern(1.5, r_T / l_T)

    def loss(p):
        lam, l_S, noise = np.exp(p[:3])
        A = lam * matern(2.5, r_S / l_S) * in_time + noise * np.eye(len(y))
        e = y - p[3]
        return 0.5 * (e @ np.linalg.solve(A, e) + np.linalg.slogdet(2 * math.pi * A)[1])

    return minimize(loss, (0.0, math.log(0.4), -2.0, 0.0), method="BFGS").fun


def test_the_profile_is_that_of_brute_force():
    _, data = small()
    fit = LogFit(Model(1, ard=True), data, LIMITS)
    found, interval = profile(fit, *LIMITS, SPAN)
    best = brute_force(data, found.lengthscale)
    assert found.best.loss == pytest.approx(best, abs=2e-3)
    for end in (interval.low, interval.high):
        assert 2 * (brute_force(data, end) - best) == pytest.approx(QUANTILE, abs=0.05)
    for l_T in (0.8 * interval.low, 1.25 * interval.high):
        assert 2 * (brute_force(data, l_T) - best) > QUANTILE
    assert pytest.approx(chi2(1).isf(0.05)) == QUANTILE
    assert all(deviance >= 0 for _, deviance in found.deviances())


def test_without_drift_the_interval_is_open_and_both_models_agree():
    _, data = small(l_T=None)
    fit = LogFit(Model(1, ard=True), data, LIMITS)
    found, interval = profile(fit, *LIMITS, SPAN)
    assert interval.high is None
    assert interval.low is not None
    assert interval.covers(1e12)
    static = LogFit(Model(1, temporal_kernel="none", ard=True), data, LIMITS)
    point = static.best(static.starts())
    assert fit.parameters == static.parameters + 1
    assert found.best.loss <= point.loss + 1e-2
    with_time = fit.descend(found.best.p, l_T=LIMITS[1])
    assert with_time.loss == pytest.approx(point.loss, abs=0.05)


@pytest.mark.parametrize(
    ("kernel", "decay"),
    [("matern12", lambda r: np.exp(-r)), ("matern32", lambda r: matern(1.5, r))],
)
def test_the_drifting_level_has_its_likelihood_and_gradient(kernel, decay):
    log, data = small()
    loss = LevelLikelihood(Model(1, ard=True), data, kernel)
    p = np.log([1.2, 0.3, 0.5, 400.0, 0.1])
    value, gradient = loss(p)
    numeric = [(loss(p + e)[0] - loss(p - e)[0]) / 2e-5 for e in 1e-5 * np.eye(5)]
    assert gradient == pytest.approx(numeric, abs=1e-4)
    y = (log.y - log.y.mean()) / log.y.std()
    r_S = np.abs(np.subtract.outer(log.X[:, 0], log.X[:, 0]))
    r_T = np.abs(np.subtract.outer(log.times, log.times))
    A = 1.2 * matern(2.5, r_S / 0.3) + 0.5 * decay(r_T / 400.0) + 0.1 * np.eye(len(y))
    M = np.linalg.inv(A)
    mean = np.full(len(y), (M @ y).sum() / M.sum())
    assert value == pytest.approx(-multivariate_normal.logpdf(y, mean, A))
    theta = LogFit(Model(1, ard=True), data, LIMITS)
    start = theta.descend(theta.starts(500.0)[0]).optimum.theta
    lowest, parameters = level_loss(Model(1, ard=True), data, start)
    assert lowest < value
    assert parameters == 6
