"""The directory is the registry: each module of a package offers one named constant.

Other people's packages join through an entry-point group; an entry point leads to a spec, or to
a sequence of specs.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from bolt_core.common.errors import PluginError, UnknownNameError


class Keyed(Protocol):
    """Anything with a key."""

    @property
    def key(self) -> str: ...


T = TypeVar("T")
K = TypeVar("K", bound=Keyed)


@dataclass(frozen=True)
class Registry(Generic[K]):
    """Where to look: a package, the constant its modules define, and an entry-point group."""

    package: str
    constant: str  # `NAME`, or `NAMES` for several, main first
    group: str
    spec: type[K]
    helpers: frozenset[str] = frozenset()  # modules of the package that define no spec

    def discover(self) -> Mapping[str, K]:
        """Every spec by key, this package's first; _private modules are helpers."""
        found: dict[str, K] = {}
        for origin, value in [*self._files(), *self._entry_points()]:
            for spec in value if isinstance(value, Sequence) else (value,):
                if not isinstance(spec, self.spec):
                    raise PluginError(
                        f"{origin} must define {self.constant} = {self.spec.__name__}(...)"
                    )
                if spec.key in found:
                    raise PluginError(f"{origin} reuses the key {spec.key!r}; choose another")
                found[spec.key] = spec
        return MappingProxyType(found)

    def own(self) -> frozenset[str]:
        """The keys of the package's own files."""
        several = (v if isinstance(v, Sequence) else (v,) for _, v in self._files())
        return frozenset(spec.key for specs in several for spec in specs)

    def _files(self) -> Iterator[tuple[str, Any]]:
        for module in pkgutil.iter_modules(importlib.import_module(self.package).__path__):
            if not module.name.startswith("_") and module.name not in self.helpers:
                path = f"{self.package}.{module.name}"
                loaded = importlib.import_module(path)
                several = getattr(loaded, f"{self.constant}S", None)
                yield path, several or getattr(loaded, self.constant, None)

    def _entry_points(self) -> Iterator[tuple[str, Any]]:
        for entry in entry_points(group=self.group):
            origin = f"the entry point {entry.name} = {entry.value}"
            try:
                yield origin, entry.load()
            except (ImportError, AttributeError) as problem:
                raise PluginError(
                    f"{origin} cannot be loaded ({problem}); repair or uninstall its package"
                ) from problem


def pick(found: Mapping[str, T], kind: str, key: str) -> T:
    """found[key], or an UnknownNameError that lists what there is."""
    if key not in found:
        raise UnknownNameError(kind, key, found)
    return found[key]
