"""The interface of an algorithm (ask, tell, infer, prune) and its row of Table 1."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from bolt_core.common.errors import PluginError
from bolt_core.common.options import NoParams, options_of, parse_all
from bolt_core.common.registry import check_names
from bolt_core.common.types import Hyperparameters, Observation, ResponseSample, Scalar

SHARED_DIFFERENCES = (  # of all algorithms with a surrogate from their sources
    "By default all use GPUCB with \N{GREEK SMALL LETTER BETA} = 0.2 d log(2n), n being the "
    "present dataset size, instead of a schedule of their own.",
    "All learn their hyperparameters during the run, by maximum likelihood within bounds (l_T is "
    "at least two mean gaps between observations), and a constant mean instead of zero.",
)


@dataclass(frozen=True, slots=True)
class Query:
    """The next point to measure, at `at` seconds on the run's clock or as soon as possible."""

    x: tuple[float, ...]
    at: float | None = None
    explores: bool = False  # it is a random point among those that may be the optimum


@dataclass(frozen=True, slots=True)
class Removal:
    """The observations that a stale-data policy removes at the end of a pass, and why."""

    ids: tuple[int, ...] = ()
    n_star: int | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)  # JSON-ready
    side: tuple[int, ...] = ()  # dataset sizes of further inferences made in this pass


class Optimizer(Protocol):
    """One pass of Algorithm 1, without the clock and the objective."""

    infers: bool  # False: no surrogate, so a declared device charges no computing time

    @property
    def dataset(self) -> Sequence[Observation]:
        """D: the observations that are kept, the newest last."""

    @property
    def theta(self) -> Hyperparameters | None:
        """The hyperparameters inferred last; None before the first inference."""

    def ask(self, t: float) -> Query:
        """Return the next query, asked for at time t in seconds."""

    def tell(self, observation: Observation) -> None:
        """Add an observation to D."""

    def infer(self, t: float) -> None:
        """Infer the hyperparameters from D at time t."""

    def prune(self, t: float, responses: Sequence[ResponseSample]) -> Removal:
        """Remove stale observations from D, given the response times measured so far."""

    def state(self) -> dict[str, Any]:
        """Return all but the dataset, JSON-ready: with D, a run continues from it bit for bit."""

    def restore(self, state: Mapping[str, Any], dataset: Sequence[Observation]) -> None:
        """Continue from what `state` returned and the dataset at that time."""


@dataclass(frozen=True, slots=True)
class AlgorithmSpec:
    """One row of Table 1, and the function that builds the algorithm."""

    key: str
    label: str  # the paper's spelling
    year: int
    build: Callable[..., Optimizer]  # build(problem, rng, *, params, engine: EngineConfig)
    kind: str = "paper"  # or control, variant, baseline
    assumes_objective: str = "No"
    assumes_response_time: str = "No"
    stale_data: str = "None"
    guarantee: str = "None"
    differs: tuple[str, ...] = ()  # from its source, one sentence each; see SHARED_DIFFERENCES
    params: type = NoParams  # a dataclass; see options.py
    rank: int = 0  # among those of one year, as Table 1 lists them
    infers: bool = True  # False: no surrogate, as `Optimizer.infers`

    def check(self) -> None:
        """Raise a PluginError if a field cannot be used."""
        check_names(self.key, self.label)
        if not (type(self.year) is int and type(self.rank) is int):
            raise PluginError(f"year and rank must be whole numbers, got {self.year!r}")
        if not callable(self.build):
            raise PluginError(f"build must be a function, got {self.build!r}")
        options_of(self.params)  # raises if it is no dataclass of options

    @property
    def order(self) -> tuple[int, int, int]:
        """The sort key of Table 1: the paper's algorithms by year, control, variants, baselines."""
        kinds = ("paper", "control", "variant", "baseline")
        kind = kinds.index(self.kind) if self.kind in kinds else len(kinds)
        return kind, self.year, self.rank

    def parse(self, values: Mapping[str, Scalar]) -> Any:  # noqa: ANN401 - an instance of `params`
        """Return this algorithm's parameters: the given values, and defaults elsewhere."""
        options = options_of(self.params)
        return self.params(**parse_all(f"parameter of {self.key}", options, values))


def generator_state(rng: np.random.Generator) -> dict[str, Any]:
    """Return the state of a PCG64 generator, JSON-ready."""
    return dict(rng.bit_generator.state)


def restore_generator(state: Mapping[str, Any]) -> np.random.Generator:
    """Return a generator in a state that `generator_state` returned."""
    bits = np.random.PCG64()
    bits.state = state  # type: ignore[assignment] # the dict that generator_state() returned
    return np.random.Generator(bits)
