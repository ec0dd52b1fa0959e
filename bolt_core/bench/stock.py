"""Stock BoTorch, as every comparison of this project means it.

Scale(k_S x k_T), isotropic, ConstantMean, no priors, our bounds, a fresh model at GPyTorch's own
initial values, one fit_gpytorch_mll, optimize_acqf(num_restarts=20, raw_samples=512). Parameters
are optimised in logarithms (BoTorch's LogTransformedInterval), so both engines search one box.
"""

from __future__ import annotations

import math

import numpy as np

from bolt_core.common.types import Hyperparameters
from bolt_core.gp import load
from bolt_core.gp.protocol import Data, FitRequest, Inference, Model, Surrogate

INITIAL = math.log(2)  # softplus(0): where GPyTorch starts every positive parameter


def fresh(model: Model, elapsed: float) -> Inference:
    """GPyTorch's initial values; time counts in units of the time elapsed, as inputs would be."""
    l_T = INITIAL * elapsed if model.sees_time else None
    return Inference(Hyperparameters(INITIAL, INITIAL, l_T, INITIAL))


def fit(model: Model, data: Data, now: float, rng: np.random.Generator) -> Surrogate:
    """One fit of a fresh model."""
    return load("botorch", model).fit(data, FitRequest(now, fresh(model, now)), rng)
