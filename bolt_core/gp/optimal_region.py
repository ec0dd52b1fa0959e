r"""A uniform random point among the places that may hold the optimum.

    { x in [0, 1]^d :  UCB(x) >= max_x' LCB(x') },     UCB, LCB = mu +- sqrt(beta) sigma

Outside this set a point is worse than some other one, with the confidence that beta stands for.
The point is drawn by rejection from uniform candidates, and max LCB is taken over the observed
points, the candidates and neighbours of the best of them. Where coordinates have levels, each level
is as likely as any other.
"""

import numpy as np

from bolt_core.common.domain import project
from bolt_core.common.types import Array
from bolt_core.gp.protocol import Surrogate, default_beta

CANDIDATES = 512  # uniform points per round
ROUNDS = 8  # after which the set counts as too small to be hit
NEIGHBOURS = 32  # per step of the search for max LCB
STEPS = (0.3, 0.1, 0.03, 0.01)  # sizes of their steps, in units of l_S (at most 1)


def uniform_among_optimal(surrogate: Surrogate, t: float, rng: np.random.Generator) -> Array | None:
    """Return a uniform point (d,) of the set at time t; None if no candidate lies in it."""
    d = surrogate.model.dimension
    root_beta = default_beta(d, len(surrogate.data)) ** 0.5

    def bounds(X: Array) -> tuple[Array, Array]:
        mu, sigma = surrogate.posterior(X, t)
        return mu - root_beta * sigma, mu + root_beta * sigma

    observed = surrogate.data.Z[:, :-1]
    at_observed = bounds(observed)[0]
    best, threshold = observed[int(np.argmax(at_observed))], float(np.max(at_observed))
    l_S, domain = surrogate.inference.theta.lengthscale_space, surrogate.model.levels
    reach = np.minimum(l_S, 1.0)
    for step in STEPS:
        near = best + step * reach * rng.standard_normal((NEIGHBOURS, d))
        near = project(np.clip(near, 0.0, 1.0), domain, None)
        lower, _ = bounds(near)
        if (highest := float(np.max(lower))) > threshold:
            best, threshold = near[int(np.argmax(lower))], highest
    for _ in range(ROUNDS):
        X = project(rng.random((CANDIDATES, d)), domain, None)
        lower, upper = bounds(X)
        threshold = max(threshold, float(np.max(lower)))
        inside = np.flatnonzero(upper >= threshold)
        if len(inside):
            return np.asarray(X[inside[0]])
    return None
