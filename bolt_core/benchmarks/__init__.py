"""Moving objectives. To add one, add a file here that defines BENCHMARK = BenchmarkSpec(...)."""

from collections.abc import Mapping
from functools import cache

from bolt_core.objective import Benchmark, BenchmarkSpec
from bolt_core.registry import Shelf, pick
from bolt_core.types import Scalar

SHELF = Shelf(__name__, "BENCHMARK", "bolt.benchmarks", BenchmarkSpec)


@cache
def catalog() -> Mapping[str, BenchmarkSpec]:
    """Every benchmark by key."""
    return SHELF.discover()


@cache
def built_in() -> frozenset[str]:
    """The keys of this package's own; the code of the others is somebody else's."""
    return SHELF.own()


def get(key: str) -> BenchmarkSpec:
    return pick(catalog(), "benchmark", key)


def load(key: str, **options: Scalar) -> Benchmark:
    """A ready benchmark."""
    return get(key).build(**options)
