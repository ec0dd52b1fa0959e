"""Packages that only a part of BOLT needs: a light installation is without them."""

from importlib.util import find_spec

from bolt_core.common.errors import MissingPackageError
from bolt_core.common.text import listed

DISTRIBUTIONS = {  # pip's names
    **dict.fromkeys(("dask", "distributed"), "dask[distributed]"),
    "gest_api": "gest-api",
    "yaml": "pyyaml",
}


def missing(*modules: str) -> list[str]:
    """Return which of these top-level modules are not installed; nothing is imported."""
    return [name for name in modules if find_spec(name) is None]


def require(purpose: str, *modules: str) -> None:
    """Raise a MissingPackageError that says what to install, unless all modules are installed."""
    if names := missing(*modules):
        raise MissingPackageError(f"{purpose} needs {listed(names)}; {how_to_install(names)}")


def how_to_install(modules: list[str]) -> str:
    """Return the command that installs modules."""
    wanted = dict.fromkeys(DISTRIBUTIONS.get(name, name) for name in modules)
    quoted = (f"'{name}'" if "[" in name else name for name in wanted)
    return f"install with: pip install {' '.join(quoted)}"
