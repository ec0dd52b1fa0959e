"""Twins of logs for tests, of logs that are made from a formula."""

import numpy as np

from bolt_core.benchmarks.twin import TwinDefinition
from bolt_core.common.knobs import Choice, Integer, Real
from bolt_core.common.types import Hyperparameters

HOUR = 3600.0
REALS = {"feed": Real(0.0, 8.0, unit="l/min"), "rate": Real(1e-4, 1e-1, scale="log")}
MIXED = {"feed": Real(0.0, 8.0), "stages": Integer(1, 6), "catalyst": Choice("A", "B", "C")}
SHA256 = "ab" * 32


def make_twin(rows=40, *, knobs=None, period=300.0, noise_sd=0.1, seed=0, **changes):
    """Return the twin of a log of so many rows: a wave of amplitude 1 that moves in the hour."""
    knobs = REALS if knobs is None else knobs
    rng = np.random.default_rng(seed)
    X = rng.random((rows, len(knobs)))
    for k, knob in enumerate(knobs.values()):
        if knob.levels:
            X[:, k] = (np.floor(X[:, k] * knob.levels) + 0.5) / knob.levels
    t = period * np.arange(rows)
    y = np.sin(5.0 * X.sum(axis=1) + t / HOUR) + noise_sd * rng.standard_normal(rows)
    sd = float(y.std())
    fields = {
        "name": "Reactor",
        "log_sha256": SHA256,
        "knobs": knobs,
        "outcome": "yield",
        "unit": "%",
        "maximize": True,
        "spatial_kernel": "matern52",
        "temporal_kernel": "matern32",
        "theta": Hyperparameters(1.0, (0.4,) * len(knobs), HOUR, (noise_sd / sd) ** 2),
        "y_mean": float(y.mean()),
        "y_sd": sd,
        "mean": 0.1,
        "Z": np.column_stack([X, t]),
        "y": y,
        "horizon": period * max(rows, 60),
        "cost": period,
        "sample": 3,
    }
    return TwinDefinition(**{**fields, **changes})
