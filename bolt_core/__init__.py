"""Time-varying Bayesian optimization without a metronome."""

from typing import TYPE_CHECKING

from bolt_core.common.renamed_modules import accept_old_names

if TYPE_CHECKING:
    from bolt_core.online.optimizer import Bolt, OnlineOptimizer, make

__version__ = "0.1.0"
__all__ = ["Bolt", "OnlineOptimizer", "__version__", "make"]

accept_old_names()


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    """Load an export when it is first used, so that `import bolt_core` stays fast."""
    if name in __all__:
        from bolt_core.online import optimizer

        return getattr(optimizer, name)
    raise AttributeError(f"module 'bolt_core' has no attribute {name!r}")
