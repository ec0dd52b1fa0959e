r"""Maximum likelihood on a log: the model with time, the one without, and l_T held at a value.

    y = m + f(x, t) + e,   f ~ GP(0, lambda k_S k_T),   k_S with one lengthscale per knob

It is the likelihood of the exact engine (`gp/likelihood`), minimised in log parameters over a
wider box than in a run: there l_T stays within 30 times the time observed, here it may be so long
that the model with time becomes the one without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.common.errors import FitError
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.descent import descend
from bolt_core.gp.likelihood import Likelihood, Optimum
from bolt_core.gp.protocol import Bounds, Data, Inference, Model, standardisation
from bolt_core.gp.workspace import Workspace

ITERATIONS = 40
TOLERANCE = 1e-5  # of L / n
CURVATURE = 0.3  # of L / n in the log parameters, before anything is learned
SPATIAL_STARTS = (0.5, 0.15)  # l_S
NOISE_START = 0.1  # of the variance of y


@dataclass(frozen=True, slots=True)
class Point:
    """A minimum of the negative log likelihood, and the curvature learned there."""

    optimum: Optimum
    p: Array  # log parameters
    curvature: Array

    @property
    def loss(self) -> float:
        """The negative log likelihood, nats."""
        return self.optimum.loss


class LogFit:
    """The likelihood of one model on rows of a log, to be minimised from several starts."""

    def __init__(self, model: Model, data: Data, time_bounds: tuple[float, float]) -> None:
        self.model, self.data = model, data
        self.y_mean, self.y_sd = standardisation(data.y)
        y = (data.y - self.y_mean) / self.y_sd
        self._loss = Likelihood(model, data, y, Workspace())
        known = Bounds(time=time_bounds)
        in_time = [known.time] if model.sees_time else []
        boxes = [known.signal, *[known.space] * self._loss.lengthscales, *in_time, known.noise]
        self._low, self._high = np.log(np.array(boxes)).T

    @property
    def parameters(self) -> int:
        """The number of hyperparameters, with the mean."""
        return len(self._low) + 1

    @property
    def evaluations(self) -> int:
        """Evaluations of the likelihood so far."""
        return self._loss.evaluations

    def starts(self, l_T: float | None = None) -> list[Array]:
        """Return initial log parameters, a smooth and a rough one, with this l_T."""
        ard, d = self.model.ard, self.model.dimension
        return [
            self._loss.pack(Hyperparameters(1.0, (l_S,) * d if ard else l_S, l_T, NOISE_START))
            for l_S in SPATIAL_STARTS
        ]

    def best(self, starts: Sequence[Array]) -> Point:
        """Return the lowest minimum that is reached from these starts."""
        return min((self.descend(start) for start in starts), key=lambda point: point.loss)

    def descend(
        self, start: Array, curvature: Array | None = None, *, l_T: float | None = None
    ) -> Point:
        """Return the minimum reached from a start; with `l_T`, the one at this lengthscale."""
        low, high = self._low, self._high
        if l_T is not None:
            low, high = low.copy(), high.copy()
            low[-2] = high[-2] = np.log(l_T)
        n, loss = self._loss.n, self._loss

        def per_datum(p: Array) -> tuple[float, Array]:
            value, gradient = loss(p)
            return value / n, gradient / n

        loss.forget()
        H = np.eye(len(low)) * CURVATURE if curvature is None else curvature
        start = np.minimum(np.maximum(start, low), high)
        end = descend(
            per_datum, start, low, high, curvature=H, iterations=ITERATIONS, tolerance=TOLERANCE
        )
        if loss.lowest is None or not np.isfinite(loss.lowest.loss):
            raise FitError("the likelihood of the log is not finite")
        return Point(loss.lowest, end.x, end.curvature)

    def inference(self, point: Point) -> Inference:
        """Return what was learned, with which an engine can condition on the same rows."""
        optimum = point.optimum
        return Inference(
            theta=optimum.theta,
            y_mean=self.y_mean,
            y_sd=self.y_sd,
            mean=optimum.mean,
            jitter=optimum.jitter,
            evaluations=self.evaluations,
            loss=optimum.loss,
        )
