"""Stock BoTorch, the reference of every comparison in this project.

The model is Scale(k_S x k_T), isotropic, with a ConstantMean, no priors and our bounds; each fit
starts from GPyTorch's initial values and calls fit_gpytorch_mll once; the acquisition is maximised
by optimize_acqf(num_restarts=20, raw_samples=512). Parameters are optimised in logarithms
(BoTorch's LogTransformedInterval), so both engines search the same box.
"""

import math

import numpy as np

from bolt_core.common.types import Hyperparameters
from bolt_core.gp import load
from bolt_core.gp.protocol import Data, FitRequest, Inference, Model, Surrogate

INITIAL_VALUE = math.log(2)  # softplus(0): GPyTorch's initial value of a positive parameter


def fresh(model: Model, elapsed: float) -> Inference:
    """Return GPyTorch's initial values, with time in units of the elapsed time."""
    l_T = INITIAL_VALUE * elapsed if model.sees_time else None
    return Inference(Hyperparameters(INITIAL_VALUE, INITIAL_VALUE, l_T, INITIAL_VALUE))


def fit(model: Model, data: Data, now: float, rng: np.random.Generator) -> Surrogate:
    """Fit a fresh model once."""
    return load("botorch", model).fit(data, FitRequest(now, fresh(model, now)), rng)
