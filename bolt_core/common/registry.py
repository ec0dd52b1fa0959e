"""Discovery of specs: every module of a package defines one constant of a given name.

Plug-in packages add theirs through an entry-point group; an entry point refers to a spec or to a
sequence of specs.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from bolt_core.common.errors import PluginError, UnknownNameError


class Keyed(Protocol):
    """A spec, identified by its key."""

    @property
    def key(self) -> str: ...


T = TypeVar("T")
K = TypeVar("K", bound=Keyed)


@dataclass(frozen=True)
class Registry(Generic[K]):
    """Where specs are found: in the modules of a package and in an entry-point group."""

    package: str
    constant: str  # "NAME"; a module with several specs defines "NAMES", the main one first
    group: str
    spec: type[K]
    helpers: frozenset[str] = frozenset()  # modules of the package that define no spec

    def discover(self) -> Mapping[str, K]:
        """Return every spec by key, those of the package first; _private modules are skipped."""
        specs: dict[str, K] = {}
        for origin, value in [*self._modules(), *self._entry_points()]:
            for spec in value if isinstance(value, Sequence) else (value,):
                if not isinstance(spec, self.spec):
                    raise PluginError(
                        f"{origin} must define {self.constant} = {self.spec.__name__}(...)"
                    )
                if spec.key in specs:
                    raise PluginError(f"{origin} reuses the key {spec.key!r}; choose another")
                specs[spec.key] = spec
        return MappingProxyType(specs)

    def built_in(self) -> frozenset[str]:
        """Return the keys that the modules of the package define."""
        values = (v if isinstance(v, Sequence) else (v,) for _, v in self._modules())
        return frozenset(spec.key for specs in values for spec in specs)

    def _modules(self) -> Iterator[tuple[str, Any]]:
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


def pick(items: Mapping[str, T], kind: str, key: str) -> T:
    """Return items[key]; raise an UnknownNameError that lists the keys if there is none."""
    if key not in items:
        raise UnknownNameError(kind, key, items)
    return items[key]
