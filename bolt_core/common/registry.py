"""Discovery of specs: every module of a package defines one constant of a given name.

Plug-in packages add theirs through an entry-point group; an entry point refers to a spec or to a
sequence of specs. A module or a plug-in that cannot be imported, does not answer, or defines no
valid spec is left out, and is listed with its error.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

from bolt_core.common.errors import PluginError, UnknownNameError
from bolt_core.common.text import shortened
from bolt_core.common.time_limit import call_within

IMPORT_LIMIT_SECONDS = 20.0  # for one plug-in
KEY_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class Keyed(Protocol):
    """A spec, identified by its key."""

    @property
    def key(self) -> str: ...

    def check(self) -> None:
        """Raise an exception if a field of the spec cannot be used."""


T = TypeVar("T")
K = TypeVar("K", bound=Keyed)


@dataclass(frozen=True)
class PluginProblem:
    """A module or an entry point that was left out, and why."""

    origin: str
    error: str

    def __str__(self) -> str:
        return f"{self.origin} is left out: {self.error}"


@dataclass(frozen=True)
class Discovery(Generic[K]):
    """What a registry found."""

    specs: Mapping[str, K]  # by key, those of the package first
    origins: Mapping[str, str]  # the module or entry point of each spec, by key
    problems: tuple[PluginProblem, ...]

    def keys_from(self, package: str) -> frozenset[str]:
        """Return the keys of what the modules of this package define."""
        prefix = f"{package}."
        return frozenset(key for key, o in self.origins.items() if o.startswith(prefix))


@dataclass(frozen=True)
class Registry(Generic[K]):
    """Where specs are found: in the modules of a package and in an entry-point group."""

    package: str
    constant: str  # "NAME"; a module with several specs defines "NAMES", the main one first
    group: str
    spec: type[K]
    helpers: frozenset[str] = frozenset()  # modules of the package that define no spec

    def discover(self) -> Discovery[K]:
        """Return every valid spec, and what was left out; _private modules are skipped."""
        specs: dict[str, K] = {}
        origins: dict[str, str] = {}
        problems = []
        for origin, load in [*self._modules(), *self._entry_points()]:
            try:
                new = self._valid(origin, load(), specs)
            except (Exception, SystemExit) as problem:  # noqa: BLE001 - code of others
                problems.append(PluginProblem(origin, reason(problem)))
            else:
                specs |= new
                origins |= dict.fromkeys(new, origin)
        return Discovery(MappingProxyType(specs), MappingProxyType(origins), tuple(problems))

    def _valid(self, origin: str, value: object, taken: Mapping[str, K]) -> dict[str, K]:
        """Return the specs of one origin by key; raise an exception if one of them is not valid."""
        specs: dict[str, K] = {}
        for spec in value if isinstance(value, Sequence) else (value,):
            if not isinstance(spec, self.spec):
                raise PluginError(f"it must define {self.constant} = {self.spec.__name__}(...)")
            spec.check()
            if spec.key in taken or spec.key in specs:
                raise PluginError(f"{origin} reuses the key {spec.key!r}; choose another")
            specs[spec.key] = spec
        return specs

    def _modules(self) -> Iterator[tuple[str, Callable[[], object]]]:
        for module in pkgutil.iter_modules(importlib.import_module(self.package).__path__):
            if not module.name.startswith("_") and module.name not in self.helpers:
                path = f"{self.package}.{module.name}"
                yield path, partial(self._constant, path)

    def _constant(self, path: str) -> object:
        module = importlib.import_module(path)
        several = getattr(module, f"{self.constant}S", None)
        return several or getattr(module, self.constant, None)

    def _entry_points(self) -> Iterator[tuple[str, Callable[[], object]]]:
        for entry in entry_points(group=self.group):
            origin = f"the entry point {entry.name} = {entry.value}"
            yield origin, partial(call_within, IMPORT_LIMIT_SECONDS, entry.load)


def check_names(key: object, label: object) -> None:
    """Raise a PluginError unless a key can be part of a link and a label can be shown."""
    if not (isinstance(key, str) and KEY_PATTERN.fullmatch(key)):
        raise PluginError(f"a key has letters, digits, - and _ only, got {key!r}")
    if not (isinstance(label, str) and label.strip()):
        raise PluginError(f"a label must be a text, got {label!r}")


def reason(problem: BaseException) -> str:
    """Return the error of a plug-in on one line."""
    if isinstance(problem, PluginError):
        return str(problem)
    return shortened(f"{type(problem).__name__}: {problem}", 300)


def pick(items: Mapping[str, T], kind: str, key: str) -> T:
    """Return items[key]; raise an UnknownNameError that lists the keys if there is none."""
    if key not in items:
        raise UnknownNameError(kind, key, items)
    return items[key]
