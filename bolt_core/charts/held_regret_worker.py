"""The held regret of runs, computed once for all viewers.

One daemon thread computes the grid of optima of a benchmark where it is not known, then the held
regret of its runs, pass after pass. A reader asks with its snapshot and gets the newest finished
curve at once, which may be a few passes old, or none. No run is charged for this time. A plug-in
may hang: its benchmark is called in a thread of its own, with a time limit.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence

from bolt_core import benchmarks
from bolt_core.analysis.held_regret import HeldCurve, curve_of
from bolt_core.charts.worker import LatestJobWorker, keep_recent
from bolt_core.runs.snapshot import RunSnapshot

SECONDS_BETWEEN_CURVES = 1.0  # of one run
REST_RATIO = 4.0  # rest after each computation, in multiples of its CPU time
MAX_CACHED_RUNS = 256  # of about 50 kB
PLUG_IN_SECONDS = 120.0  # for a grid and a curve of a plug-in's benchmark
log = logging.getLogger(__name__)

Version = tuple[
    int, bool
]  # passes, and whether the run has ended: then its last setting holds to H


class HeldRegrets:
    """The newest held regret by run id. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._curves: OrderedDict[str, tuple[Version, HeldCurve | None]] = OrderedDict()
        self._given_up: set[str] = set()  # benchmarks whose code hung
        self._worker: LatestJobWorker[str, RunSnapshot] = LatestJobWorker(
            "bolt-held-regret",
            self._compute,
            seconds_between=SECONDS_BETWEEN_CURVES,
            rest_ratio=REST_RATIO,
        )

    def newest(self, runs: Sequence[RunSnapshot]) -> dict[str, HeldCurve]:
        """Return the newest finished curves by run id; request newer ones where there are any."""
        curves = {}
        with self._worker.lock:
            for run in runs:
                done = self._curves.get(run.run_id)
                if done is not None and done[1] is not None:
                    curves[run.run_id] = done[1]
                if done is None or done[0] < _version(run):
                    queued = self._worker.queued(run.run_id)
                    if queued is None or _version(queued) < _version(run):
                        self._worker.put(run.run_id, run)
        return curves

    def versions(self, runs: Sequence[RunSnapshot]) -> tuple[Version | None, ...]:
        """Return how far the curve of each run has come; None: nothing was computed yet."""
        with self._worker.lock:
            return tuple(done[0] if (done := self._curves.get(r.run_id)) else None for r in runs)

    def complete(self, runs: Sequence[RunSnapshot]) -> bool:
        """Whether the curve of every run reaches as far as its snapshot."""
        done = zip(self.versions(runs), runs, strict=True)
        return all(version is not None and version >= _version(run) for version, run in done)

    def wait(self, runs: Sequence[RunSnapshot], timeout: float = 30.0) -> dict[str, HeldCurve]:
        """Return the curves once all are complete, or those that there are after `timeout`."""
        self.newest(runs)
        with self._worker.lock:
            self._worker.lock.wait_for(lambda: self.complete(runs), timeout)
        return self.newest(runs)

    def shutdown(self) -> None:
        """Stop the thread; finished curves are still answered."""
        self._worker.shutdown()

    def _compute(self, run: RunSnapshot) -> None:
        key = run.config.benchmark
        if key in benchmarks.built_in():
            self._add(run)
            return
        if key in self._given_up:
            self._finish(run, None)
            return
        thread = threading.Thread(target=self._add, args=(run,), daemon=True)
        thread.start()
        thread.join(PLUG_IN_SECONDS)
        if thread.is_alive():
            log.warning("the benchmark %s did not answer; its held regret is not known", key)
            self._given_up.add(key)
            self._finish(run, None)

    def _add(self, run: RunSnapshot) -> None:
        """Compute the curve of a run; a benchmark that is unknown or raises has none."""
        with self._worker.lock:
            _, previous = self._curves.get(run.run_id, (None, None))
        try:
            curve = curve_of(run, previous)
        except Exception as problem:  # noqa: BLE001 - of a plug-in, or of a record of another version
            log.info("no held regret of %s: %s", run.run_id, problem)
            curve = None
        self._finish(run, curve)

    def _finish(self, run: RunSnapshot, curve: HeldCurve | None) -> None:
        with self._worker.lock:
            keep_recent(self._curves, run.run_id, (_version(run), curve), MAX_CACHED_RUNS)


def _version(run: RunSnapshot) -> Version:
    return len(run), run.status.ended
