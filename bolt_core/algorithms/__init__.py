"""TVBO algorithms. To add one, add a file here that defines ALGORITHM (or ALGORITHMS)."""

from collections.abc import Mapping
from functools import cache

from bolt_core.optimizer import AlgorithmSpec
from bolt_core.registry import Shelf, pick

SHELF = Shelf(__name__, "ALGORITHM", "bolt.algorithms", AlgorithmSpec)


@cache
def catalog() -> Mapping[str, AlgorithmSpec]:
    """Every algorithm by key."""
    return SHELF.discover()


def get(key: str) -> AlgorithmSpec:
    return pick(catalog(), "algorithm", key)
