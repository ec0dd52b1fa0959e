"""The twin of a log: a sample of the process that was fitted to it, given its rows, as a benchmark.

A definition is data: the knobs, the fitted model, and the rows (at most 1,000) on which the sample
is conditioned. It runs anywhere without the log, and its key is a hash of all of it, so that two
twins of one key are the same function. The twin passes through the rows within the fitted noise;
where the log says little, it is one of the functions that agree with it (`_twin_path`). Its time is
that of the plant, in seconds, as a rule from the log's first row: a query costs the time between
two measurements, and thinking is charged in proportion.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bolt_core.benchmarks._twin_checks import MAX_KNOBS, MAX_ROWS, MAX_TEXT, checked
from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow
from bolt_core.common.domain import Domain
from bolt_core.common.errors import ConfigError
from bolt_core.common.knob_tables import domain_of, knob_from_json, knob_to_json
from bolt_core.common.knobs import Knob
from bolt_core.common.options import Option
from bolt_core.common.text import in_natural_unit
from bolt_core.common.types import Array, Hyperparameters

if TYPE_CHECKING:
    from bolt_core.benchmarks._twin_path import TwinPath

__all__ = (
    "MAX_KNOBS", "MAX_ROWS", "MAX_TEXT", "TwinDefinition", "is_twin", "knobs_of", "race_length",
    "spec_of",
)  # fmt: skip

PREFIX = "twin-"
HASH_DIGITS = 12
KEY = re.compile(rf"{PREFIX}[0-9a-f]{{{HASH_DIGITS}}}")
MAX_LABEL = 24  # characters
TABLE_SUFFIX = re.compile(r"\.(csv|tsv|txt)$", re.IGNORECASE)  # of the file of a log
DEFAULT_QUERIES = 300  # most queries of a run: five algorithms then take about a minute of CPU
FEWEST_QUERIES = 60  # a shorter log is continued, as the fitted process would go on
CACHED_PATHS = 4  # functions in memory, of up to 100 MB; the lanes of a race share one


@dataclass(frozen=True)
class TwinDefinition:
    """Everything that makes a twin; y larger is better, negated where the user minimizes."""

    name: str
    log_sha256: str  # of the bytes of the log file
    knobs: Mapping[str, Knob]
    outcome: str
    unit: str  # of the outcome
    maximize: bool  # whether the user does; if not, y is negated
    spatial_kernel: str
    temporal_kernel: str
    theta: Hyperparameters  # standardised units of y, seconds
    y_mean: float
    y_sd: float
    mean: float  # standardised
    Z: Array  # (n, d + 1): unit coordinates, and seconds from the beginning of a race
    y: Array  # (n,)
    horizon: float  # seconds
    cost: float  # R(0), seconds
    sample: int  # seed

    def __post_init__(self) -> None:
        knobs = {name: knob.check(name) for name, knob in self.knobs.items()}
        object.__setattr__(self, "knobs", knobs)

    @staticmethod
    def from_json(data: object) -> TwinDefinition:
        """Return the twin of a JSON object; a ConfigError names the first value that is wrong."""
        table = checked(data)
        knobs = knobs_of(table)
        theta = Hyperparameters.from_json(table["theta"])
        arrays = {name: np.array(table[name], dtype=float) for name in ("Z", "y")}
        for array in arrays.values():
            array.flags.writeable = False
        numbers = {name: float(table[name]) for name in NUMBERS}
        return TwinDefinition(**{**table, **arrays, **numbers, "knobs": knobs, "theta": theta})

    def to_json(self) -> dict[str, Any]:
        """Return the twin as a JSON object, which `from_json` reads."""
        theta = self.theta
        l_S = theta.lengthscale_space
        return {
            "name": self.name,
            "log_sha256": self.log_sha256,
            "knobs": [{"name": name, **knob_to_json(k)} for name, k in self.knobs.items()],
            "outcome": self.outcome,
            "unit": self.unit,
            "maximize": self.maximize,
            "spatial_kernel": self.spatial_kernel,
            "temporal_kernel": self.temporal_kernel,
            "theta": {
                "signal_variance": float(theta.signal_variance),
                "lengthscale_space": list(map(float, l_S))
                if isinstance(l_S, tuple)
                else float(l_S),
                "lengthscale_time": float(self.lengthscale_time),
                "noise_variance": float(theta.noise_variance),
            },
            **{name: float(getattr(self, name)) for name in NUMBERS},
            "sample": self.sample,
            "Z": self.Z.tolist(),
            "y": self.y.tolist(),
        }

    @cached_property
    def key(self) -> str:
        """The key of the benchmark: a hash of the definition."""
        canonical = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return PREFIX + hashlib.sha256(canonical.encode()).hexdigest()[:HASH_DIGITS]

    @property
    def dimension(self) -> int:
        """d, the number of knobs."""
        return len(self.knobs)

    @property
    def domain(self) -> Domain | None:
        """What can be set; None if every knob is real."""
        return domain_of(self.knobs.values())

    @property
    def lengthscale_time(self) -> float:
        """l_T, seconds."""
        if self.theta.lengthscale_time is None:
            raise ConfigError("a twin needs a lengthscale in time; fit the model that sees time")
        return self.theta.lengthscale_time

    @property
    def noise_variance(self) -> float:
        """sigma_0^2 in the unit of y, squared."""
        return self.theta.noise_variance * self.y_sd**2

    @property
    def label(self) -> str:
        """A name for screens that no other twin has; without characters that a page would read."""
        tag = f" (twin {self.key.removeprefix(PREFIX)[:4]})"
        stem = TABLE_SUFFIX.sub("", self.name)
        plain = " ".join(re.sub(r"[^\w-]|_", " ", stem).split())
        return (plain[: MAX_LABEL - len(tag)].strip() or "log") + tag

    def path(self, sample: int | None = None) -> TwinPath:
        """Return the sampled function; `sample` is another seed than the definition's."""
        return _path(self, self.sample if sample is None else sample)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TwinDefinition) and self.key == other.key


def knobs_of(table: Mapping[str, Any]) -> dict[str, Knob]:
    """Return the knobs of a definition as a JSON object, by name."""
    return {knob["name"]: _knob(knob) for knob in table["knobs"]}


def is_twin(key: str) -> bool:
    """Whether a benchmark's key is that of the twin of a log, stored here or not."""
    return KEY.fullmatch(key) is not None


NUMBERS = ("y_mean", "y_sd", "mean", "horizon", "cost")


def spec_of(definition: TwinDefinition) -> BenchmarkSpec:
    """Return the twin as a benchmark."""
    rows = len(definition.y)
    return BenchmarkSpec(
        key=definition.key,
        label=definition.label,
        dimension=definition.dimension,
        row=TableRow(
            noise_variance=definition.noise_variance,
            cost=definition.cost,
            horizon=definition.horizon,
            lengthscale_time=definition.lengthscale_time,
        ),
        landscape=partial(landscape, definition),
        options=(
            Option("sample", definition.sample, "seed of the sample; the log fits all", low=0),
        ),
        spatial_kernel=definition.spatial_kernel,
        temporal_kernel=definition.temporal_kernel,
        in_paper=False,
        notes=(
            f"The twin of a log (SHA-256 {definition.log_sha256[:12]}): a sample of the process "
            f"that was fitted to it, given {rows:,} of its rows.",
            "It passes through these rows within the fitted noise. Elsewhere it is one of many "
            "functions that agree with the log: race on several values of `sample`.",
            f"Time is that of the plant: {in_natural_unit(definition.horizon)}, with a query every "
            f"{in_natural_unit(definition.cost)}. That is the time between two rows of the log, "
            f"or more if there would be more than {DEFAULT_QUERIES} queries.",
        ),
    )


def landscape(definition: TwinDefinition, *, sample: int) -> Landscape:
    """Return the landscape of a twin, with its domain."""
    path = definition.path(int(sample))
    return Landscape(
        definition.dimension,
        path.f,
        path.best,
        source=f"twin of a log, SHA-256 {definition.log_sha256[:12]}",
        domain=definition.domain,
        twin=definition.to_json(),
    )


class RaceLength(NamedTuple):
    """How a race replays a log, in seconds."""

    cost: float  # R(0), the time between two queries if thinking takes none
    horizon: float
    begin: float  # of the race, from the log's first row


def race_length(span: float, spacing: float, period: float | None = None) -> RaceLength:
    """Return the cost of a query and the horizon for a log of this span and median spacing.

    The race replays the whole recorded period with the log's own spacing. A log with more than
    `DEFAULT_QUERIES` spacings is queried less often, so that a race ends within a minute or so; one
    with fewer than `FEWEST_QUERIES` goes on beyond its end. With a `period`, queries are so many
    seconds apart, and a longer log is replayed from so late that it ends after `DEFAULT_QUERIES`.
    """
    cost = max(spacing, span / DEFAULT_QUERIES) if period is None else period
    if not cost > 0:
        raise ConfigError(
            "a twin needs a positive time between queries, and all rows of the log have the same "
            "time"
            if period is None
            else f"the period must be above 0 seconds, got {period:g}"
        )
    horizon = max(min(span, DEFAULT_QUERIES * cost), FEWEST_QUERIES * cost)
    return RaceLength(cost, horizon, max(span - horizon, 0.0))


@lru_cache(maxsize=CACHED_PATHS)
def _path(definition: TwinDefinition, sample: int) -> TwinPath:
    from bolt_core.benchmarks._twin_path import conditioned  # scipy: not needed by a list
    from bolt_core.gp.protocol import Data, Inference, Model

    model = Model(
        definition.dimension,
        definition.spatial_kernel,
        definition.temporal_kernel,
        isinstance(definition.theta.lengthscale_space, tuple),
        definition.domain,
    )
    learned = Inference(definition.theta, definition.y_mean, definition.y_sd, definition.mean)
    data = Data.of(definition.Z[:, :-1], definition.Z[:, -1], definition.y)
    return conditioned(model, learned, data, sample)


def _knob(table: Mapping[str, Any]) -> Knob:
    return knob_from_json(table["name"], {k: v for k, v in table.items() if k != "name"})
