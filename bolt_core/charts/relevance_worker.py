"""The relevance W_2 of the observations of a run, computed once for all viewers.

One daemon thread rebuilds surrogates from records and scores their data. A reader asks with its
snapshot and gets the newest finished scores at once, which may be a few passes old; the scores of
its own snapshot are computed if they are newer, at most once per second and run. No run is charged
for this time.
"""

from collections import OrderedDict
from dataclasses import replace

import numpy as np

from bolt_core.analysis.surrogate_from_record import surrogate, why_none
from bolt_core.charts.worker import LatestJobWorker, keep_recent
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.runs.snapshot import RunSnapshot

SECONDS_BETWEEN_SCORES = 1.0  # of one run
REST_RATIO = 4.0  # rest after each computation, in multiples of its CPU time
MAX_CACHED_RUNS = 32


class RelevanceScores:
    """The newest relevance scores by run id. Every method may be called from any thread."""

    def __init__(self) -> None:
        self.computed = 0  # number of computations so far
        self._scores: OrderedDict[str, Relevance] = OrderedDict()
        self._worker: LatestJobWorker[str, RunSnapshot] = LatestJobWorker(
            "bolt-scores",
            self._compute,
            seconds_between=SECONDS_BETWEEN_SCORES,
            rest_ratio=REST_RATIO,
        )

    def newest(self, run: RunSnapshot) -> Relevance | None:
        """Return the newest finished scores of this run, and request newer ones if there are any.

        Scores of a later pass than the snapshot's are dropped: the run was cut back to be resumed.
        """
        with self._worker.lock:
            scores = self._scores.get(run.run_id)
            if scores is not None and scores.version > len(run):
                del self._scores[run.run_id]
                scores = None
            if scores is None or scores.version < len(run):
                queued = self._worker.queued(run.run_id)
                if queued is None or len(queued) < len(run):
                    self._worker.put(run.run_id, run)
        return scores

    def earlier(self, run: RunSnapshot) -> Relevance | None:
        """Return the scores nearest to this earlier moment of a run, never those of a later one.

        They are kept apart from the newest, so that a replay never replaces the live scores.
        """
        return self.newest(replace(run, run_id=f"{run.run_id} replayed"))

    def wait(self, run: RunSnapshot, timeout: float = 30.0) -> Relevance:
        """Block until the scores of this snapshot are there; raise TimeoutError after `timeout`."""

        def finished() -> bool:
            scores = self._scores.get(run.run_id)
            return scores is not None and scores.version >= len(run)

        self.newest(run)
        with self._worker.lock:
            if not self._worker.lock.wait_for(finished, timeout):
                raise TimeoutError(f"no scores of {run.run_id} after {timeout:g} s")
            return self._scores[run.run_id]

    def shutdown(self) -> None:
        """Stop the thread; finished scores are still answered."""
        self._worker.shutdown()

    def _compute(self, run: RunSnapshot) -> None:
        made = relevance_scores(run)
        with self._worker.lock:
            self.computed += 1
            newest = max(made, self._scores.get(run.run_id, made), key=lambda it: it.version)
            keep_recent(self._scores, run.run_id, newest, MAX_CACHED_RUNS)


def relevance_scores(run: RunSnapshot) -> Relevance:
    """Return W_2 of every observation the run keeps; `reason` says why there are none."""
    try:
        model = surrogate(run)
        if model is None:
            return Relevance(len(run), reason=why_none(run))
        now = float(run.columns["t"][-1])
        values = np.asarray(model.removal_scores(now))
        if not np.all(np.isfinite(values)):
            return Relevance(len(run), reason="The scores are not finite numbers.")
        return Relevance(len(run), now, tuple(run.members()), tuple(values.tolist()))
    except Exception as problem:  # noqa: BLE001 - shown on the screen in place of the scores
        return Relevance(len(run), reason=f"The scores could not be computed: {problem}")
