"""What an algorithm is to the loop: ask, tell, infer, prune. And one row of Table 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from bolt_core.common.options import NoParams, options_of, parse_all
from bolt_core.common.types import Hyperparameters, Observation, ResponseSample, Scalar


@dataclass(frozen=True, slots=True)
class Query:
    """Where to look next, and when: `at` seconds on the run's clock, or as soon as possible."""

    x: tuple[float, ...]
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """What a stale-data policy decided at the end of a pass."""

    ids: tuple[int, ...] = ()
    n_star: int | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)  # JSON-ready
    side: tuple[int, ...] = ()  # sizes of inferences made besides the surrogate's own


class Optimizer(Protocol):
    """One pass of Algorithm 1, minus the clock and the objective."""

    infers: bool  # False: no surrogate, so a declared device charges nothing for its thinking

    @property
    def dataset(self) -> Sequence[Observation]: ...

    @property
    def theta(self) -> Hyperparameters | None: ...

    def ask(self, t: float) -> Query: ...

    def tell(self, observation: Observation) -> None: ...

    def infer(self, t: float) -> None: ...

    def prune(self, t: float, responses: Sequence[ResponseSample]) -> Removal: ...

    def state(self) -> dict[str, Any]:
        """All but the dataset, JSON-ready: enough to go on elsewhere, bit for bit."""

    def restore(self, state: Mapping[str, Any], dataset: Sequence[Observation]) -> None: ...


@dataclass(frozen=True, slots=True)
class AlgorithmSpec:
    """One row of Table 1, plus the way to build it. Put one in a file of algorithms/."""

    key: str
    label: str  # the paper's spelling
    year: int
    kind: str  # paper, control, variant or baseline
    assumes_objective: str
    assumes_response_time: str
    stale_data: str
    guarantee: str
    build: Callable[..., Optimizer]  # build(problem, rng, *, params, engine: EngineConfig)
    params: type = NoParams  # a dataclass; see options.py
    rank: int = 0  # among those of one year, as Table 1 lists them

    @property
    def order(self) -> tuple[int, int, int]:
        """Table 1's: the paper's algorithms by age, the control, variants, baselines."""
        kinds = ("paper", "control", "variant", "baseline")
        kind = kinds.index(self.kind) if self.kind in kinds else len(kinds)
        return kind, self.year, self.rank

    def parse(self, given: Mapping[str, Scalar]) -> Any:  # noqa: ANN401 - an instance of `params`
        """This algorithm's parameters with `given` values, defaults elsewhere."""
        known = options_of(self.params)
        return self.params(**parse_all(f"parameter of {self.key}", known, given))


def generator_state(rng: np.random.Generator) -> dict[str, Any]:
    """A PCG64 generator as JSON: two large whole numbers and a carried half-word."""
    return dict(rng.bit_generator.state)


def restore_generator(state: Mapping[str, Any]) -> np.random.Generator:
    bits = np.random.PCG64()
    bits.state = state  # type: ignore[assignment] # the dict generator_state() gave
    return np.random.Generator(bits)
