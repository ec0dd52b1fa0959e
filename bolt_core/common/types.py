"""The data types of a run: problem, observation, record, configuration and status. Immutable."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bolt_core.common.domain import Domain
from bolt_core.common.errors import ConfigError, UnknownNameError

Array: TypeAlias = NDArray[np.float64]
Scalar: TypeAlias = str | float | int | bool | None

CLOCKS = ("cpu", "model", "wall")
ENGINES = ("exact", "botorch")
ACQUISITIONS = ("ucb", "ei", "logei", "pi")
WARMUP = 15  # random queries before the first ask (Section 5.1)
# A nominal device for the model clock: seconds, seconds per n, n^2, n^3. Round figures (0.5 s at
# n = 100, 3 s at 400) of a slow machine with stock BoTorch; not a measurement.
NOMINAL_DEVICE = (0.0, 5e-3, 0.0, 1e-8)


@dataclass(frozen=True, slots=True)
class Problem:
    """All that an algorithm may know; f, H, sigma_0^2 and R(0) are hidden from it (Appendix C)."""

    dimension: int  # d, with S = [0, 1]^d
    spatial_kernel: str = "matern52"
    temporal_kernel: str = "matern32"
    domain: Domain | None = None  # what can be set; None: all of S

    def __post_init__(self) -> None:
        if self.domain is not None and self.domain.dimension != self.dimension:
            raise ConfigError(
                f"the domain has {self.domain.dimension} knobs and the problem {self.dimension}"
            )


@dataclass(frozen=True, slots=True)
class Observation:
    """o_i = (x_i, t_i, y_i). The iteration index `i` identifies it."""

    i: int
    x: tuple[float, ...]  # in S = [0, 1]^d
    t: float  # seconds since the run began
    y: float  # f(x, t) + noise


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """The hyperparameters of the surrogate, k = lambda k_S k_T plus noise."""

    signal_variance: float  # lambda
    lengthscale_space: float | tuple[float, ...]  # l_S, in units of [0, 1]; a tuple: per knob
    lengthscale_time: float | None  # l_T, seconds; None for a surrogate without time
    noise_variance: float  # sigma_0^2

    @property
    def per_knob(self) -> tuple[float, ...]:
        """l_S as a tuple: one per knob, or the single one of all knobs."""
        l_S = self.lengthscale_space
        return l_S if isinstance(l_S, tuple) else (l_S,)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Hyperparameters:
        """Return the hyperparameters that `asdict` turned into JSON."""
        theta = Hyperparameters(**data)
        l_S: object = theta.lengthscale_space
        return replace(theta, lengthscale_space=tuple(l_S)) if isinstance(l_S, list) else theta


@dataclass(frozen=True, slots=True)
class ResponseSample:
    """One row (n, R(n)) of the response-time dataset."""

    n: int
    seconds: float


class SpeedChange(NamedTuple):
    """A change of the speed of the device before pass `i`."""

    i: int  # passes made before it
    t: float  # seconds on the run's clock
    ratio: float  # computing time after the change, relative to before
    factor: float  # computing time after the change, relative to the config


MAY_BE_NAN = {"may be NaN": True}  # metadata of a field: unknown without an oracle


@dataclass(frozen=True, slots=True)
class IterationRecord:
    """Everything one pass of the loop decided or measured.

    This is the only place where the fields of a record are listed: columns, data frames and the
    JSON of record files are derived from it (`runs/record_fields`). The JSON holds the fields in
    this order, leaves out a field that has its default value or is an unknown NaN, and gives a
    missing field that value when it is read. A new field therefore needs a default, for the sake
    of older records.
    """

    observation: Observation
    value: float = field(metadata=MAY_BE_NAN)  # f(x_t, t), noiseless; hidden from the algorithm
    best: float = field(metadata=MAY_BE_NAN)  # f(x*_t, t)
    best_x: tuple[float, ...] = field(metadata=MAY_BE_NAN)  # x*_t
    n: int  # |D| when the pass began
    seconds: float  # R(n): from this reading of the clock to the next
    warmup: bool  # a random query, no inference
    waited: float = 0.0  # seconds from the beginning of the pass to its observation
    theta: Hyperparameters | None = None  # None until the first inference
    n_star: int | None = None  # only algorithms that compute it
    removed: tuple[int, ...] = ()  # ids of observations removed at the end of this pass
    notes: Mapping[str, Any] = field(default_factory=dict)  # further results of the algorithm

    @property
    def regret(self) -> float:
        """r_i = f(x*_t, t) - f(x_t, t)."""
        return self.best - self.value


class RunStatus(StrEnum):
    """The status of a run; strings, so that equality survives a Streamlit module reload."""

    QUEUED = "queued"
    STARTING = "starting"
    WARMING_UP = "warming_up"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"  # the file ends without a closing line

    @property
    def ended(self) -> bool:
        """Whether no further pass will follow."""
        return self in (
            RunStatus.FINISHED,
            RunStatus.STOPPED,
            RunStatus.FAILED,
            RunStatus.INTERRUPTED,
        )


@dataclass(frozen=True, slots=True)
class ClockConfig:
    """The clock of a run and the speed of its device."""

    kind: str = "cpu"
    slowdown: float = 1.0  # cpu clock: how many times slower than this machine
    device: tuple[float, ...] = NOMINAL_DEVICE  # model clock: c_0 .. c_3 of R(n) - R(0)

    def __post_init__(self) -> None:
        if self.kind not in CLOCKS:
            raise UnknownNameError("clock", self.kind, CLOCKS)
        if not 0 < self.slowdown < math.inf:
            raise ConfigError(
                f"slowdown must be positive and finite, got {self.slowdown}; 1 is this machine"
            )
        object.__setattr__(self, "device", tuple(float(c) for c in self.device))
        if len(self.device) != 4 or not all(0 <= c < math.inf for c in self.device):
            raise ConfigError(
                f"a device is four numbers c0,c1,c2,c3 >= 0 (s per n^j), got {self.device}"
            )


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """The GP engine of an algorithm and its acquisition function."""

    name: str = "exact"
    acquisition: str = "ucb"
    ard: bool = False  # one spatial lengthscale per knob

    def __post_init__(self) -> None:
        if self.name not in ENGINES:
            raise UnknownNameError("engine", self.name, ENGINES)
        if self.acquisition not in ACQUISITIONS:
            raise UnknownNameError("acquisition", self.acquisition, ACQUISITIONS)
        if type(self.ard) is not bool:
            raise ConfigError(f"ard must be true or false, got {self.ard!r}")


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that determines a run, as plain names and numbers."""

    algorithm: str
    benchmark: str
    seed: int = 0
    warmup: int = WARMUP
    horizon: float | None = None  # seconds; None means the benchmark's own H
    clock: ClockConfig = field(default_factory=ClockConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)
    params: Mapping[str, Scalar] = field(default_factory=dict)  # of the algorithm
    options: Mapping[str, Scalar] = field(default_factory=dict)  # of the benchmark

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ConfigError(f"seed must be 0 or more, got {self.seed}")
        if self.warmup < 1:
            raise ConfigError(f"warm-up must be at least 1 query, got {self.warmup}")
        if self.horizon is not None and not (0 < self.horizon < math.inf):
            raise ConfigError(f"horizon must be positive and finite, got {self.horizon}")

    @property
    def key(self) -> str:
        """The first 12 hex digits of the SHA-256 of the canonical JSON."""
        canonical = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]

    def to_json(self) -> dict[str, Any]:
        """Return the config, JSON-ready; `ard` only where it is true, which keeps older keys."""
        data = asdict(self)
        if not self.engine.ard:
            del data["engine"]["ard"]
        return data

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> RunConfig:
        """Return the config that `to_json` wrote."""
        nested = {"clock": ClockConfig(**data["clock"]), "engine": EngineConfig(**data["engine"])}
        return RunConfig(**{**data, **nested})
