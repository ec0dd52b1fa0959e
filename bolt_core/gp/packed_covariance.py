r"""The covariance matrix of the observations for any theta, in packed format, and its factor.

    A = lambda k_S k_T + sigma_0^2 diag(w) + jitter I = L L'

Distances are computed once and used for every theta. Elementwise work goes in chunks that stay in
the L2 cache and below malloc's mmap threshold: a temporary of n x n is a fresh mapping, zeroed page
by page. The likelihood and the posterior take their factors from here, so a surrogate conditioned
again on the same data has the same bits.
"""

import numpy as np
from scipy.linalg import lapack

from bolt_core.common.domain import Domain
from bolt_core.common.errors import FitError
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.packed import packed, packed_diagonal
from bolt_core.gp.protocol import Data
from bolt_core.gp.workspace import Workspace
from bolt_core.theory.choice_distance import apart, squared_differences
from bolt_core.theory.kernels import CHUNK, WIENER, Correlation

JITTERS = (0.0, *(10.0**power for power in range(-10, -4)))  # of lambda + sigma_0^2; bounded


class PackedCovariance:
    """A and its derivatives on one dataset, with one lengthscale in space."""

    def __init__(
        self,
        kernels: tuple[Correlation, Correlation],  # k_S, k_T
        levels: Domain | None,
        data: Data,
        workspace: Workspace,
    ) -> None:
        n = len(data)
        self.n, self.weights = n, data.weights
        self.spatial, self.temporal = kernels
        self.sees_time = self.temporal.name != "none"
        self.diagonal = packed_diagonal(n)
        self.jitter = 0.0  # what the diagonal needed, of the last factor
        rows = workspace.rows(n * (n + 1) // 2)
        self.matrix, self.by_space, self.by_time, self._d_S, self._d_T = rows
        self._measure(data.Z[:, :-1], levels)
        self._wiener = self.temporal is WIENER
        t = data.Z[:, -1]
        self._age_of_process = t - data.oldest  # at each observation
        if self._wiener:
            self._d_T[:] = packed(np.minimum.outer(t, t) - data.oldest)
        elif self.sees_time:
            self._d_T[:] = packed(np.abs(np.subtract.outer(t, t)))

    def factorise(self, theta: Hyperparameters, *, derivatives: bool = False) -> Array:
        """Return the packed L at theta, with the smallest jitter that works, and set `jitter`.

        L is in a buffer that the next call overwrites. With `derivatives`, `by_space` and
        `by_time` are computed, too. FitError if no jitter is enough.
        """
        scale = theta.signal_variance + theta.noise_variance
        for share in JITTERS:
            self.jitter = share * scale
            self._fill(theta, derivatives)
            on_diagonal = theta.noise_variance * self.weights + self.jitter
            self.matrix[self.diagonal] = self._prior(theta) + on_diagonal
            factor, info = lapack.dpftrf(self.n, self.matrix, uplo="L", overwrite_a=1)
            if info == 0 and np.isfinite(factor[self.diagonal]).all():
                return np.asarray(factor)
        raise FitError(f"no Cholesky factor of K within a jitter of {JITTERS[-1]:g} at {theta}")

    def by_lengthscales(self, R: Array, theta: Hyperparameters) -> list[float]:
        """Return sum_ij R_ij (dA / d log l)_ij / 2 of each spatial lengthscale, here one."""
        del theta
        return [float(R @ self.by_space)]

    def _prior(self, theta: Hyperparameters) -> Array | float:
        """Return the prior variance at the observations."""
        lam = theta.signal_variance
        if not self._wiener:
            return lam
        return np.asarray(lam + lam * self._age_of_process / (theta.lengthscale_time or 1.0))

    def _measure(self, X: Array, levels: Domain | None) -> None:
        """Compute the packed distances of the places."""
        self._d_S[:] = packed(apart(X, X, levels))

    def _fill(self, theta: Hyperparameters, derivatives: bool) -> None:
        """Compute lambda k_S k_T, and its derivatives in log l_S and log l_T, off the diagonal."""
        per_space = self.spatial.rate / theta.per_knob[0]
        per_time = self.temporal.rate / (theta.lengthscale_time or 1.0)
        E_T, P_T, Q_T = self.temporal.parts(np.zeros(1))  # without time: no effect
        for start in range(0, len(self.matrix), CHUNK):
            c = slice(start, start + CHUNK)
            E_S, P_S, Q_S = self.spatial.parts(self._d_S[c] * per_space)
            if self.sees_time:
                E_T, P_T, Q_T = self.temporal.parts(self._d_T[c] * per_time)
            total = np.asarray(E_S + E_T)
            np.negative(total, out=total)
            e = np.exp(total)  # one exponential for both kernels
            e *= theta.signal_variance
            shared = e * P_S
            np.multiply(shared, P_T, out=self.matrix[c])
            if not derivatives:
                continue
            if self.sees_time:
                np.multiply(shared, Q_T, out=self.by_time[c])
            e *= P_T
            np.multiply(e, Q_S, out=self.by_space[c])
        self._halve_diagonal(derivatives)

    def _halve_diagonal(self, derivatives: bool) -> None:
        """Halve the diagonal of `by_time`: sums over the triangle count it twice.

        It is 0 in all derivatives but that of a Wiener process.
        """
        if self._wiener and derivatives:
            self.by_time[self.diagonal] *= 0.5


class ArdCovariance(PackedCovariance):
    r"""A and its derivatives with one spatial lengthscale per knob (ARD).

        r^2 = sum_k D_k / l_k^2,    D_k = (x_k - x'_k)^2, or [c != c'] for a choice
        dA / d log l_k = lambda k_T S_S(r) e^(-E_S) D_k / l_k^2

    All d derivatives share W = R o (lambda k_T S_S e^(-E_S)): with the D_k packed as rows of one
    matrix, they are one matrix-vector product, D W. An evaluation makes no n x n temporary.
    """

    def by_lengthscales(self, R: Array, theta: Hyperparameters) -> list[float]:
        self.by_space *= R
        by_knob = (self._squared @ self.by_space) / np.array(theta.per_knob) ** 2
        return [float(derivative) for derivative in by_knob]

    def _measure(self, X: Array, levels: Domain | None) -> None:
        dimension = X.shape[1]
        self._squared = np.empty((dimension, self.n * (self.n + 1) // 2))
        for k, row in enumerate(self._squared):
            row[:] = packed(squared_differences(X, k, levels))

    def _fill(self, theta: Hyperparameters, derivatives: bool) -> None:
        """Compute lambda k_S k_T, and lambda k_T S_S e^(-E_S) and the derivative in log l_T."""
        k_S, k_T = self.spatial, self.temporal
        squared_rates = (k_S.rate / np.array(theta.per_knob)) ** 2
        per_time = k_T.rate / (theta.lengthscale_time or 1.0)
        E_T, P_T, Q_T = k_T.parts(np.zeros(1))  # without time: no effect
        for start in range(0, len(self.matrix), CHUNK):
            c = slice(start, start + CHUNK)
            s = squared_rates @ self._squared[:, c]
            np.sqrt(s, out=s)
            if self.sees_time:
                E_T, P_T, Q_T = k_T.parts(self._d_T[c] * per_time)
            e = np.exp(-(E_T if k_S.exponent is None else k_S.exponent(s) + E_T))
            e = e * theta.signal_variance
            shared = e if k_S.factor is None else e * k_S.factor(s)
            np.multiply(shared, P_T, out=self.matrix[c])
            if not derivatives:
                continue
            if self.sees_time:
                np.multiply(shared, Q_T, out=self.by_time[c])
            np.multiply(e * P_T, k_S.slope(s), out=self.by_space[c])
        self._halve_diagonal(derivatives)


def packed_covariance(
    kernels: tuple[Correlation, Correlation],
    levels: Domain | None,
    data: Data,
    workspace: Workspace,
    *,
    ard: bool,
) -> PackedCovariance:
    """Return the covariance of `data` with one lengthscale in space, or with one per knob."""
    kind = ArdCovariance if ard else PackedCovariance
    return kind(kernels, levels, data, workspace)
