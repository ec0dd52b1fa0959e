r"""The likelihood with one spatial lengthscale per knob (ARD), and its gradient.

    r^2 = sum_k D_k / l_k^2,    D_k = (x_k - x'_k)^2, or [c != c'] for a choice
    dA / d log l_k = lambda k_T S_S(r) e^(-E_S) D_k / l_k^2

All d derivatives share W = (M - aa') o (lambda k_T S_S e^(-E_S)): with the D_k packed as rows of
one matrix, they are one matrix-vector product, D W. An evaluation makes no n x n temporary.
"""

import numpy as np

from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.likelihood import Likelihood, packed
from bolt_core.gp.protocol import Data, Model
from bolt_core.gp.workspace import Workspace
from bolt_core.theory.choice_distance import squared_differences
from bolt_core.theory.kernels import CHUNK


class ArdLikelihood(Likelihood):
    """L and its gradient in log parameters (lambda, l_1, ..., l_d, [l_T,] sigma_0^2)."""

    def __init__(self, model: Model, data: Data, y: Array, workspace: Workspace) -> None:
        self._squared = np.empty((model.dimension, len(data) * (len(data) + 1) // 2))
        super().__init__(model, data, y, workspace)
        self.lengthscales = model.dimension

    def _measure(self, model: Model, X: Array) -> None:
        for k, row in enumerate(self._squared):
            row[:] = packed(squared_differences(X, k, model.levels))

    def pack(self, theta: Hyperparameters) -> Array:
        values = [theta.signal_variance, *theta.per_knob]
        if self.sees_time:
            values.append(theta.lengthscale_time or 1.0)
        return np.log([*values, theta.noise_variance])

    def unpack(self, p: Array) -> Hyperparameters:
        lam, *scales, noise = (float(v) for v in np.exp(p))
        l_T = scales.pop() if self.sees_time else None
        return Hyperparameters(lam, tuple(scales), l_T, noise)

    def _fill(self, theta: Hyperparameters) -> None:
        """Compute lambda k_S k_T, lambda k_T S_S e^(-E_S) and the derivative in log l_T."""
        k_S, k_T = self._spatial, self._temporal
        squared_rates = (k_S.rate / np.array(theta.per_knob)) ** 2
        per_time = k_T.rate / (theta.lengthscale_time or 1.0)
        E_T, P_T, Q_T = k_T.parts(np.zeros(1))  # without time: no effect
        for start in range(0, len(self._matrix), CHUNK):
            c = slice(start, start + CHUNK)
            s = squared_rates @ self._squared[:, c]
            np.sqrt(s, out=s)
            if self.sees_time:
                E_T, P_T, Q_T = k_T.parts(self._d_T[c] * per_time)
            e = np.exp(-(E_T if k_S.exponent is None else k_S.exponent(s) + E_T))
            e = e * theta.signal_variance
            shared = e if k_S.factor is None else e * k_S.factor(s)
            np.multiply(shared, P_T, out=self._matrix[c])
            if self.sees_time:
                np.multiply(shared, Q_T, out=self._by_time[c])
            np.multiply(e * P_T, k_S.slope(s), out=self._by_space[c])
        if self._wiener:
            self._by_time[self._diagonal] *= 0.5

    def _by_lengthscales(self, R: Array, theta: Hyperparameters) -> list[float]:
        self._by_space *= R
        by_knob = (self._squared @ self._by_space) / np.array(theta.per_knob) ** 2
        return [float(derivative) for derivative in by_knob]
