"""Moving objectives. A new module here that defines BENCHMARK = BenchmarkSpec(...) adds one."""

from collections.abc import Mapping
from functools import cache

from bolt_core.benchmarks.spec import Benchmark, BenchmarkSpec
from bolt_core.common.registry import Discovery, PluginProblem, Registry, pick
from bolt_core.common.types import Scalar

HELPERS = frozenset({"oracle", "spec"})  # modules that hold no benchmark
REGISTRY = Registry(__name__, "BENCHMARK", "bolt.benchmarks", BenchmarkSpec, HELPERS)


@cache
def _discovery() -> Discovery[BenchmarkSpec]:
    return REGISTRY.discover()


@cache
def catalog() -> Mapping[str, BenchmarkSpec]:
    """Return every benchmark by key."""
    return _discovery().specs


def problems() -> tuple[PluginProblem, ...]:
    """Return the modules and plug-ins that define no usable benchmark."""
    return _discovery().problems


@cache
def built_in() -> frozenset[str]:
    """Return the keys of the benchmarks of this package; the others come from plug-ins."""
    return _discovery().keys_from(__name__)


def get(key: str) -> BenchmarkSpec:
    """Return one benchmark's spec; raise an UnknownNameError if there is none of that key."""
    return pick(catalog(), "benchmark", key)


def load(key: str, **options: Scalar) -> Benchmark:
    """Return a benchmark with these options, ready to be optimised."""
    return get(key).build(**options)
