"""TVBO algorithms. To add one, add a file here that defines ALGORITHM (or ALGORITHMS)."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from bolt_core.optimizer import AlgorithmSpec
from bolt_core.registry import Shelf, pick

SHELF = Shelf(__name__, "ALGORITHM", "bolt.algorithms", AlgorithmSpec)


@cache
def catalog() -> Mapping[str, AlgorithmSpec]:
    """Every algorithm by key, in the order of Table 1."""
    found = SHELF.discover()
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: item[1].order)))


def get(key: str) -> AlgorithmSpec:
    return pick(catalog(), "algorithm", key)
