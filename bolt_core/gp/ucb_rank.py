r"""UCB and the mean in single precision, by which candidates are ranked.

What is climbed from them is computed in double precision, so that rounding here can only change
which one of several almost equal candidates is a start. Squared distances come from one matrix
product in double precision,

    |u - v|^2 = |u|^2 + |v|^2 - 2 u'v,   u and v from the centre of the data,

and all that follows, most of the work, is in single precision. It costs half as much as in double
precision or less.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from bolt_core.common.types import Array
from bolt_core.gp.posterior import TINY, Posterior

Single: TypeAlias = NDArray[Any]  # of np.float32
EPSILON = float(np.finfo(np.float32).eps)
MAX_ERROR = 0.05  # standard deviations of y, estimated; beyond it single precision is not used
MAX_COORDINATE = 10.0  # of an observed place, in units of the box
# Correlations are not below exp(-40) and 1e-12, so that no product is a subnormal number: these
# are slow.
MAX_S, MIN_CORRELATION = 40.0, 1e-12


def is_precise(posterior: Posterior) -> bool:
    """Return whether single precision is good enough to rank candidates of this posterior.

    Rounding errors of k change the mean by about epsilon lambda |a|, and B k by at most about
    epsilon sqrt(n lambda / sigma_0^2) standard deviations. An observation far outside of the box
    would make all distances imprecise.
    """
    theta, n = posterior.k.theta, len(posterior.Z)
    if n == 0 or not np.abs(posterior.Z[:, :-1]).max() <= MAX_COORDINATE:
        return False
    lam, noise = theta.signal_variance, theta.noise_variance + posterior.jitter
    of_mean = lam * float(np.linalg.norm(posterior.a))
    of_sigma = lam * (n / max(noise, TINY * lam)) ** 0.5
    return bool(EPSILON * max(of_mean, of_sigma) < MAX_ERROR)


class SingleUcb:
    """The mean and UCB of a posterior at one time, for a kernel of scaled Euclidean distances."""

    def __init__(self, posterior: Posterior, per_length: float | Array, k_T: Array) -> None:
        self._posterior = posterior
        self._per_length = per_length  # c / l_S
        scaled = posterior.Z[:, :-1] * per_length
        self._centre = scaled.mean(axis=0)
        scaled -= self._centre
        n, d = scaled.shape
        self._right = np.empty((d + 2, n))  # (-2 v, 1, |v|^2), one column per observation
        np.multiply(scaled.T, -2.0, out=self._right[:d])
        self._right[d] = 1.0
        self._right[d + 1] = np.vecdot(scaled, scaled)
        lam = posterior.k.theta.signal_variance
        self._k_T = np.maximum(k_T, MIN_CORRELATION * lam).astype(np.float32)  # lambda k_T, (1, n)
        self._a = posterior.a.astype(np.float32)
        self._root = posterior.root.astype(np.float32, order="F")
        self._lost = None if posterior.lost is None else posterior.lost.astype(np.float32)
        self._weights = self._k_T[0] * self._a

    def mean_at_observed(self, blocks: Iterable[slice]) -> Single:
        """Return the mean (n,) at all observed places, up to a constant.

        Each pair of observations is computed once, for `blocks` of rows.
        """
        left, weights = self._left(self._posterior.Z[:, :-1]), self._weights
        mean = np.zeros(len(weights), dtype=np.float32)
        for rows in blocks:
            k_S = self._correlation(left[rows], self._right[:, rows.start :])
            mean[rows] += k_S @ weights[rows.start :]
            mean[rows.stop :] += weights[rows] @ k_S[:, rows.stop - rows.start :]
        return mean

    def value(self, X: Array, beta: float, blocks: Iterable[slice]) -> Array:
        """Return alpha (s,) at places X (s, d), computed for `blocks` of rows."""
        left, lam = self._left(X), self._posterior.k.theta.signal_variance
        mean, variance = np.empty(len(X)), np.empty(len(X))
        for rows in blocks:
            K = self._correlation(left[rows], self._right)
            K *= self._k_T
            mean[rows] = K @ self._a
            V = self._rotate(K)
            variance[rows] = np.vecdot(V, V)
            if self._lost is not None:
                along = V @ self._lost
                variance[rows] -= np.vecdot(along, along)
        sigma = np.sqrt(np.maximum(lam - variance, TINY * lam))
        return np.asarray(self._posterior.mean + mean + beta**0.5 * sigma)

    def _rotate(self, K: Single) -> Single:
        """Return K B', which may take the place of K."""
        if self._posterior.triangular:
            return np.asarray(blas.strmm(1.0, self._root, K.T, lower=1, overwrite_b=1).T)
        return np.asarray(K @ self._root.T)

    def _left(self, X: Array) -> Array:
        """Return (u, |u|^2, 1), one row per place: times `_right` it is |u - v|^2."""
        count, d = X.shape
        left = np.empty((count, d + 2))
        u = left[:, :d]
        np.multiply(X, self._per_length, out=u)
        u -= self._centre
        left[:, d] = np.vecdot(u, u)
        left[:, d + 1] = 1.0
        return left

    def _correlation(self, left: Array, right: Array) -> Single:
        """Return k_S."""
        s: Single = (left @ right).astype(np.float32)
        np.maximum(s, 0.0, out=s)  # rounding
        np.sqrt(s, out=s)
        np.minimum(s, MAX_S, out=s)
        return self._posterior.k.spatial.at(s)
