"""Why n* of a lane does not limit its dataset, in a sentence."""

from bolt_core import algorithms
from bolt_core.analysis.lanes import Lane
from bolt_core.analysis.response_fit import newest_fit
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.common.text import seconds
from bolt_core.theory.dataset_size import SMALLEST_CAP

GROWTH = 1.05  # of R(n) from n = 1 to the largest size, below which it counts as constant


def why_unbound(lane: Lane) -> str | None:
    """Return why the first seed of a lane has removed nothing; None if it has, or has no n*."""
    run = lane.runs[0]
    fit = newest_fit(run) if len(run) else None
    if fit is None or any(run.columns.removed[: len(run)]):
        return None
    outcome = RunOutcome(run)
    size, n_star = outcome.final_size or 0, outcome.final_n_star
    if _removes_nothing(lane.key):
        return f"it keeps all observations; n* = {n_star:,} is only computed." if n_star else None
    if n_star is not None:
        if size >= n_star:
            return None
        return f"n* = {n_star:,} does not bind yet, as it has {size:,} observations."
    growth = float(fit.response(fit.seen) / fit.response(1))
    if fit.response.constant or growth < GROWTH:
        return "no finite n*, because its response time hardly grows with n."
    cap = max(2 * fit.seen, SMALLEST_CAP)
    return (
        f"no finite n* up to {cap:,} observations, because they stay relevant for long compared "
        f"with its response time (inferred lengthscale in time {seconds(fit.lengthscale)})."
    )


def _removes_nothing(key: str) -> bool:
    """Whether an algorithm keeps all observations by design, as its row of Table 1 says."""
    spec = algorithms.catalog().get(key)
    return spec is not None and spec.stale_data == "None"
