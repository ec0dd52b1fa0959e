"""How often a search reaches the largest UCB, on surrogates met in runs.

The reference is the best of 65,536 Sobol points and all observed places, of which the 50 best are
climbed by SciPy's L-BFGS-B one by one, and of both searches compared. A search counts as within 1 %
if it misses the reference by at most 1 % of the range from the median of alpha over the Sobol
points to the reference.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.stats import qmc

from bolt_core.bench.run_surrogates import HORIZON_SECONDS, RunMoment, from_run
from bolt_core.bench.timing import Stopwatch, column
from bolt_core.common.types import Array
from bolt_core.gp import load
from bolt_core.gp.posterior import condition
from bolt_core.gp.protocol import default_beta
from bolt_core.gp.ucb import Search

BENCHMARKS = (
    "shekel",
    "hartmann3",
    "ackley",
    "griewank",
    "eggholder",
    "schwefel",
    "hartmann6",
    "powell",
    "temperature",
    "wlan",
)
RUNS, MOMENTS = 3, 10  # per benchmark, and per run
LOG2_POINTS, POLISHED = 16, 50  # of the reference
ROWS_AT_ONCE = 4096
MAX_MISS = 0.01  # of the range
FLAT = 1e-6  # standard deviations of y: the range of an alpha that is flat but for rounding


@dataclass(frozen=True, slots=True)
class Row:
    """The searches on the surrogates of one benchmark."""

    benchmark: str = column("board")
    dimension: int = column("d")
    surrogates: int = column("cases")
    size: float = column("mean n")
    within: float = column("ours 1 %")
    within_error: float = column("+- ours")
    stock_within: float = column("stock 1 %")
    stock_error: float = column("+- stock")
    seconds: float = column("ask s")
    cpu_share: float = column("CPU over stock")


@dataclass(frozen=True, slots=True)
class Reference:
    """The largest alpha that a dense search reaches, and the median over the box."""

    best: float
    median: float

    def miss(self, alpha: float) -> float:
        """Return by how much alpha misses the best, as a share of the range; negative: beyond."""
        return (self.best - alpha) / max(self.best - self.median, FLAT)


def run(
    keys: Iterable[str] = BENCHMARKS,
    *,
    runs: int = RUNS,
    moments: int = MOMENTS,
    seed: int = 0,
    seconds: float = HORIZON_SECONDS,
) -> Iterator[Row]:
    """Yield one row per benchmark, from the runs with seeds `seed`, `seed` + 1 and so on."""
    for key in keys:
        cases = (m for s in range(seed, seed + runs) for m in from_run(key, s, moments, seconds))
        yield _row(key, cases)


def sampling_error(within: int, count: int) -> float:
    """Return the standard error of a share; with one success and one failure added, never 0."""
    p = (within + 1) / (count + 2)
    return float(np.sqrt(p * (1 - p) / (count + 2)))


def reference(search: Search) -> Reference:
    """Return the best alpha of a dense search at a fixed time."""
    places = search.posterior.Z[:, :-1]
    spread = qmc.Sobol(places.shape[1], rng=1).random_base2(LOG2_POINTS)
    U = np.concatenate([spread, np.clip(places, 0.0, 1.0)])
    starts = range(0, len(U), ROWS_AT_ONCE)
    alpha = np.concatenate([search.value(U[first : first + ROWS_AT_ONCE]) for first in starts])
    polished = [_polish(search, U[row]) for row in np.argsort(-alpha)[:POLISHED]]
    best = max(*polished, float(alpha.max()))
    return Reference(best, float(np.median(alpha[: len(spread)])))


def _polish(search: Search, start: Array) -> float:
    """Return the alpha that L-BFGS-B reaches from one place."""

    def loss(x: Array) -> tuple[float, Array]:
        alpha, gradient = search.value_and_gradient(x[None])
        return -float(alpha[0]), -gradient[0]

    options = {"maxiter": 200, "ftol": 1e-12, "gtol": 1e-9}
    box = [(0.0, 1.0)] * len(start)
    reached = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=box, options=options)
    return -float(reached.fun)


def _row(key: str, cases: Iterable[RunMoment]) -> Row:
    ours, theirs = Stopwatch(), Stopwatch()
    misses, sizes, dimension = [], [], 0
    for number, (surrogate, now) in enumerate(cases):
        stock = load("botorch", surrogate.model).condition(surrogate.data, surrogate.inference)
        state = condition(
            surrogate.model.covariance(surrogate.inference.theta),
            surrogate.data,
            surrogate.inference,
        )
        dimension = surrogate.model.dimension
        search = Search(state, default_beta(dimension, len(surrogate.data)), now, 0.0)
        if number == 0:  # the first call imports and compiles
            stock.maximise_ucb(now, np.random.default_rng(number))
        with ours.lap():
            x, _ = surrogate.maximise_ucb(now, np.random.default_rng(number))
        with theirs.lap():
            x_stock, _ = stock.maximise_ucb(now, np.random.default_rng(number))
        alpha, alpha_stock = search.value(np.stack([x, x_stock])).tolist()
        dense = reference(search)
        best = Reference(max(dense.best, alpha, alpha_stock), dense.median)
        misses.append([best.miss(alpha), best.miss(alpha_stock)])
        sizes.append(len(surrogate.data))
    within, stock_within = (np.array(misses) <= MAX_MISS).sum(axis=0).tolist()
    count = len(misses)
    return Row(
        benchmark=key,
        dimension=dimension,
        surrogates=count,
        size=float(np.mean(sizes)),
        within=within / count,
        within_error=sampling_error(within, count),
        stock_within=stock_within / count,
        stock_error=sampling_error(stock_within, count),
        seconds=ours.mean,
        cpu_share=ours.mean / theirs.mean,
    )
