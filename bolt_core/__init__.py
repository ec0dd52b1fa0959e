"""Time-varying Bayesian optimization without a metronome."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bolt_core.api import Bolt, OnlineOptimizer, make

__version__ = "0.1.0"
__all__ = ["Bolt", "OnlineOptimizer", "__version__", "make"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    """Exports are loaded when asked for: `import bolt_core` costs nothing."""
    if name in __all__:
        from bolt_core import api

        return getattr(api, name)
    raise AttributeError(f"module 'bolt_core' has no attribute {name!r}")
