"""Runs for the Inside page: made by hand, and one real one with an interior n*."""

from bolt_core.snapshot import RunHistory, RunSnapshot
from bolt_core.types import (
    ClockConfig,
    Hyperparameters,
    IterationRecord,
    Observation,
    RunConfig,
    RunStatus,
)

STEEP = ClockConfig("model", device=(0.0, 0.02, 0.0, 0.0))  # n* of about 50 on Eggholder
R = (0.1, 0.0, 0.0, 1e-6)
THETA = Hyperparameters(1.0, 0.3, 20.0, 0.01)
WARM = 15
KERNELS = {"spatial_kernel": "matern52", "temporal_kernel": "matern32"}


def by_hand(  # noqa: PLR0913 - what a run may be
    n, *, algorithm="bolt", sizes=None, notes=None, n_star=None, error=None, header=KERNELS
):
    """n passes, one in D more each (or `sizes`), R(n) as declared, the fit in the notes."""
    history = RunHistory(1)
    for i in range(n):
        size = sizes(i) if sizes else i
        warm = i < WARM
        said = {} if warm else {"response": R, "response_floor": 0.05} if notes is None else notes
        history.append(
            IterationRecord(
                Observation(i, (0.5,), 0.1 * i, 1.0), 0.0, 1.0, (0.5,), size,
                R[0] + R[3] * size**3, warm, None if warm else THETA,
                None if warm else n_star, (), said,
            )
        )  # fmt: skip
    config = RunConfig(algorithm, "eggholder", clock=ClockConfig("model"))
    status = RunStatus.FAILED if error else RunStatus.RUNNING
    about = {"horizon": 60.0, **header}
    return RunSnapshot(config, status, history.view(), error, f"by-hand-{algorithm}-{n}", about)
