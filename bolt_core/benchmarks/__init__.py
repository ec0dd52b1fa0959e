"""Moving objectives. A new module here that defines BENCHMARK = BenchmarkSpec(...) adds one.

There are three sources: the modules of this package, plug-ins (entry points), and the twins of logs
that are stored in the data directory.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from bolt_core.benchmarks import stored_twins
from bolt_core.benchmarks.spec import Benchmark, BenchmarkSpec
from bolt_core.benchmarks.twin import is_twin
from bolt_core.common.errors import TwinNotStoredError
from bolt_core.common.registry import Discovery, PluginProblem, Registry, pick
from bolt_core.common.types import Scalar

HELPERS = frozenset({"oracle", "spec", "stored_twins", "twin"})  # modules that hold no benchmark
REGISTRY = Registry(__name__, "BENCHMARK", "bolt.benchmarks", BenchmarkSpec, HELPERS)


@cache
def _discovery() -> Discovery[BenchmarkSpec]:
    return REGISTRY.discover()


def catalog() -> Mapping[str, BenchmarkSpec]:
    """Return every benchmark by key; the stored twins come last."""
    found, twins = _discovery().specs, stored_twins.stored().specs
    return MappingProxyType({**found, **twins}) if twins else found


def problems() -> tuple[PluginProblem, ...]:
    """Return the modules, plug-ins and files of twins that define no usable benchmark."""
    return (*_discovery().problems, *stored_twins.stored().problems)


def built_in() -> frozenset[str]:
    """Return the keys of the benchmarks whose code is of this package; others are of plug-ins."""
    return _of_package() | stored_twins.stored().specs.keys()


def without_twins() -> Mapping[str, BenchmarkSpec]:
    """Return the benchmarks that are installed, by key: all but the twins of logs."""
    return _discovery().specs


def get(key: str) -> BenchmarkSpec:
    """Return one benchmark's spec; raise an UnknownNameError if there is none of that key."""
    if spec := catalog().get(key) or stored_twins.find(key):
        return spec
    if is_twin(key):
        raise TwinNotStoredError(key)
    return pick(catalog(), "benchmark", key)


def load(key: str, **options: Scalar) -> Benchmark:
    """Return a benchmark with these options, ready to be optimised."""
    return get(key).build(**options)


@cache
def _of_package() -> frozenset[str]:
    return _discovery().keys_from(__name__)
