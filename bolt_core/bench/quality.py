"""`bolt bench quality`: is the fast engine as good as stock BoTorch at what both optimise?

Likelihood: negative log likelihood reached, ours minus one stock fit's, over n (bar: 0.02).
Acquisition: at our hyperparameters, stock's UCB minus ours, in posterior standard deviations at
stock's point (bar: 1e-3). Datasets come from GPs and from the benchmarks, n = 20 to 300.
"""

from __future__ import annotations

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
LIKELIHOOD_BAR, ACQUISITION_BAR = 0.02, 1e-3
COLUMNS = {
    "source": "data",
    "n": "n",
    "dimension": "d",
    "likelihood_gap": "(ours - stock) / n, nats",
    "ucb_gap": "(stock - ours) / sd",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One dataset; negative gaps mean that ours is better."""

    source: str
    n: int
    dimension: int
    likelihood_gap: float  # nats an observation
    ucb_gap: float  # posterior standard deviations


@dataclass(frozen=True, slots=True)
class Summary:
    """Shares of the datasets within the bars, and the worst."""

    datasets: int
    likelihood_within: float
    ucb_within: float
    worst_likelihood: float
    worst_ucb: float


def run(count: int = DATASETS, *, seed: int = 0, largest: int = 300) -> list[Row]:
    """Rows of `count` datasets, from GPs and benchmarks by turns."""
    keys = sorted(benchmarks.catalog())
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


def summarise(rows: Sequence[Row]) -> Summary:
    likelihood = np.array([row.likelihood_gap for row in rows])
    ucb = np.array([row.ucb_gap for row in rows])
    return Summary(
        datasets=len(rows),
        likelihood_within=float(np.mean(likelihood <= LIKELIHOOD_BAR)),
        ucb_within=float(np.mean(ucb <= ACQUISITION_BAR)),
        worst_likelihood=float(likelihood.max()),
        worst_ucb=float(ucb.max()),
    )
