"""The exact engine: a GP on numpy and LAPACK, without autograd, global state or lock.

One run owns one `ExactEngine`; its buffers are reused in every pass. Surrogates own their arrays,
so an older one stays valid. Two engines may work in two threads at once, unless they share a
`Workspace`: that belongs to one thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bolt_core.common.domain import Region
from bolt_core.common.types import Array
from bolt_core.gp.inference import infer
from bolt_core.gp.posterior import Posterior, condition, from_factor
from bolt_core.gp.protocol import Data, FitRequest, Inference, Model, default_beta
from bolt_core.gp.settable_maximum import maximise_settable
from bolt_core.gp.settable_search import SettableSearch
from bolt_core.gp.ucb import Search
from bolt_core.gp.ucb_search import maximise, prepare
from bolt_core.gp.workspace import Workspace
from bolt_core.theory import wasserstein
from bolt_core.theory.kernels import Covariance

MAX_DOWNDATES = 3  # removals that a surrogate carries


@dataclass(frozen=True, slots=True)
class ExactSurrogate:
    """A GP conditioned on data; see `protocol.Surrogate`. All methods use raw units of y."""

    model: Model
    data: Data
    inference: Inference
    state: Posterior  # standardised units

    def posterior(self, X: Array, t: Array | float) -> tuple[Array, Array]:
        mu, sigma = self.state.predict(as_points(X, t))
        return self.inference.y_mean + self.inference.y_sd * mu, self.inference.y_sd * sigma

    def ucb(self, X: Array, t: Array | float, beta: float) -> Array:
        mu, sigma = self.posterior(X, t)
        return np.asarray(mu + beta**0.5 * sigma)

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
        search = Search(self.state.at(t), chosen, t, window)
        if region is None and self.model.levels is None and not self.model.ard:
            best, _ = maximise(search, rng)
        else:
            best, _ = maximise_settable(SettableSearch(search, self.model.levels, region), rng)
        return best[:-1], float(best[-1])

    def leave_one_out(self) -> tuple[Array, Array]:
        mu, total = self.state.leave_one_out()
        noise = self.inference.theta.noise_variance * self.data.weights + self.state.jitter
        sigma = np.sqrt(np.maximum(total - noise, 0.0))
        return self.inference.y_mean + self.inference.y_sd * mu, self.inference.y_sd * sigma

    def without(self, i: int) -> ExactSurrogate:
        return replace(self, data=self.data.without(i), state=self.state.without(i))

    def downdates(self, count: int) -> bool:
        # The origin of a Wiener process is the oldest observation: it may move.
        return self.state.k.stationary and len(self.state.removed) + count <= MAX_DOWNDATES

    def removal_scores(self, now: float) -> Array:
        k, Z, root, a = self._rooted()
        return wasserstein.removal_scores(k, Z, root, a, now)

    def removals(self, now: float, how_many: int = 1) -> list[tuple[int, float]]:
        k, Z, root, a = self._rooted()
        return wasserstein.removals(k, Z, root, a, now, how_many)

    def bound_scores(self, now: float) -> wasserstein.BoundScores:
        return wasserstein.BoundScores(*self.formula(), now)

    def formula(self) -> tuple[Covariance, Array, Array, Array]:
        """Return k, Z, M and a, the arguments of the scores in `theory.wasserstein`."""
        state = self.state.compact()
        return state.k, state.Z, state.inverse(), state.a

    def _rooted(self) -> tuple[Covariance, Array, wasserstein.Root, Array]:
        state = self.state.compact()
        return state.k, state.Z, wasserstein.Root(state.root, state.triangular), state.a


class ExactEngine:
    """Fits and conditions `ExactSurrogate`s of one model."""

    name = "exact"
    max_downdates = MAX_DOWNDATES

    def __init__(self, model: Model) -> None:
        self.model = model
        self._workspace = Workspace()
        wasserstein.prepare(model.dimension)
        prepare(model.dimension)

    def share(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def fit(self, data: Data, request: FitRequest, rng: np.random.Generator) -> ExactSurrogate:
        del rng  # both cold starts are fixed: inference is a function of the data
        inference, factor = infer(self.model, data, request, self._workspace)
        if factor is None:
            return self.condition(data, inference)
        k = self.model.covariance(inference.theta, data.oldest)
        state = from_factor(k, data, inference, factor, inference.jitter)
        return ExactSurrogate(self.model, data, inference, state)

    def condition(self, data: Data, inference: Inference) -> ExactSurrogate:
        k = self.model.covariance(inference.theta, data.oldest)
        state = condition(k, data, inference, self._workspace)
        return ExactSurrogate(self.model, data, replace(inference, jitter=state.jitter), state)


def as_points(X: Array, t: Array | float) -> Array:
    """Return (s, d) inputs and one or s times as points (s, d + 1)."""
    X = np.atleast_2d(np.asarray(X, dtype=float))
    times = np.broadcast_to(np.asarray(t, dtype=float), (len(X),))
    return np.column_stack([X, times])
