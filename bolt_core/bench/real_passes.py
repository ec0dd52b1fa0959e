"""The cost of a whole pass in a run on Powell (d = 3), at fixed sizes of D.

One run grows until D has n observations and then removes the least relevant one in each pass, for
the first n, then for the next. A pass is an ask, a fit (with the restarts that are due) and a
removal. The unit is potrf + potri of the run's own covariance matrix, timed in the same run; the
same data are given to stock BoTorch, fit and acquisition.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.algorithms.bolt import least_relevant
from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.algorithms.policy import Moment, Policy
from bolt_core.algorithms.spec import Removal
from bolt_core.bench import stock
from bolt_core.bench.engine import noisy_covariance
from bolt_core.bench.timing import Stopwatch, column, lapack_floor
from bolt_core.common.types import WARMUP, EngineConfig, Observation
from bolt_core.gp.protocol import Surrogate

BENCHMARK = "powell"
SIZES = (100, 200, 400)
PASSES = 28  # at each size: two restarts of each kind
SECONDS_PER_PASS = 1.0  # of the run's time
STOCK_REPEATS = 2


@dataclass(frozen=True, slots=True)
class Row:
    """Mean CPU seconds of the parts of a pass, and the pass in units of potrf + potri."""

    n: int = column("n")
    fit: float = column("fit s")
    ask: float = column("ask s")
    removal: float = column("removal s")
    seconds: float = column("pass s")
    floor: float = column("LAPACK s")
    over_floor: float = column("over LAPACK")
    stock: float = column("stock s")
    speedup: float = column("times faster")


class FixedSize(Policy):
    """Removes the least relevant observations beyond a size."""

    size = 0

    def clean(self, moment: Moment) -> Removal:
        rows, _ = least_relevant(moment, max(len(moment.dataset) - self.size, 0))
        return Removal(moment.ids(rows))


class _Run:
    """A run whose parts are timed."""

    def __init__(self, seed: int) -> None:
        self.benchmark = benchmarks.load(BENCHMARK)
        self.policy = FixedSize()
        streams = np.random.SeedSequence(seed).spawn(2)
        self.rng, own = (np.random.default_rng(stream) for stream in streams)
        self.optimizer = GPOptimizer(self.benchmark.problem, own, self.policy, EngineConfig())
        self.i = 0

    @property
    def now(self) -> float:
        return self.i * SECONDS_PER_PASS

    def step(self, ask: Stopwatch, fit: Stopwatch, removal: Stopwatch) -> None:
        """Make one pass."""
        optimizer, t = self.optimizer, self.now
        x = tuple(self.rng.random(self.benchmark.dimension).tolist())
        if self.i >= WARMUP:
            with ask.lap():
                x = optimizer.ask(t).x
        noise = self.benchmark.noise_variance**0.5 * self.rng.standard_normal()
        y = float(self.benchmark.value(np.array(x), t)) + float(noise)
        with fit.lap():
            optimizer.tell(Observation(self.i, x, t, y))
            optimizer.infer(t)
        with removal.lap():
            optimizer.prune(t, ())
        self.i += 1


def run(sizes: Sequence[int] = SIZES, *, passes: int = PASSES, seed: int = 0) -> Iterator[Row]:
    """Yield one row per size, in rising order."""
    process = _Run(seed)
    for n in sorted(sizes):
        process.policy.size = n
        unused = Stopwatch()
        while len(process.optimizer.dataset) < n:
            process.step(unused, unused, unused)
        parts: Any = Stopwatch(), Stopwatch(), Stopwatch()
        for _ in range(passes):
            process.step(*parts)
        yield _row(n, process, *(watch.mean for watch in parts))


def _row(n: int, process: _Run, ask: float, fit: float, removal: float) -> Row:
    surrogate = process.optimizer.surrogate(process.now)
    assert surrogate is not None
    K = noisy_covariance(surrogate.model, surrogate.data, surrogate.inference)
    floor, seconds = lapack_floor(K, 31), ask + fit + removal
    reference = stock_seconds(surrogate, process.now)
    return Row(
        n=n,
        fit=fit,
        ask=ask,
        removal=removal,
        seconds=seconds,
        floor=floor,
        over_floor=seconds / floor,
        stock=reference,
        speedup=reference / seconds,
    )


def stock_seconds(surrogate: Surrogate, now: float) -> float:
    """Return the CPU seconds of a stock fit and acquisition on the same data."""
    watch, rng = Stopwatch(), np.random.default_rng(0)
    for _ in range(1 + STOCK_REPEATS):  # the first one warms up
        with watch.lap():
            stock.fit(surrogate.model, surrogate.data, now, rng).maximise_ucb(now, rng)
    del watch.laps[0]
    return watch.mean
