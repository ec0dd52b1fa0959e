"""Time-varying Bayesian optimization without a metronome."""

from importlib import import_module
from typing import TYPE_CHECKING

from bolt_core.common.renamed_modules import accept_old_names

if TYPE_CHECKING:
    from bolt_core.common.knobs import Choice, Integer, Real
    from bolt_core.online.optimizer import Bolt, OnlineOptimizer, make
    from bolt_core.online.problem_spec import ProblemSpec
    from bolt_core.online.remote import Remote

__version__ = "0.1.0"
__all__ = [
    "Bolt",
    "Choice",
    "Integer",
    "OnlineOptimizer",
    "ProblemSpec",
    "Real",
    "Remote",
    "__version__",
    "make",
]
MODULES = {  # of exports
    **dict.fromkeys(("Bolt", "OnlineOptimizer", "make"), "bolt_core.online.optimizer"),
    **dict.fromkeys(("Choice", "Integer", "Real"), "bolt_core.common.knobs"),
    "ProblemSpec": "bolt_core.online.problem_spec",
    "Remote": "bolt_core.online.remote",
}

accept_old_names()


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    """Load an export when it is first used, so that `import bolt_core` stays fast."""
    if name in MODULES:
        return getattr(import_module(MODULES[name]), name)
    raise AttributeError(f"module 'bolt_core' has no attribute {name!r}")
