"""One thread for linear algebra, for real, once a process.

`torch.set_num_threads(1)` leaves numpy's and scipy's own BLAS at two threads, and then
`time.thread_time` counts half of the work. So every BLAS and OpenMP pool that is loaded is
limited, and what the pools answer is verified.
"""

from __future__ import annotations

import os
import sys

from threadpoolctl import threadpool_info, threadpool_limits

from bolt_core.errors import ConfigError

POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def configure() -> None:
    """Limit every linear-algebra pool to one thread and check it. Call it at every entry."""
    import scipy.linalg  # noqa: F401 - its BLAS must be loaded to be limited

    for variable in POOLS:  # for what is loaded later, and for child processes
        os.environ[variable] = "1"
    threadpool_limits(limits=1)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    if (threads := blas_threads()) != 1:
        raise ConfigError(
            f"linear algebra still uses {threads} threads; start Python with OMP_NUM_THREADS=1"
        )


def blas_threads() -> int:
    """The largest number of threads any loaded BLAS or OpenMP pool would use."""
    return max((pool["num_threads"] for pool in threadpool_info()), default=1)
