"""Surrogates whose hyperparameters are given, for tests of formulas."""

import numpy as np

from bolt_core import gp
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.protocol import Data, Inference, Model


def covariance(temporal="matern32", *, d=2, l_S=0.5, l_T=60.0, noise=0.1, spatial="matern52"):
    theta = Hyperparameters(1.0, l_S, None if temporal == "none" else l_T, noise)
    return Model(d, spatial, temporal).covariance(theta)


def conditioned(k, Z, y=None):
    """The exact engine's surrogate, nothing inferred."""
    model = Model(Z.shape[1] - 1, k.spatial.name, k.temporal.name)
    data = Data(Z, np.zeros(len(Z)) if y is None else y, np.ones(len(Z)))
    return gp.load("exact", model).condition(data, Inference(k.theta))
