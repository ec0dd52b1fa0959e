"""Check that W_2 removes the right observation, against an integration rule of 32,768 nodes.

The check scores the choice of `wasserstein.removals` with those nodes and divides by the smallest
such score. The datasets resemble those of a run. Part of `bolt bench w2`. With `ard` every knob has
a lengthscale of its own, up to three times shorter or longer than l_S.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.bench.datasets import from_gp
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Inference, Model
from bolt_core.theory.wasserstein import RemovalScores, nodes_near

DATASETS = 200
DIMENSIONS = (1, 2, 3, 6)
LENGTHSCALES = (0.2, 0.3, 0.5, 0.8)  # l_S
LARGEST_RATIO = 3.0  # of a lengthscale per knob to l_S
CHECK_NODES = 32_768  # 32 times those of the longest race
MAX_EXCESS = 0.02  # relative


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome on one dataset."""

    dimension: int
    lengthscale: float  # l_S, of which those per knob differ
    n: int
    excess: float  # relative: 0 means the true minimum was chosen


def run(
    count: int = DATASETS, *, largest: int = 150, seed: int = 0, ard: bool = False
) -> list[Row]:
    """Return one row per dataset."""
    rows = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        d = DIMENSIONS[number % len(DIMENSIONS)]
        l_S = LENGTHSCALES[number // len(DIMENSIONS) % len(LENGTHSCALES)]
        n = int(rng.integers(20, largest + 1))
        scales: float | tuple[float, ...] = l_S
        if ard:
            ratios = np.exp(rng.uniform(-1.0, 1.0, d) * math.log(LARGEST_RATIO))
            scales = tuple((l_S * ratios).tolist())
        rows.append(Row(d, l_S, n, _excess(rng, Model(d, ard=ard), n, scales)))
    return rows


def share_within(rows: Sequence[Row], max_excess: float = MAX_EXCESS) -> float:
    """Return the share of datasets whose choice is within `max_excess` of the minimum."""
    return float(np.mean([row.excess <= max_excess for row in rows]))


def _excess(
    rng: np.random.Generator, model: Model, n: int, l_S: float | tuple[float, ...]
) -> float:
    data = from_gp(rng, model, n, l_S)
    noise = float(np.exp(rng.uniform(np.log(1e-3), np.log(1e-1))))
    l_T = float(np.exp(rng.uniform(np.log(0.2), np.log(2.0)))) * n
    inference = Inference(Hyperparameters(1.0, l_S, l_T, noise))
    surrogate = ExactEngine(model).condition(data, inference)
    now = float(data.Z[-1, -1]) + 1.0
    ((chosen, _),) = surrogate.removals(now)
    k, Z, M, a = surrogate.formula()
    fine = RemovalScores(k, Z, M, a, nodes_near(k, Z[:, :-1], now, CHECK_NODES)).scores()
    return float(fine[chosen] / fine.min() - 1.0)
