"""Which passes of a run have a response time."""

import numpy as np
from numpy.typing import NDArray

from bolt_core.runs.snapshot import RunSnapshot


def measured_passes(run: RunSnapshot) -> NDArray[np.bool_]:
    """Return which passes after the warm-up have ended, so that their R(n) is known.

    A saved optimizer waits for its next `ask`: its last pass has no response time yet.
    """
    full: NDArray[np.bool_] = (run.columns["warmup"] == 0) & (run.columns["seconds"] > 0.0)
    return full
