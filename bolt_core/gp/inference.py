r"""Type-II maximum likelihood: bounded L-BFGS in log parameters, with warm and cold starts.

    theta = argmin L(theta)  over the box of `Bounds`

A pass starts from the last theta. Every few passes one cold start is tried as well, because warm
starts alone remain in bad optima; it is taken if it is better by more than 1e-3. Nothing is fitted
with fewer than five observations, and a fit that fails keeps the last values and the reason.
"""

from dataclasses import replace

import numpy as np
from scipy.optimize import minimize

from bolt_core.common.errors import FitError
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.ard_likelihood import ArdLikelihood
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

WARM_ITERATIONS, COLD_ITERATIONS = 15, 25  # of L-BFGS
MIN_GAIN_NATS = 1e-3  # of a cold start over the warm one
# L-BFGS minimises L / n and stops when a step gains less than this share of max(|L / n|, 1).
TOLERANCE = 1e-5


def infer(model: Model, data: Data, request: FitRequest, workspace: Workspace) -> Inference:
    """Return the hyperparameters inferred from `data` at `request.now`."""
    if len(data) < MIN_FIT_SIZE:
        return without_fit(model, data, request)
    y_mean, y_sd = standardisation(data.y)
    kind = ArdLikelihood if model.ard else Likelihood
    loss = kind(model, data, (data.y - y_mean) / y_sd, workspace)
    bounds = request.bounds(data, y_sd)
    try:
        best = _search(loss, bounds, request, cold_starts(model, request.now))
    except FitError as error:
        kept = without_fit(model, data, request)
        return replace(kept, failed=str(error), evaluations=loss.evaluations)
    return Inference(
        theta=bounds.clip(best.theta),  # exp(log(bound)) may miss it by one rounding
        y_mean=y_mean,
        y_sd=y_sd,
        mean=best.mean,
        jitter=best.jitter,
        restarted=request.restart is not None or request.warm is None,
        evaluations=loss.evaluations,
        loss=best.loss,
    )


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
) -> Optimum:
    warm = request.warm
    if warm is None:
        starts = [(theta, COLD_ITERATIONS) for theta in cold]
    else:
        starts = [(warm.theta, WARM_ITERATIONS)]
        if request.restart is not None:
            starts.append((cold[request.restart % len(cold)], COLD_ITERATIONS))
    best, *others = (_descend(loss, bounds, *start) for start in starts)
    for other in others:
        if other.loss < best.loss - MIN_GAIN_NATS:
            best = other
    return best


def _descend(loss: Likelihood, bounds: Bounds, theta: Hyperparameters, iterations: int) -> Optimum:
    low, high = (_corner(bounds, side, loss) for side in (0, 1))

    def per_datum(p: Array) -> tuple[float, Array]:
        value, gradient = loss(p)
        return value / loss.n, gradient / loss.n

    loss.forget()
    minimize(
        per_datum,
        np.clip(loss.pack(bounds.clip(theta)), low, high),
        jac=True,
        method="L-BFGS-B",
        bounds=np.column_stack([low, high]),
        options={"maxiter": iterations, "ftol": TOLERANCE, "gtol": 1e-5},
    )
    if loss.lowest is None or not np.isfinite(loss.lowest.loss):
        raise FitError(f"the likelihood is not finite near {theta}")
    return loss.lowest


def _corner(bounds: Bounds, side: int, loss: Likelihood) -> Array:
    in_time = [bounds.time] if loss.sees_time else []
    boxes = [bounds.signal, *[bounds.space] * loss.lengthscales, *in_time, bounds.noise]
    return np.log([box[side] for box in boxes])
