"""The cost of a pass with one lengthscale per input, relative to a single one.

Both kinds of surrogate make the same passes over the same data, in turn, so that a slow or busy
machine changes both sides. A part of `bolt bench iteration`.
"""

from dataclasses import dataclass

import numpy as np

from bolt_core.bench.datasets import from_gp
from bolt_core.bench.engine import fitted_windows
from bolt_core.bench.timing import Stopwatch
from bolt_core.gp import load
from bolt_core.gp.protocol import Model

SIZE, DIMENSION = 200, 3
PASSES = 28  # four restarts, two of each kind


@dataclass(frozen=True, slots=True)
class Ratio:
    """CPU seconds with one lengthscale per input over those with a single one."""

    infer: float
    choose: float
    acquire: float
    whole: float  # of a whole pass, on average over restarts


def run(n: int = SIZE, *, dimension: int = DIMENSION, passes: int = PASSES, seed: int = 0) -> Ratio:
    """Return how much more a pass costs over a window of n observations."""
    data = from_gp(np.random.default_rng(seed), Model(dimension), n + passes, 0.4)
    models = Model(dimension), Model(dimension, ard=True)
    watches = [[Stopwatch() for _ in range(3)] for _ in models]
    windows = [
        fitted_windows(model, data, n, passes, watch[0])
        for model, watch in zip(models, watches, strict=True)
    ]
    for both in zip(*windows, strict=True):
        for (surrogate, now, rng), (_, choose, acquire) in zip(both, watches, strict=True):
            with choose.lap():
                ((stale, _),) = surrogate.removals(now)
            with acquire.lap():
                kept = surrogate.data.without(stale)
                engine = load("exact", surrogate.model)
                engine.condition(kept, surrogate.inference).maximise_ucb(now, rng)
    single, several = (np.array([watch.mean for watch in parts]) for parts in watches)
    infer, choose, acquire = (several / single).tolist()
    return Ratio(infer, choose, acquire, float(several.sum() / single.sum()))
