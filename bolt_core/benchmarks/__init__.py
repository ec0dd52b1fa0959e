"""Moving objectives. A new module here that defines BENCHMARK = BenchmarkSpec(...) adds one."""

from collections.abc import Mapping
from functools import cache

from bolt_core.benchmarks.spec import Benchmark, BenchmarkSpec
from bolt_core.common.registry import Registry, pick
from bolt_core.common.types import Scalar

HELPERS = frozenset({"oracle", "spec"})  # modules that hold no benchmark
REGISTRY = Registry(__name__, "BENCHMARK", "bolt.benchmarks", BenchmarkSpec, HELPERS)


@cache
def catalog() -> Mapping[str, BenchmarkSpec]:
    """Return every benchmark by key."""
    return REGISTRY.discover()


@cache
def built_in() -> frozenset[str]:
    """Return the keys of the benchmarks of this package; the others come from plug-ins."""
    return REGISTRY.built_in()


def get(key: str) -> BenchmarkSpec:
    """Return one benchmark's spec; raise an UnknownNameError if there is none of that key."""
    return pick(catalog(), "benchmark", key)


def load(key: str, **options: Scalar) -> Benchmark:
    """Return a benchmark with these options, ready to be optimised."""
    return get(key).build(**options)
