"""The surrogate of a run, rebuilt from its record: D, theta, standardisation and kernels.

Charts of a surrogate use this module, so that drawing them costs the run no time.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bolt_core.algorithms.w_gpucb import GrowingNoise, Params
from bolt_core.common.domain import Domain
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.exact import ExactEngine, ExactSurrogate
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.runs.snapshot import RunSnapshot

NO_KERNELS = "This old record does not name its kernels: its surrogate cannot be rebuilt."
EMPTY_DATASET = "The dataset is empty: this pass reset it."
NO_SURROGATE = "This algorithm has no surrogate, so no observation is more relevant than another."


def surrogate(run: RunSnapshot) -> ExactSurrogate | None:
    """Return the surrogate after the last pass; None if there is none: see `why_none`.

    It is always of the exact engine: posterior and W_2 have the same formulas on both engines.
    """
    notes = run.columns.notes[len(run) - 1] if len(run) else {}
    members, header = run.members(), run.header or {}
    if "inference" not in notes or not _names_kernels(header) or not members:
        return None
    dimension = run.columns["x"].shape[1]
    ard = run.columns.scales is not None
    kernels = header["spatial_kernel"], header["temporal_kernel"]
    model = Model(dimension, *kernels, ard, domain_of(header))
    return ExactEngine(model).condition(_data(run, members, notes), _learned(run, notes))


def why_none(run: RunSnapshot) -> str | None:
    """Return why this pass has no surrogate; None if the run is still in its warm-up."""
    if not len(run) or run.columns["warmup"][-1]:
        return None
    if not np.isfinite(run.columns["signal_variance"][-1]):
        return NO_SURROGATE
    if not _names_kernels(run.header or {}):
        return NO_KERNELS
    return None if run.members() else EMPTY_DATASET


def _names_kernels(header: Mapping[str, Any]) -> bool:
    return bool(header.get("spatial_kernel") and header.get("temporal_kernel"))


def domain_of(header: Mapping[str, Any]) -> Domain | None:
    """Return what could be set in a run, from the header of its record; None: all of S."""
    stored = header.get("domain")
    return None if stored is None else Domain.from_json(stored)


def _data(run: RunSnapshot, members: list[int], notes: Mapping[str, Any]) -> Data:
    X, t, y = (run.columns[name][members] for name in ("x", "t", "y"))
    if notes.get("memory") is None:
        return Data.of(X, t, y)
    ageing = GrowingNoise(Params(memory=notes["memory"]))
    return Data.of(X, t, y, ageing.weights(float(run.columns["t"][-1]), t))


def _learned(run: RunSnapshot, notes: Mapping[str, Any]) -> Inference:
    theta = run.records[-1].theta
    assert isinstance(theta, Hyperparameters)
    optional = {name: notes["inference"].get(name, 0.0) for name in ("mean", "jitter")}
    return Inference(theta, notes["inference"]["y_mean"], notes["inference"]["y_sd"], **optional)
