r"""The interface of both GP engines: fit hyperparameters, condition on data, predict.

The model is the same in both. With y standardised to (y - y_mean) / y_sd on the current data,

    y_i = m + f(x_i, t_i) + e_i,   f ~ GP(0, lambda k_S k_T),   e_i ~ N(0, sigma_0^2 w_i),

m a constant profiled out of the likelihood (generalised least squares), w_i = 1 unless an
algorithm sets it. `Inference` is everything learned from data: together with the data it rebuilds
a surrogate bit for bit, so no matrix has to be kept between passes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Protocol

import numpy as np

from bolt_core.common.domain import Domain, Region
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import Array, Hyperparameters, Observation
from bolt_core.gp.workspace import Workspace
from bolt_core.theory.kernels import SPATIAL, Covariance, correlation
from bolt_core.theory.wasserstein import BoundScores

MIN_FIT_SIZE = 5  # below it nothing is fitted: the last values are kept
RESTART_EVERY = 7  # passes; two cold starts in turn, so each comes about every 15 passes
BETA = 0.2  # beta = 0.2 d log(2n)


@dataclass(frozen=True, slots=True)
class Model:
    """The model of a surrogate: S = [0, 1]^d, k_S, and k_T ("none": independent of time)."""

    dimension: int
    spatial_kernel: str = "matern52"
    temporal_kernel: str = "matern32"
    ard: bool = False  # one spatial lengthscale per knob
    domain: Domain | None = None  # what can be set; None: all of S

    def __post_init__(self) -> None:
        if correlation(self.spatial_kernel).name not in SPATIAL:
            raise ConfigError("a surrogate needs a spatial kernel, got 'none'")
        correlation(self.temporal_kernel)
        if self.domain is not None and self.domain.dimension != self.dimension:
            raise ConfigError(
                f"the domain has {self.domain.dimension} knobs and the model {self.dimension}"
            )

    @property
    def sees_time(self) -> bool:
        """Whether the surrogate depends on time."""
        return self.temporal_kernel != "none"

    def covariance(self, theta: Hyperparameters, oldest: float = 0.0) -> Covariance:
        """Return lambda k_S k_T with these hyperparameters; `oldest` is t_0 of a Wiener process."""
        k_S, k_T = correlation(self.spatial_kernel), correlation(self.temporal_kernel)
        return Covariance(k_S, k_T, theta, oldest, self.levels)

    @property
    def levels(self) -> Domain | None:
        """The domain, if some coordinate has levels; None if all of S can be set."""
        return None if self.domain is None or self.domain.is_continuous else self.domain


@dataclass(frozen=True, slots=True)
class Data:
    """The observations a surrogate is conditioned on; times in seconds since the run began."""

    Z: Array  # (n, d + 1): x, then t
    y: Array  # (n,), raw units
    weights: Array  # (n,): noise variance of y_i over sigma_0^2

    @staticmethod
    def of(X: Array, t: Array, y: Array, weights: Array | None = None) -> Data:
        """Return checked data from inputs (n, d), times, values and optional weights (n,)."""
        y = np.asarray(y, dtype=float)
        X = np.asarray(X, dtype=float)
        if X.ndim != 2 or len(X) != len(y):
            raise ConfigError(f"X must be ({len(y)}, d), one row for each y; got shape {X.shape}")
        Z = np.column_stack([X, np.asarray(t, dtype=float)])
        w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
        if w.shape != y.shape or not np.all(w > 0):
            raise ConfigError(f"weights must be {len(y)} positive numbers, got shape {w.shape}")
        return Data(Z, y, w)

    @staticmethod
    def from_observations(dataset: Sequence[Observation], dimension: int) -> Data:
        """Return the data of a dataset, with equal weights."""
        X = np.array([o.x for o in dataset]).reshape(-1, dimension)
        return Data.of(X, np.array([o.t for o in dataset]), np.array([o.y for o in dataset]))

    def __len__(self) -> int:
        return len(self.y)

    @property
    def oldest(self) -> float:
        """The time of the oldest observation, seconds; 0 without any."""
        return float(np.min(self.Z[:, -1])) if len(self) else 0.0

    def without(self, i: int) -> Data:
        """Return the data without observation i."""
        rows = (np.delete(part, i, axis=0) for part in (self.Z, self.y, self.weights))
        return Data(*rows)


@dataclass(frozen=True, slots=True)
class Inference:
    """Everything learned from data, JSON-ready; theta and `mean` in standardised units."""

    theta: Hyperparameters
    y_mean: float = 0.0  # raw units
    y_sd: float = 1.0
    mean: float = 0.0  # m
    jitter: float = 0.0  # added to the diagonal, standardised units; 0 almost always
    restarted: bool = False  # a cold start was tried in this pass
    failed: str | None = None  # the reason, if the fit failed and the last values were kept
    evaluations: int = 0  # of the likelihood, in this pass
    loss: float = math.nan  # negative log likelihood reached
    # Of loss / n in the log parameters at theta, row by row, as far as the fit has learned it:
    curvature: tuple[float, ...] | None = None

    @property
    def noise_sd(self) -> float:
        """sigma_0 in raw units."""
        return math.sqrt(self.theta.noise_variance) * self.y_sd

    def to_json(self) -> dict[str, Any]:
        """Return the inference as a JSON-ready dict."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        loss = self.loss if math.isfinite(self.loss) else None
        return {**values, "theta": asdict(self.theta), "loss": loss}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Inference:
        """Return the inference that `to_json` wrote."""
        theta = Hyperparameters.from_json(data["theta"])
        loss = math.nan if data["loss"] is None else data["loss"]
        rows = data.get("curvature")
        curvature = None if rows is None else tuple(rows)
        return Inference(**{**data, "theta": theta, "loss": loss, "curvature": curvature})


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds (low, high) of the hyperparameters, in standardised units and seconds."""

    signal: tuple[float, float] = (math.exp(-5), math.exp(5))
    space: tuple[float, float] = (math.exp(-4), math.exp(3))
    time: tuple[float, float] = (1.0, 60.0)
    noise: tuple[float, float] = (1.234e-4, math.e)

    @staticmethod
    def known(t: Array, now: float) -> Bounds:
        """Return the bounds at time `now`: l_T in [2 mean gaps, max(30 elapsed, 60 s)]."""
        high = max(30.0 * now, 60.0)
        gap = float(np.ptp(t)) / (len(t) - 1) if len(t) > 1 else 0.0
        low = min(max(2.0 * gap, 1e-6 * high), high)
        return Bounds(time=(low, high))

    def clip(self, theta: Hyperparameters) -> Hyperparameters:
        """Return theta moved into the bounds."""

        def into(value: float, box: tuple[float, float]) -> float:
            return min(max(value, box[0]), box[1])

        l_S, l_T = theta.lengthscale_space, theta.lengthscale_time
        per_knob = tuple(into(l_k, self.space) for l_k in theta.per_knob)
        return Hyperparameters(
            into(theta.signal_variance, self.signal),
            per_knob if isinstance(l_S, tuple) else per_knob[0],
            None if l_T is None else into(l_T, self.time),
            into(theta.noise_variance, self.noise),
        )


@dataclass(frozen=True, slots=True)
class FitRequest:
    """How to fit: the time, the last inference, and whether to try a cold start."""

    now: float  # seconds since the run began
    warm: Inference | None = None
    restart: int | None = None  # which cold start to try besides the warm one
    noise_sd: float | None = None  # sigma_0 in y's own unit, if it is known and not to be learned

    def bounds(self, data: Data, y_sd: float) -> Bounds:
        """Return the bounds of this fit, in standardised units."""
        bounds = Bounds.known(data.Z[:, -1], self.now)
        if self.noise_sd is None:
            return bounds
        known = self.noise_sd**2 / y_sd**2
        return replace(bounds, noise=(known, known))


class Surrogate(Protocol):
    """A GP conditioned on data. All methods use raw units of y."""

    @property
    def model(self) -> Model: ...

    @property
    def data(self) -> Data: ...

    @property
    def inference(self) -> Inference: ...

    def posterior(self, X: Array, t: Array | float) -> tuple[Array, Array]:
        """Return mean and standard deviation of f (latent: without the noise), each (m,)."""

    def ucb(self, X: Array, t: Array | float, beta: float) -> Array:
        """Return mean + sqrt(beta) sd, (m,)."""

    def maximise_ucb(
        self,
        t: float,
        rng: np.random.Generator,
        *,
        beta: float | None = None,
        window: float = 0.0,
        region: Region | None = None,
    ) -> tuple[Array, float]:
        """Return the argmax over [0, 1]^d x [t, t + window] of UCB: x (d,) and its time.

        x can be set, and lies in the region if there is one.
        """

    def leave_one_out(self) -> tuple[Array, Array]:
        """Return mean and sd of f at each observed point, without that observation."""

    def without(self, i: int) -> Surrogate:
        """Return the surrogate without observation `i`, with the same inference."""

    def downdates(self, count: int) -> bool:
        """Return whether `without`, `count` times, costs less than conditioning on the rest."""

    def removal_scores(self, now: float) -> Array:
        """Return the integrated W_2 of each observation over S x [now, now + 2 l_T], (n,)."""

    def removals(self, now: float, how_many: int = 1) -> list[tuple[int, float]]:
        """Return the rows to remove, in order, each with its W_2 then (standardised units)."""

    def bound_scores(self, now: float) -> BoundScores:
        """Return the published bound of W-DBO, ready for several removals."""


class Engine(Protocol):
    """Creates surrogates of one model. Each run has its own engine."""

    name: str
    model: Model
    max_downdates: int  # removals that one of its surrogates may carry

    def share(self, workspace: Workspace) -> None:
        """Use the workspace of the calling thread instead of an own one."""

    def fit(self, data: Data, request: FitRequest, rng: np.random.Generator) -> Surrogate:
        """Infer hyperparameters; after a failure the last values are kept, with the reason."""

    def condition(self, data: Data, inference: Inference) -> Surrogate:
        """Return the posterior of `data` under given hyperparameters, without inference."""


def default_beta(dimension: int, n: int) -> float:
    """Return beta of UCB with |D| = n."""
    return BETA * dimension * math.log(2 * max(n, 1))


def scheduled_restart(passes: int) -> int | None:
    """Return which cold start is due in a pass, or None; spread, so that no pass is slow."""
    return passes // RESTART_EVERY % 2 if passes % RESTART_EVERY == 0 else None


def cold_starts(model: Model, elapsed: float) -> tuple[Hyperparameters, ...]:
    """Return two initial guesses, which depend only on the elapsed time in seconds."""
    scale = max(elapsed, 1.0)
    return tuple(
        Hyperparameters(
            1.0,
            (l_S,) * model.dimension if model.ard else l_S,
            share * scale if model.sees_time else None,
            0.05,
        )
        for l_S, share in ((0.5, 0.5), (0.15, 0.15))
    )


def standardisation(y: Array) -> tuple[float, float]:
    """Return mean and population sd of y; sd = 1 if y varies only by rounding."""
    if len(y) == 0:
        return 0.0, 1.0
    mean, sd = float(np.mean(y)), float(np.std(y))
    return mean, sd if sd > 1e-12 * max(1.0, abs(mean)) else 1.0
