"""UCB as a function on the settable points of a region."""

import itertools
import math

import numpy as np

from bolt_core.common.domain import Domain, Region, project
from bolt_core.common.types import Array
from bolt_core.gp.ucb import Search

SAME_LEVEL = 1e-6  # of [0, 1]: two levels are further apart


class SettableSearch:
    """UCB over a region in coordinates (s, free): shares of its sides, and levels as they are."""

    def __init__(self, search: Search, domain: Domain | None, region: Region | None) -> None:
        self.search, self.free = search, search.free
        d = self.dimension = int(search.posterior.Z.shape[1]) - 1
        self.domain, self.region = domain, region or Region.whole(d)
        self.discrete = () if domain is None else domain.discrete
        self.levels = (
            [] if domain is None else [self.region.settable(domain, k) for k in domain.discrete]
        )
        self.continuous = [k for k in range(self.free) if k not in self.discrete]
        self._low, self._width = self.region.low.copy(), self.region.high - self.region.low
        self._low[list(self.discrete)], self._width[list(self.discrete)] = 0.0, 1.0
        scale = np.broadcast_to(search.posterior.k.space_scale, (d,))
        self.reach = np.ones(self.free)  # over which alpha changes, in these coordinates
        self.reach[:d] = np.minimum(scale / np.maximum(self._width, scale), 1.0)
        self.reach[list(self.discrete)] = SAME_LEVEL

    @property
    def combinations(self) -> int:
        """The number of combinations of levels in the region; 1 if all is continuous."""
        return math.prod(len(values) for values in self.levels)

    def all_combinations(self) -> Array:
        """Return them, one row each, with a column per discrete coordinate."""
        return np.array(list(itertools.product(*self.levels))).reshape(-1, len(self.levels))

    def coordinates(self, X: Array) -> Array:
        """Return the coordinates (s, d) of the points of the region nearest to X (s, d)."""
        inside = project(X, self.domain, self.region) - self._low
        return np.divide(inside, self._width, out=np.zeros_like(inside), where=self._width > 0)

    def places(self, U: Array) -> Array:
        """Return settable places of the region in x, with the share of a window as it is."""
        X = U.copy()
        X[:, : self.dimension] = self._low + self._width * U[:, : self.dimension]
        levels = list(self.discrete)
        held = X[:, levels]
        X[:, : self.dimension] = np.clip(X[:, : self.dimension], self.region.low, self.region.high)
        X[:, levels] = held  # a level on a face may lie outside by one rounding
        return X

    def value(self, U: Array) -> Array:
        """Return alpha (s,)."""
        return self.search.value(self.places(U))

    def rank(self, U: Array) -> Array:
        """Return alpha (s,), rounded as a rank allows."""
        return self.search.rank(self.places(U))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Return alpha (s,) and its gradient (s, free), which is 0 where levels are held."""
        alpha, gradient = self.search.value_and_gradient(self.places(U))
        gradient[:, : self.dimension] *= self._width
        gradient[:, list(self.discrete)] = 0.0
        return alpha, gradient
