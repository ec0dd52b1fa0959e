"""TVBO algorithms. A new module here that defines ALGORITHM (or ALGORITHMS) adds one."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from bolt_core.algorithms.spec import AlgorithmSpec
from bolt_core.common.registry import Discovery, PluginProblem, Registry, pick

HELPERS = frozenset(  # modules that hold no algorithm
    {"drift", "gp_optimizer", "policy", "size_limit", "spec", "without_model"}
)
REGISTRY = Registry(__name__, "ALGORITHM", "bolt.algorithms", AlgorithmSpec, HELPERS)


@cache
def _discovery() -> Discovery[AlgorithmSpec]:
    return REGISTRY.discover()


@cache
def catalog() -> Mapping[str, AlgorithmSpec]:
    """Return every algorithm by key, in the order of Table 1."""
    specs = _discovery().specs
    return MappingProxyType(dict(sorted(specs.items(), key=lambda item: item[1].order)))


def problems() -> tuple[PluginProblem, ...]:
    """Return the modules and plug-ins that define no usable algorithm."""
    return _discovery().problems


@cache
def built_in() -> frozenset[str]:
    """Return the keys of the algorithms of this package; the others come from plug-ins."""
    return _discovery().keys_from(__name__)


def get(key: str) -> AlgorithmSpec:
    """Return one algorithm; raise an UnknownNameError if there is none of that key."""
    return pick(catalog(), "algorithm", key)


def is_baseline(key: str) -> bool:
    """Whether an algorithm is a baseline: shown for comparison, without a rank, on no scale."""
    spec = catalog().get(key)
    return spec is not None and spec.kind == "baseline"
