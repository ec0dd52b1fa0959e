"""Moving objectives. To add one, add a file here that defines BENCHMARK = BenchmarkSpec(...)."""

from collections.abc import Mapping
from functools import cache

from bolt_core.benchmarks.spec import Benchmark, BenchmarkSpec
from bolt_core.common.registry import Registry, pick
from bolt_core.common.types import Scalar

HELPERS = frozenset({"oracle", "spec"})  # modules that hold no benchmark
REGISTRY = Registry(__name__, "BENCHMARK", "bolt.benchmarks", BenchmarkSpec, HELPERS)


@cache
def catalog() -> Mapping[str, BenchmarkSpec]:
    """Every benchmark by key."""
    return REGISTRY.discover()


@cache
def built_in() -> frozenset[str]:
    """The keys of this package's own; the code of the others is somebody else's."""
    return REGISTRY.built_in()


def get(key: str) -> BenchmarkSpec:
    return pick(catalog(), "benchmark", key)


def load(key: str, **options: Scalar) -> Benchmark:
    """A ready benchmark."""
    return get(key).build(**options)
