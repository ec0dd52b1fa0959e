"""Two GP engines behind one interface: `exact` (default) and `botorch` (the reference)."""

from __future__ import annotations

from bolt_core.engines.base import Engine, Model
from bolt_core.errors import UnknownNameError
from bolt_core.types import ENGINES


def load(name: str, model: Model) -> Engine:
    """An engine of its own for one run. torch is imported only if it is needed."""
    if name == "exact":
        from bolt_core.engines.exact import ExactEngine

        return ExactEngine(model)
    if name == "botorch":
        from bolt_core.engines.botorch import BotorchEngine

        return BotorchEngine(model)
    raise UnknownNameError("engine", name, ENGINES)
