"""Is the observation that W_2 removes the right one? Against a rule 64 times finer.

The choice of `staleness.stalest` on datasets like those of a run: its score under 32,768 nodes,
over the smallest such score. Part of `bolt bench w2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.bench.datasets import from_gp
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Inference, Model
from bolt_core.theory.wasserstein import RemovalScores, nodes_near
from bolt_core.theory.wasserstein.nodes import COUNT

DATASETS = 200
DIMENSIONS = (1, 2, 3, 6)
LENGTHSCALES = (0.2, 0.3, 0.5, 0.8)  # l_S
FINER = 64
BAR = 0.02
COLUMNS = {"dimension": "d", "lengthscale": "l_S", "n": "n", "excess": "excess over the minimum"}


@dataclass(frozen=True, slots=True)
class Row:
    """One dataset."""

    dimension: int
    lengthscale: float  # l_S
    n: int
    excess: float  # relative: 0 means the true minimum was chosen


def run(
    count: int = DATASETS,
    *,
    lengthscales: Sequence[float] = LENGTHSCALES,
    largest: int = 150,
    seed: int = 0,
) -> list[Row]:
    rows = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        d = DIMENSIONS[number % len(DIMENSIONS)]
        l_S = lengthscales[number // len(DIMENSIONS) % len(lengthscales)]
        n = int(rng.integers(20, largest + 1))
        rows.append(Row(d, l_S, n, _excess(rng, Model(d), n, l_S)))
    return rows


def share_within(rows: Sequence[Row], bar: float = BAR) -> float:
    return float(np.mean([row.excess <= bar for row in rows]))


def _excess(rng: np.random.Generator, model: Model, n: int, l_S: float) -> float:
    data = from_gp(rng, model, n, l_S)
    noise = float(np.exp(rng.uniform(np.log(1e-3), np.log(1e-1))))
    l_T = float(np.exp(rng.uniform(np.log(0.2), np.log(2.0)))) * n
    known = Inference(Hyperparameters(1.0, l_S, l_T, noise))
    surrogate = ExactEngine(model).condition(data, known)
    now = float(data.Z[-1, -1]) + 1.0
    (chosen,) = surrogate.stalest(now)
    k, Z, M, a = surrogate.formula()
    fine = RemovalScores(k, Z, M, a, nodes_near(k, Z[:, :-1], now, FINER * COUNT)).scores()
    return float(fine[chosen] / fine.min() - 1.0)
