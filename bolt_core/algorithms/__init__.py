"""TVBO algorithms. To add one, add a file here that defines ALGORITHM (or ALGORITHMS)."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from bolt_core.algorithms.spec import AlgorithmSpec
from bolt_core.common.registry import Registry, pick

HELPERS = frozenset({"drift", "gp_optimizer", "spec"})  # modules that hold no algorithm
REGISTRY = Registry(__name__, "ALGORITHM", "bolt.algorithms", AlgorithmSpec, HELPERS)


@cache
def catalog() -> Mapping[str, AlgorithmSpec]:
    """Every algorithm by key, in the order of Table 1."""
    found = REGISTRY.discover()
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: item[1].order)))


def get(key: str) -> AlgorithmSpec:
    return pick(catalog(), "algorithm", key)
