"""Does a log drift, and how fast: the model with time against the one without."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.stats import chi2

from bolt_core.common import runtime
from bolt_core.common.errors import ConfigError
from bolt_core.gp.protocol import Data, Model
from bolt_core.logs.confounding import confounded_knobs
from bolt_core.logs.fitting import LogFit, Point
from bolt_core.logs.level_model import level_loss
from bolt_core.logs.log import Log
from bolt_core.logs.profile import Profile, profile
from bolt_core.logs.thinning import MAX_ROWS, thinned
from bolt_core.logs.verdict import Drift, Interval, Reason, Rows, Verdict
from bolt_core.logs.words import verdict_texts
from bolt_core.theory.kernels import TEMPORAL, age_at

SPATIAL_KERNEL = "matern52"
TEMPORAL_KERNEL = "matern32"
MIN_ROWS = 30
MIN_ROWS_PER_PARAMETER = 8
# Of the evidence, at the level 1 %. Without drift, 1 / l_T = 0 is at the edge of its range, so the
# evidence is 0 in half of all logs and chi^2 with one degree of freedom in the others: 5.41. The
# 99 % quantile over 400 simulated static logs is 5.32 (tools/log_validation, group calibration).
THRESHOLD = float(chi2.isf(0.02, 1))
STRONG_BIC = 6.0  # by which the model of a drifting level must be worse (Kass and Raftery 1995)
LEVEL_ROWS = 300  # that the drifting level is fitted to
SHORTEST, LONGEST = 0.25, 100.0  # l_T: of the usual gap, and of the span
WEAK_SIGNAL = 0.1  # share of the variance that is not noise


def analyse(
    log: Log, *, temporal_kernel: str = TEMPORAL_KERNEL, max_rows: int = MAX_ROWS
) -> Verdict:
    """Return whether the log drifts and how fast; `temporal_kernel` says what l_T means.

    Of a longer log, `max_rows` rows are used.
    """
    if temporal_kernel not in TEMPORAL or temporal_kernel == "none":
        raise ConfigError(
            f"the temporal kernel must be one of {', '.join(TEMPORAL[:-1])}; got "
            f"{temporal_kernel!r}"
        )
    runtime.configure()
    dimension = len(log.spec.knobs)
    model = Model(dimension, SPATIAL_KERNEL, temporal_kernel, True, log.spec.domain)
    rows = thinned(len(log), max_rows)
    needed = max(MIN_ROWS, MIN_ROWS_PER_PARAMETER * (dimension + 4))
    confounded: tuple[str, ...] = ()
    if len(log) < needed:
        verdict = _without_fit(log, model)
    else:
        data = Data.of(log.X[rows], log.times[rows], log.y[rows])
        numbers = confounded_knobs(log.X[rows], log.times[rows], model.levels)
        confounded = tuple(list(log.spec.knobs)[k] for k in numbers)
        verdict = _fitted(log, model, data, rows, bool(confounded))
    return replace(verdict, texts=verdict_texts(verdict, log.span, needed, confounded))


def _without_fit(log: Log, model: Model) -> Verdict:
    return Verdict(
        drift=Drift.UNKNOWN,
        reason=Reason.FEW_ROWS,
        lengthscale=None,
        interval=None,
        evidence=0.0,
        threshold=THRESHOLD,
        bic=0.0,
        level_evidence=None,
        spatial_kernel=model.spatial_kernel,
        temporal_kernel=model.temporal_kernel,
        inference=None,
        rows=np.arange(0, dtype=np.intp),
        total=len(log),
    )


def _fitted(log: Log, model: Model, data: Data, rows: Rows, confounded: bool) -> Verdict:
    t = data.Z[:, -1]
    span = float(np.ptp(t))
    gaps = np.diff(t)
    shortest = SHORTEST * float(np.median(gaps[gaps > 0]))
    bounds = min(shortest, 1e-2 * span), LONGEST * span
    fit = LogFit(model, data, bounds)
    found, interval = profile(fit, *bounds, span)
    static_fit = LogFit(replace(model, temporal_kernel="none"), data, bounds)
    static = static_fit.best([*static_fit.starts(), np.delete(found.best.p, -2)])
    evidence = 2.0 * max(static.loss - found.best.loss, 0.0)
    fewer = fit.parameters - static_fit.parameters
    verdict = Verdict(
        drift=Drift.UNKNOWN,
        reason=Reason.SHORT,
        lengthscale=found.lengthscale,
        interval=interval,
        evidence=evidence,
        threshold=THRESHOLD,
        bic=evidence - fewer * math.log(len(data)),
        level_evidence=None,
        spatial_kernel=model.spatial_kernel,
        temporal_kernel=model.temporal_kernel,
        inference=fit.inference(found.best),
        rows=rows,
        total=len(log),
        half_life=found.lengthscale * age_at(model.temporal_kernel, 0.5),
        profile=found.deviances(),
    )
    if confounded:
        return replace(verdict, reason=Reason.CONFOUNDED)
    return _decided(verdict, model, data, found, static)


def _decided(verdict: Verdict, model: Model, data: Data, found: Profile, static: Point) -> Verdict:
    if verdict.evidence >= THRESHOLD:
        against = _level_evidence(model, data, found, static)
        if against > -STRONG_BIC:
            return replace(verdict, reason=Reason.LEVEL, level_evidence=against)
        return replace(verdict, drift=Drift.YES, reason=Reason.EVIDENCE, level_evidence=against)
    theta = static.optimum.theta
    if theta.signal_variance < WEAK_SIGNAL * (theta.signal_variance + theta.noise_variance):
        return replace(verdict, reason=Reason.NO_STRUCTURE)
    if _excludes(verdict.interval, float(np.ptp(data.Z[:, -1]))):
        return replace(verdict, drift=Drift.NO, reason=Reason.STEADY)
    return verdict


def _excludes(interval: Interval | None, span: float) -> bool:
    """Whether all l_T up to the span of the log are outside the interval."""
    return interval is not None and interval.low is not None and interval.low >= span


def _level_evidence(model: Model, data: Data, found: Profile, static: Point) -> float:
    """Return how much better a drifting level is than the model with time, by BIC."""
    kept = thinned(len(data), LEVEL_ROWS)
    part = Data(data.Z[kept], data.y[kept], data.weights[kept])
    l_T = found.lengthscale
    fit = LogFit(model, part, (1e-3 * l_T, 1e3 * l_T))
    drifting = fit.descend(found.best.p)
    loss, parameters = level_loss(model, part, static.optimum.theta)
    more = parameters - fit.parameters
    return 2.0 * (drifting.loss - loss) - more * math.log(len(part))
