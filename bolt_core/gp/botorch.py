"""The reference engine: SingleTaskGP, fit_gpytorch_mll, optimize_acqf, as the paper's authors used.

BoTorch and GPyTorch are not thread-safe (settings in class attributes, process-wide warning
recorders, one global generator), so every call into them in this package is made under LOCK.
Randomness comes from the run's generator: torch is seeded from it inside `fork_rng`, under the
lock. Leave-one-out and W_2 come from the shared numpy formulas at BoTorch's hyperparameters.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar

import numpy as np
import torch
from botorch import fit_gpytorch_mll
from botorch.acquisition.acquisition import AcquisitionFunction
from botorch.acquisition.analytic import UpperConfidenceBound
from botorch.exceptions.errors import BotorchError
from botorch.models import SingleTaskGP
from botorch.optim.optimize import optimize_acqf
from gpytorch.mlls import ExactMarginalLogLikelihood
from linear_operator.utils.errors import NanError, NotPSDError

from bolt_core.common.domain import Region, project, uniform_in
from bolt_core.common.types import Array
from bolt_core.gp import botorch_model as models
from bolt_core.gp.exact import ExactSurrogate, as_points
from bolt_core.gp.inference import MIN_GAIN_NATS, without_fit
from bolt_core.gp.posterior import condition
from bolt_core.gp.protocol import (
    MIN_FIT_SIZE,
    Data,
    FitRequest,
    Inference,
    Model,
    cold_starts,
    default_beta,
    standardisation,
)
from bolt_core.gp.workspace import Workspace
from bolt_core.theory import wasserstein

LOCK = threading.RLock()  # of the process: held during every call into BoTorch or GPyTorch
RESTARTS, RAW_SAMPLES = 20, 512
Made = TypeVar("Made")


def locked(method: Callable[..., Made]) -> Callable[..., Made]:
    """Run a method under LOCK."""

    @wraps(method)
    def alone(*args: Any, **kwargs: Any) -> Made:  # noqa: ANN401
        with LOCK:
            return method(*args, **kwargs)

    return alone


@contextmanager
def seeded(rng: np.random.Generator) -> Iterator[int]:
    """Seed the global generator of torch from the run's, under LOCK, and restore it afterwards."""
    seed = int(rng.integers(2**31))
    with LOCK, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield seed


@dataclass(frozen=True, slots=True)
class BotorchSurrogate(ExactSurrogate):
    """A SingleTaskGP in standardised units of y; leave-one-out and W_2 as in the exact engine."""

    gp: SingleTaskGP | None  # None: no data, the prior

    @locked
    def posterior(self, X: Array, t: Array | float) -> tuple[Array, Array]:
        if self.gp is None:
            return ExactSurrogate.posterior(self, X, t)
        with torch.no_grad():
            posterior = self.gp.posterior(models.tensor(as_points(X, t)))
            mu, variance = posterior.mean[:, 0].numpy(), posterior.variance[:, 0].numpy()
        y_mean, y_sd = self.inference.y_mean, self.inference.y_sd
        return y_mean + y_sd * mu, y_sd * np.sqrt(variance)

    def maximise_ucb(
        self,
        t: float,
        rng: np.random.Generator,
        *,
        beta: float | None = None,
        window: float = 0.0,
        region: Region | None = None,
    ) -> tuple[Array, float]:
        chosen = default_beta(self.model.dimension, len(self.data)) if beta is None else beta
        if self.gp is None:
            x = rng.random(self.model.dimension)
            return uniform_in(x, self.model.levels, region), t
        with seeded(rng):
            acquisition = UpperConfidenceBound(self.gp, beta=chosen)
            return maximise(acquisition, self.model, t, window, region)

    def without(self, i: int) -> BotorchSurrogate:
        return conditioned(self.model, self.data.without(i), self.inference)

    def downdates(self, count: int) -> bool:
        return count == 0


class BotorchEngine:
    """Fits and conditions `BotorchSurrogate`s of one model."""

    name = "botorch"
    max_downdates = 0

    def __init__(self, model: Model) -> None:
        models.refuse_choices(model)
        self.model = model
        wasserstein.prepare(model.dimension)

    def share(self, workspace: Workspace) -> None:
        """Do nothing: PyTorch manages its own memory."""

    def fit(self, data: Data, request: FitRequest, rng: np.random.Generator) -> BotorchSurrogate:
        inference = without_fit(self.model, data, request)
        if len(data) >= MIN_FIT_SIZE:
            try:
                with seeded(rng):
                    inference = _search(self.model, data, request)
            except (BotorchError, NanError, NotPSDError) as error:
                inference = replace(inference, failed=f"{type(error).__name__}: {error}")
        return self.condition(data, inference)

    def condition(self, data: Data, inference: Inference) -> BotorchSurrogate:
        return conditioned(self.model, data, inference)


@locked
def conditioned(model: Model, data: Data, inference: Inference) -> BotorchSurrogate:
    """Return the surrogate of `data` under given hyperparameters."""
    state = condition(model.covariance(inference.theta, data.oldest), data, inference)
    gp = None
    if len(data) > 0:
        gp = models.build(model, data, models.standardised(data, inference)).eval()
    return BotorchSurrogate(model, data, inference, state, gp)


@locked
def to_botorch(surrogate: ExactSurrogate) -> SingleTaskGP:
    """Return a BoTorch model with the same posterior, in raw units, over points (x, seconds)."""
    data, inference = surrogate.data, surrogate.inference
    return models.build(surrogate.model, data, models.raw(data, inference)).eval()


@locked
def maximise(
    acquisition: AcquisitionFunction,
    model: Model,
    t: float,
    window: float = 0.0,
    region: Region | None = None,
) -> tuple[Array, float]:
    """Return the argmax over [0, 1]^d x [t, t + window] by optimize_acqf; call inside `seeded`.

    Integers are optimized as real numbers, and the results are snapped before they are compared.
    """
    d, domain = model.dimension, model.levels
    low, high = np.zeros(d + 1), np.ones(d + 1)
    if region is not None:
        low[:d], high[:d] = region.low, region.high
    low[d], high[d] = t, t + window

    def snap(points: torch.Tensor) -> torch.Tensor:
        Z = points.detach().numpy().copy()
        Z[..., :d] = project(Z[..., :d], domain, region)
        return models.tensor(Z)

    x, _ = optimize_acqf(
        acquisition,
        bounds=models.tensor(np.stack([low, high])),
        q=1,
        num_restarts=RESTARTS,
        raw_samples=RAW_SAMPLES,
        fixed_features={d: t} if window <= 0 else None,
        post_processing_func=None if domain is None else snap,
    )
    best = x[0].detach().numpy()
    return project(np.clip(best[:d], 0.0, 1.0), domain, region), float(best[d])


def _search(model: Model, data: Data, request: FitRequest) -> Inference:
    """Fit new models from the warm start, a cold start, or both; return the best inference."""
    y_mean, y_sd = standardisation(data.y)
    bounds = request.bounds(data, y_sd)
    cold = cold_starts(model, request.now)
    starts = [cold[0]] if request.warm is None else [request.warm.theta]
    if request.warm is not None and request.restart is not None:
        starts.append(cold[request.restart % len(cold)])
    found = []
    for start in starts:
        targets = models.Targets((data.y - y_mean) / y_sd, bounds.clip(start), 0.0)
        gp = models.build(model, data, targets, bounds)
        loss = fit(gp)
        theta, mean = models.learned(gp, model)
        found.append(Inference(bounds.clip(theta), y_mean, y_sd, mean, loss=loss))
    best = found[-1] if found[-1].loss < found[0].loss - MIN_GAIN_NATS else found[0]
    return replace(best, restarted=len(starts) > 1 or request.warm is None)


@locked
def fit(gp: SingleTaskGP) -> float:
    """Run fit_gpytorch_mll once, in place; return the negative log likelihood reached."""
    mll = ExactMarginalLogLikelihood(gp.likelihood, gp)
    fit_gpytorch_mll(mll)
    gp.train()
    with torch.no_grad():
        loss = -mll(gp(*gp.train_inputs), gp.train_targets).item() * len(gp.train_targets)
    gp.eval()
    return float(loss)
