"""The surrogate of a run, from its record alone: D, theta, standardisation and kernels.

What a screen shows of a surrogate comes from here. The run itself is not asked and not charged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bolt_core.algorithms.w_gpucb import GrowingNoise, Params
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine, ExactSurrogate
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.runs.snapshot import RunSnapshot

BEFORE = "This record is from before kernels were kept: its surrogate cannot be rebuilt."
EMPTY = "There is nothing in D: it was reset in this pass."
NO_SURROGATE = "This algorithm has no surrogate, so no observation is more relevant than another."


def surrogate(run: RunSnapshot) -> ExactSurrogate | None:
    """The surrogate after the last pass; None if there is none, and `why_none` says why.

    Always on the exact engine: posterior and W_2 are the same formulas for both.
    """
    notes = run.columns.notes[len(run) - 1] if len(run) else {}
    members, header = run.members(), run.header or {}
    if "inference" not in notes or "spatial_kernel" not in header or not members:
        return None
    dimension = run.columns["x"].shape[1]
    model = Model(dimension, header["spatial_kernel"], header["temporal_kernel"])
    return ExactEngine(model).condition(_data(run, members, notes), _learned(run, notes))


def why_none(run: RunSnapshot) -> str | None:
    """Why there never will be a surrogate of this version; None if it is only too early."""
    if not len(run) or run.columns["warmup"][-1]:
        return None
    if not np.isfinite(run.columns["signal_variance"][-1]):
        return NO_SURROGATE
    if "spatial_kernel" not in (run.header or {}):
        return BEFORE
    return None if run.members() else EMPTY


def _data(run: RunSnapshot, members: list[int], notes: Mapping[str, Any]) -> Data:
    X, t, y = (run.columns[name][members] for name in ("x", "t", "y"))
    if "memory" not in notes:
        return Data.of(X, t, y)
    ageing = GrowingNoise(Params(memory=notes["memory"]))
    return Data.of(X, t, y, ageing.weights(float(run.columns["t"][-1]), t))


def _learned(run: RunSnapshot, notes: Mapping[str, Any]) -> Inference:
    theta = run.records[-1].theta
    assert isinstance(theta, Hyperparameters)
    told = {name: notes["inference"].get(name, 0.0) for name in ("mean", "jitter")}
    return Inference(theta, notes["inference"]["y_mean"], notes["inference"]["y_sd"], **told)
