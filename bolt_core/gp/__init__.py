"""Two GP engines behind one interface: `exact` (default) and `botorch` (the reference)."""

from bolt_core.common.errors import UnknownNameError
from bolt_core.common.packages import require
from bolt_core.common.types import ENGINES
from bolt_core.gp.protocol import Engine, Model

TORCH_PACKAGES = ("torch", "gpytorch", "botorch")


def load(name: str, model: Model) -> Engine:
    """Return a new engine for one run; torch is imported only if it is needed."""
    if name == "exact":
        from bolt_core.gp.exact import ExactEngine

        return ExactEngine(model)
    if name == "botorch":
        require("the engine botorch", *TORCH_PACKAGES)
        from bolt_core.gp.botorch import BotorchEngine

        return BotorchEngine(model)
    raise UnknownNameError("engine", name, ENGINES)
