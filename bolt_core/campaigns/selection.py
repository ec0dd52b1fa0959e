"""A part of a campaign's runs: some algorithms, some benchmarks, the first seeds."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.options import split_words
from bolt_core.common.types import RunConfig


@dataclass(frozen=True, slots=True)
class Selection:
    """What is chosen; an empty choice is all."""

    algorithms: tuple[str, ...] = ()
    benchmarks: tuple[str, ...] = ()
    seeds: int | None = None  # the first so many of the plan

    def __post_init__(self) -> None:
        if self.seeds is not None and self.seeds < 1:
            raise ConfigError(f"seeds must be 1 or more, got {self.seeds}")

    @staticmethod
    def from_words(
        algorithms: str | None, benchmarks: str | None, seeds: int | None
    ) -> "Selection":
        """Return what texts with commas choose; None chooses all, and an empty text is an error."""
        return Selection(_words("algorithms", algorithms), _words("benchmarks", benchmarks), seeds)

    def of(self, configs: Collection[RunConfig]) -> list[RunConfig]:
        """Return the chosen runs of a plan; a name that is not in the plan is an error."""
        _check("algorithm", self.algorithms, (c.algorithm for c in configs))
        _check("benchmark", self.benchmarks, (c.benchmark for c in configs))
        seeds = sorted({c.seed for c in configs})[: self.seeds]
        return [
            c
            for c in configs
            if c.seed in seeds
            and (not self.algorithms or c.algorithm in self.algorithms)
            and (not self.benchmarks or c.benchmark in self.benchmarks)
        ]


ALL = Selection()


def _words(name: str, text: str | None) -> tuple[str, ...]:
    words = tuple(split_words(text or ""))
    if text is not None and not words:
        raise ConfigError(f"{name} is empty, got {text!r}; leave it out to choose all")
    return words


def _check(kind: str, names: Iterable[str], planned: Iterable[str]) -> None:
    available = set(planned)
    for name in names:
        if name not in available:
            raise UnknownNameError(f"{kind} of this plan", name, available)
