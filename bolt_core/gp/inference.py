r"""Type-II maximum likelihood: bounded BFGS in log parameters, with warm and cold starts.

    theta = argmin L(theta)  over the box of `Bounds`

A pass starts from the last theta and the curvature learned there, so that most fits make one or two
steps. Every few passes one cold start is tried as well, because warm
starts alone remain in bad optima; it is taken if it is better by more than 1e-3. Nothing is fitted
with fewer than five observations, and a fit that fails keeps the last values and the reason.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from bolt_core.common.errors import FitError
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.descent import descend
from bolt_core.gp.likelihood import Likelihood, Optimum
from bolt_core.gp.protocol import (
    MIN_FIT_SIZE,
    Bounds,
    Data,
    FitRequest,
    Inference,
    Model,
    cold_starts,
    standardisation,
)
from bolt_core.gp.workspace import Workspace

WARM_ITERATIONS, COLD_ITERATIONS = 15, 25  # steps
MIN_GAIN_NATS = 1e-3  # of a cold start over the warm one
# A descent minimises L / n and stops where less than this is to be gained. What a cold start leaves
# over, the warm start of the next pass gains.
TOLERANCE, COLD_TOLERANCE = 1e-5, 1e-4
# Of L / n in the log parameters, where nothing is known: typical of surrogates met in runs.
PRIOR_CURVATURE = {"signal": 0.3, "space": 1.0, "time": 0.3, "noise": 0.2}


class Fit(NamedTuple):
    """What a fit has learned, and the packed Cholesky factor of K there, if it is known."""

    inference: Inference
    factor: Array | None = None


def infer(model: Model, data: Data, request: FitRequest, workspace: Workspace) -> Fit:
    """Return the hyperparameters inferred from `data` at `request.now`."""
    if len(data) < MIN_FIT_SIZE:
        return Fit(without_fit(model, data, request))
    y_mean, y_sd = standardisation(data.y)
    loss = Likelihood(model, data, (data.y - y_mean) / y_sd, workspace)
    bounds = request.bounds(data, y_sd)
    try:
        best, curvature = _search(loss, bounds, request, cold_starts(model, request.now))
    except FitError as error:
        kept = without_fit(model, data, request)
        return Fit(replace(kept, failed=str(error), evaluations=loss.evaluations))
    theta = bounds.clip(best.theta)  # exp(log(bound)) may miss it by one rounding
    inference = Inference(
        theta=theta,
        y_mean=y_mean,
        y_sd=y_sd,
        mean=best.mean,
        jitter=best.jitter,
        restarted=request.restart is not None or request.warm is None,
        evaluations=loss.evaluations,
        loss=best.loss,
        curvature=tuple(curvature.ravel().tolist()),
    )
    return Fit(inference, best.factor if theta == best.theta else None)


def without_fit(model: Model, data: Data, request: FitRequest) -> Inference:
    """Return the last values, with the flags of the pass reset.

    Before the first fit they are the first cold start and the scale of y.
    """
    if request.warm is not None:
        return replace(request.warm, restarted=False, failed=None, evaluations=0)
    y_mean, y_sd = standardisation(data.y)
    guess = request.bounds(data, y_sd).clip(cold_starts(model, request.now)[0])
    return Inference(guess, y_mean, y_sd)


def _search(
    loss: Likelihood, bounds: Bounds, request: FitRequest, cold: tuple[Hyperparameters, ...]
) -> tuple[Optimum, Array]:
    """Return the best optimum and the curvature there."""
    low, high = (_corner(bounds, side, loss) for side in (0, 1))
    prior = _prior_curvature(loss)

    def per_datum(p: Array) -> tuple[float, Array]:
        value, gradient = loss(p)
        return value / loss.n, gradient / loss.n

    def reached(
        theta: Hyperparameters, curvature: Array, iterations: int, tolerance: float
    ) -> tuple[Optimum, Array]:
        loss.forget()
        start = np.minimum(np.maximum(loss.pack(bounds.clip(theta)), low), high)
        limits: Any = {"iterations": iterations, "tolerance": tolerance}
        end = descend(per_datum, start, low, high, curvature=curvature, **limits)
        if loss.lowest is None or not np.isfinite(loss.lowest.loss):
            raise FitError(f"the likelihood is not finite near {theta}")
        return loss.lowest, end.curvature

    warm = request.warm
    if warm is None:
        best, *others = (reached(theta, prior, COLD_ITERATIONS, TOLERANCE) for theta in cold)
    else:
        known = _learned_curvature(warm, prior)
        best, others = reached(warm.theta, known, WARM_ITERATIONS, TOLERANCE), []
        if request.restart is not None:
            theta = cold[request.restart % len(cold)]
            others.append(reached(theta, prior, COLD_ITERATIONS, COLD_TOLERANCE))
    for other in others:
        if other[0].loss < best[0].loss - MIN_GAIN_NATS:
            best = other
    return best


def _learned_curvature(warm: Inference, prior: Array) -> Array:
    """Return the curvature of the last fit; the prior one if it has none or that is not convex."""
    learned = np.array(warm.curvature or (), dtype=float)
    if learned.size != prior.size or not np.isfinite(learned).all():
        return prior
    H = learned.reshape(prior.shape)
    H = 0.5 * (H + H.T)
    return H if np.linalg.eigvalsh(H)[0] > 0.0 else prior


def _prior_curvature(loss: Likelihood) -> Array:
    """Return the first curvature: that in space is shared out among several lengthscales."""
    typical, d = PRIOR_CURVATURE, loss.lengthscales
    in_time = [typical["time"]] if loss.sees_time else []
    in_space = [typical["space"] / d] * d
    return np.diag([typical["signal"], *in_space, *in_time, typical["noise"]])


def _corner(bounds: Bounds, side: int, loss: Likelihood) -> Array:
    in_time = [bounds.time] if loss.sees_time else []
    boxes = [bounds.signal, *[bounds.space] * loss.lengthscales, *in_time, bounds.noise]
    return np.log([box[side] for box in boxes])
