"""Modules that plug-ins import by an older name: they still load, with a DeprecationWarning."""

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

NEW_NAMES = {
    "bolt_core.objective": "bolt_core.benchmarks.spec",
    "bolt_core.optimizer": "bolt_core.algorithms.spec",
}


class _RenamedModules(MetaPathFinder, Loader):
    """Resolve an old name to the module that replaced it."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - the protocol's signature
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in NEW_NAMES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new_name = NEW_NAMES[spec.name]
        message = f"{spec.name} is now {new_name}; the old name will be removed in the next version"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        renamed = ModuleType(spec.name)
        renamed.__dict__.update(vars(importlib.import_module(new_name)))
        return renamed

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the contents were copied when the module was created."""


def accept_old_names() -> None:
    """Install the finder once per process."""
    if not any(isinstance(finder, _RenamedModules) for finder in sys.meta_path):
        sys.meta_path.append(_RenamedModules())
