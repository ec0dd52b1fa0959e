"""Limit linear algebra to one thread per process, and describe the machine.

`torch.set_num_threads(1)` leaves the BLAS of numpy and scipy at two threads, and then
`time.thread_time` counts half of the work. So every loaded BLAS and OpenMP pool is limited, and
the limit is verified.
"""

import os
import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bolt_core.common.errors import ConfigError

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = ("bolt-core", "numpy", "scipy", "torch", "gpytorch", "botorch", "streamlit", "plotly")


def configure() -> None:
    """Limit every linear-algebra pool to one thread and check it. Every entry point calls this."""
    import scipy.linalg  # noqa: F401 - its BLAS must be loaded to be limited

    for variable in THREAD_VARIABLES:  # for what is loaded later, and for child processes
        os.environ[variable] = "1"
    with suppress(ModuleNotFoundError):  # without it the variables have to do; see blas_threads
        from threadpoolctl import threadpool_limits

        threadpool_limits(limits=1)
    if limit_torch := getattr(sys.modules.get("torch"), "set_num_threads", None):
        limit_torch(1)  # missing while another thread imports torch, which then reads the variables
    if (threads := blas_threads()) not in (1, None):
        raise ConfigError(
            f"linear algebra still uses {threads} threads; start Python with OMP_NUM_THREADS=1"
        )


def blas_threads() -> int | None:
    """Return the largest number of threads that a loaded BLAS or OpenMP pool would use.

    None: not known, because threadpoolctl is not installed.
    """
    try:
        from threadpoolctl import threadpool_info
    except ModuleNotFoundError:
        return None
    return max((pool["num_threads"] for pool in threadpool_info()), default=1)


def facts() -> dict[str, object]:
    """Return what made a result: processor, threads, versions and, in a checkout, the commit."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "blas_threads": blas_threads(),
        "python": platform.python_version(),
        "versions": versions(),
        "commit": COMMIT,
    }


def versions() -> dict[str, str | None]:
    """Return the versions of the packages a result depends on; None for one not installed."""
    return {name: _version(name) for name in PACKAGES}


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit(git: Path) -> str | None:
    """Return the checked-out commit, read from the files of git; None outside a checkout.

    In a linked worktree `.git` is a file that names the folder of its HEAD, and the branches are in
    the folder of the main checkout, which `commondir` names.
    """
    try:
        if git.is_file():
            git = git.parent / git.read_text().removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text().strip()
        name = head.removeprefix("ref: ")
        if name == head:
            return head
        common = git / "commondir"
        branches = git / common.read_text().strip() if common.exists() else git
        if (branches / name).exists():
            return (branches / name).read_text().strip()
        for line in (branches / "packed-refs").read_text().splitlines():
            if line.endswith(f" {name}"):
                return line.split()[0]
    except OSError:
        pass
    return None


COMMIT = _commit(CHECKOUT / ".git")  # of the code that this process has loaded: read only once
