r"""The guarantees of the paper: the regret bound (Theorem 3.6) and the cost of a removal (3.8).

With probability 1 - delta, T iterations on the n newest observations lose at most

    R_T <= sqrt( T C_1 beta_T (gamma_n + sigma_0^-2 / 2 (T - n) (1 - C_2 ||u_n||^2)) ) + pi^2 / 6,

    C_1 = 8 / log(1 + sigma_0^-2),    C_2 = kappa^2 / (lambda_1 + sigma_0^2),
    kappa = min k_S over [0, 1]^d,    lambda_1 = max S_T / R(0),    S_T = Fourier transform of k_T,

all with lambda = 1: variances are in units of lambda, regrets in units of sqrt(lambda).

Choices. a and b of Assumption 3.4 have no values in the paper; they are 1, so the bound has its
shape, not its scale. gamma_n stands there with and without 1/2; it has 1/2 here, as mutual
information has and as the proof of Lemma A.2 needs with that C_1.

lambda_1 should bound the largest eigenvalue of the Gram matrix; as printed it does not. Sampled
every R seconds, eigenvalues go up to the periodised spectrum sum_k S_T(2 pi k / R) / R, which is
above S_T(0) / R for every R: by 2.1 % for matern12 and 0.08 % for matern32 at R = l_T / 2, by 31 %
and 12 % at 2 l_T. But k_T(i R) is no leading eigenvector, and Lemma A.3 itself was never broken up
to R = 0.9 S_T(0), one sample in about 2 l_T (rq: 4 l_T). Beyond, with all x_i in one corner and x
in the opposite one, sigma^2 goes above the bound by up to kappa^2 times

    matern12 0.0018    rq 0.0012    matern32 0.0005    matern52 0.0003    rbf 0.00006.

`safe` adds 1: a non-increasing k_T has 1 + 2 sum_j k_T(j R) <= 1 + S_T(0) / R (integral test), and
row sums bound eigenvalues (k_S <= 1). It needs no grid, only gaps of R(0) or more, so it also
covers the passes in which D fills and R grows, for which the paper has no proof. Both need the i-th
newest observation to be at most i R(n) old: first in, first out, not a removal by W_2.

How much it says. ||u_n||^2 R <= int_0^inf k_T^2 <= S_T(0) / 2 keeps the variance bound above
1 - kappa^2 / 2, and its last step, log(1 + z) <= z, can cost more than that: sigma <= 1 alone has
R_T <= 2 T sqrt(beta_T) + pi^2 / 6, and at n*, T = 1e6, kappa = 1 (matern32, l_T = 60 s,
R = 0.5 s + 1e-7 s n^3) the bound is 4.1, 1.8, 1.06 times that for sigma_0^2 = 0.01, 0.1, 1. n*
minimises it as T grows with n fixed; at a given T and sigma_0^2 < 0.39, n = T is better still.
"""

import math
from dataclasses import dataclass

import numpy as np

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.types import Array
from bolt_core.theory.dataset_size import Decay, Response, squared_norm_u
from bolt_core.theory.kernels import Correlation, Covariance

BASEL = math.pi**2 / 6  # sum of 1 / n^2: what the discretisation of S costs
DELTA = 0.1  # the bound may fail with this probability
# int k_T over the real line, per unit of lengthscale; "none" is correlated for ever
INTEGRALS = {
    "matern12": 2.0,
    "matern32": 4.0 / math.sqrt(3.0),
    "matern52": 16.0 / (3.0 * math.sqrt(5.0)),
    "rbf": math.sqrt(2.0 * math.pi),
    "rq": math.sqrt(2.0) * math.pi,
    "none": math.inf,
}


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of the bound, which depend on the model but not on T or n."""

    noise_variance: float  # sigma_0^2, in units of lambda
    least_correlation: float  # kappa
    largest_eigenvalue: float  # lambda_1

    @property
    def regret_factor(self) -> float:
        """C_1."""
        return 8.0 / math.log1p(1.0 / self.noise_variance)

    @property
    def variance_factor(self) -> float:
        """C_2; 0 where k_T = 1."""
        return self.least_correlation**2 / (self.largest_eigenvalue + self.noise_variance)


@dataclass(frozen=True, slots=True)
class AcquisitionGap:
    """The two sides of Theorem 3.8: change <= limit."""

    change: float  # ||alpha_D - alpha_{D without o}||_2
    limit: float  # L_T W_2


def constants(k: Covariance, dimension: int, fastest: float, *, safe: bool = False) -> Constants:
    """Return kappa, lambda_1 and sigma_0^2 of a model on [0, 1]^d; `fastest` = R(0), seconds.

    As printed, or with the `safe` lambda_1 for which Lemma A.3 holds at every R.
    """
    if not fastest > 0:
        raise ConfigError(f"R(0) must be positive, got {fastest}: observing f is never free")
    corners = np.array([np.zeros(dimension), np.ones(dimension)])
    farthest = k.space_radii(corners[:1], corners[1:])[0]
    return Constants(
        noise_variance=k.theta.noise_variance / k.theta.signal_variance,
        least_correlation=float(k.spatial(farthest)[0]),
        largest_eigenvalue=float(safe) + spectral_maximum(k.temporal, k.time_scale) / fastest,
    )


def spectral_maximum(k_T: Correlation, lengthscale: float) -> float:
    """Return max S_T = S_T(0) = int k_T, seconds: k_T >= 0 puts the maximum at frequency 0."""
    if k_T.name not in INTEGRALS:
        raise UnknownNameError("kernel with a known spectrum", k_T.name, INTEGRALS)
    return INTEGRALS[k_T.name] * lengthscale


def confidence_factor(
    iterations: int, dimension: int, delta: float = DELTA, *, a: float = 1.0, b: float = 1.0
) -> float:
    r"""beta_T of Lemma A.1, as printed, with a and b of Assumption 3.4.

        beta_T = 2 d log(b d T^2 sqrt(log(d a pi^2 T^2 / 3 delta)) / 6 delta) + 4 log(pi T)

    Its proof, beta_T = 2 log(tau^d pi^2 T^2 / 3 delta), has 2 log(1 / 3 delta) where this has
    2 d log(1 / 6 delta): at delta = 0.1 the printed one is smaller by 1.39 for d = 1 and by 0.36
    for d = 2, and larger from d = 3 on.
    """
    if iterations < 1 or not 0 < delta < 1:
        raise ConfigError(f"beta needs T >= 1 and 0 < delta < 1, got {iterations} and {delta}")
    d, squared = dimension, iterations**2
    slope = b * math.sqrt(math.log(d * a * math.pi**2 * squared / (3 * delta)))
    grid = slope * d * squared / (6 * delta)
    return 2 * d * math.log(grid) + 4 * math.log(math.pi * iterations)


def information_gain(k: Covariance, Z: Array) -> float:
    """gamma_n of a dataset: I(f; y) = 1/2 log det(I + K / sigma_0^2), for points `Z` (n, d + 1).

    Equal to 1/2 sum_i log(1 + sigma_0^-2 sigma_i^2), sigma_i^2 given the i - 1 points before.
    """
    A = np.eye(len(Z)) + k.between(Z, Z) / k.theta.noise_variance
    return float(0.5 * np.linalg.slogdet(A)[1])


def most_information(n: int, constants: Constants) -> float:
    """Return n/2 log(1 + sigma_0^-2), the largest possible gamma_n, since sigma_i^2 <= 1."""
    return 0.5 * n * math.log1p(1.0 / constants.noise_variance)


def variance_bound(n: int, k_T: Decay, R: Response, constants: Constants) -> float:
    """Return 1 - C_2 ||u_n||^2 (Lemma A.3), a bound of sigma^2(x, now) in units of lambda."""
    return 1.0 - constants.variance_factor * squared_norm_u(n, k_T, R)


def regret_bound(
    iterations: int,
    n: int,
    constants: Constants,
    *,
    beta: float,
    information: float,
    variance: float,
) -> float:
    """Return R_T of Theorem 3.6, from beta_T, gamma_n and 1 - C_2 ||u_n||^2.

    n = T is GP-UCB without a limit; with k_T = 1 that is the bound of the static case.
    """
    if not 0 <= n <= iterations:
        raise ConfigError(f"n must be within 0 and T = {iterations}, got {n}")
    later = (iterations - n) * variance / (2 * constants.noise_variance)
    inside = iterations * constants.regret_factor * beta * (information + later)
    return math.sqrt(inside) + BASEL


def acquisition_gap(
    before: tuple[Array, Array], after: tuple[Array, Array], weights: Array, beta: float
) -> AcquisitionGap:
    """Return both sides of Theorem 3.8 for UCB, from means and sds at quadrature nodes.

    L_T = sqrt(1 + beta).

    Pointwise it is Cauchy-Schwarz, so it holds on any nodes with weights >= 0. It bounds the
    change and does not rank it: in 139 of 150 datasets (d <= 3, n <= 40) the removal of least W_2
    was also that of least change, in the worst one the change was 2.1 times the least.
    """
    by_mean, by_sd = before[0] - after[0], before[1] - after[1]
    change = math.sqrt(weights @ (by_mean + math.sqrt(beta) * by_sd) ** 2)
    W2 = math.sqrt(weights @ (by_mean**2 + by_sd**2))
    return AcquisitionGap(change, math.sqrt(1.0 + beta) * W2)
