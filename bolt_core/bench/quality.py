"""`bolt bench quality`: compare the optima that the exact engine and stock BoTorch find.

Likelihood: the negative log likelihood of the exact engine minus that of one stock fit, divided by
n (limit 0.02). Acquisition: at equal hyperparameters, stock's UCB minus the exact engine's, in
posterior standard deviations at stock's point (limit 1e-3). The datasets come from GPs and from the
benchmarks, with n = 20 to 300.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core import benchmarks
from bolt_core.bench import stock
from bolt_core.bench.datasets import from_benchmark, from_gp
from bolt_core.gp import load
from bolt_core.gp.protocol import Data, FitRequest, Model, default_beta

DATASETS = 100
DIMENSIONS = (1, 2, 3, 6)
MAX_LIKELIHOOD_GAP, MAX_UCB_GAP = 0.02, 1e-3


@dataclass(frozen=True, slots=True)
class Row:
    """The gaps on one dataset; a negative gap means that the exact engine is better."""

    source: str
    n: int
    dimension: int
    likelihood_gap: float  # nats per observation
    ucb_gap: float  # posterior standard deviations


def run(count: int = DATASETS, *, seed: int = 0, largest: int = 300) -> list[Row]:
    """Return one row per dataset, alternating between GPs and benchmarks."""
    keys = sorted(benchmarks.built_in())
    rows = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        n = int(rng.integers(20, largest + 1))
        if number % 2:
            source = keys[number // 2 % len(keys)]
            model, data = from_benchmark(rng, source, n)
        else:
            source, model = "gp", Model(DIMENSIONS[number // 2 % len(DIMENSIONS)])
            data = from_gp(rng, model, n)
        rows.append(compare(source, model, data, rng))
    return rows


def compare(source: str, model: Model, data: Data, rng: np.random.Generator) -> Row:
    """Fit and maximise with both engines on one dataset."""
    now = float(data.Z[-1, -1]) * (1 + 1 / len(data))
    ours = load("exact", model).fit(data, FitRequest(now), rng)
    theirs = stock.fit(model, data, now, rng)
    beta = default_beta(model.dimension, len(data))
    x, _ = ours.maximise_ucb(now, rng)
    x_stock, _ = load("botorch", model).condition(data, ours.inference).maximise_ucb(now, rng)
    alpha = ours.ucb(np.stack([x_stock, x]), now, beta)
    _, sd = ours.posterior(x_stock, now)
    return Row(
        source=source,
        n=len(data),
        dimension=model.dimension,
        likelihood_gap=(ours.inference.loss - theirs.inference.loss) / len(data),
        ucb_gap=float((alpha[0] - alpha[1]) / sd[0]),
    )


def summarise(rows: Sequence[Row]) -> dict[str, float]:
    """Return the shares of the datasets within the limits, and the largest gaps."""
    likelihood = np.array([row.likelihood_gap for row in rows])
    ucb = np.array([row.ucb_gap for row in rows])
    return {
        "datasets": len(rows),
        "likelihood_within": float(np.mean(likelihood <= MAX_LIKELIHOOD_GAP)),
        "ucb_within": float(np.mean(ucb <= MAX_UCB_GAP)),
        "worst_likelihood": float(likelihood.max()),
        "worst_ucb": float(ucb.max()),
    }
