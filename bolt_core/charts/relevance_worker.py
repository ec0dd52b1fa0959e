"""W_2 of the observations of a run, computed once for all viewers, beside the runs.

One daemon thread rebuilds surrogates from records and scores their data. A reader asks with its
snapshot and gets the newest finished answer at once, perhaps of a few passes ago; what it asked for
is computed if it is newer, at most once a second for each run. With nothing asked the thread sleeps
on a condition. No run is charged for any of it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import replace

from bolt_core.analysis.surrogate_from_record import surrogate, why_none
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.runs.snapshot import RunSnapshot

EVERY = 1.0  # seconds between two answers for one run
REST = 4.0  # times as long as it worked, at least, the thread leaves the machine to others
KEPT = 32  # runs


class Scores:
    """Scores of runs, by run id. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._wake = threading.Condition()
        self._wanted: OrderedDict[str, RunSnapshot] = OrderedDict()
        self._made: OrderedDict[str, Relevance] = OrderedDict()
        self._due: dict[str, float] = {}  # monotonic seconds: not before, of a run
        self._resting_until = 0.0  # and of the thread
        self._closing = False
        self._thread: threading.Thread | None = None
        self.computed = 0

    def newest(self, run: RunSnapshot) -> Relevance | None:
        """The newest finished scores of this run; newer ones are on their way if there are any."""
        with self._wake:
            made = self._made.get(run.run_id)
            if made is not None and made.version > len(run):
                made = self._made.pop(run.run_id) and None  # it was cut back, to go on
            if (made is None or made.version < len(run)) and not self._closing:
                wanted = self._wanted.get(run.run_id)
                if wanted is None or len(wanted) < len(run):
                    self._wanted[run.run_id] = run
                self._start()
                self._wake.notify_all()
        return made

    def earlier(self, run: RunSnapshot) -> Relevance | None:
        """The scores nearest to this earlier moment of a run, never of a later one.

        Kept apart from the newest: a replay may go back, and must not take the place of a live one.
        """
        past = replace(run, run_id=f"{run.run_id} replayed")
        with self._wake:
            made = self._made.get(past.run_id)
            if made is not None and made.version > len(past):
                del self._made[past.run_id]  # the replay has gone back
        found = self.newest(past)
        return found if found is None or found.version <= len(past) else None

    def wait(self, run: RunSnapshot, timeout: float = 30.0) -> Relevance:
        """Block until the scores of this very version are there, or a TimeoutError."""

        def there() -> bool:
            made = self._made.get(run.run_id)
            return made is not None and made.version >= len(run)

        self.newest(run)
        with self._wake:
            if not self._wake.wait_for(there, timeout):
                raise TimeoutError(f"no scores of {run.run_id} after {timeout:g} s")
            return self._made[run.run_id]

    def shutdown(self) -> None:
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(2.0)

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bolt-scores", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while (run := self._next()) is not None:
            began, cpu = time.monotonic(), time.thread_time()
            made = scores(run)
            worked = time.thread_time() - cpu
            with self._wake:
                self.computed += 1
                before = self._made.get(run.run_id)
                if before is None or before.version <= made.version:
                    self._made[run.run_id] = made
                self._made.move_to_end(run.run_id)
                self._due[run.run_id] = began + EVERY
                self._resting_until = time.monotonic() + REST * worked
                while len(self._made) > KEPT:
                    self._due.pop(self._made.popitem(last=False)[0], None)
                self._wake.notify_all()

    def _next(self) -> RunSnapshot | None:
        """The run that has waited longest and may be scored now; None when it is time to go."""
        with self._wake:
            while not self._closing:
                now = time.monotonic()
                rest = self._resting_until
                due = {key: max(self._due.get(key, now), rest) for key in self._wanted}
                ready = [key for key, at in due.items() if at <= now]
                if ready:
                    return self._wanted.pop(ready[0])
                self._wake.wait(min(due.values()) - now if due else None)
        return None


def scores(run: RunSnapshot) -> Relevance:
    """W_2 of every observation the run keeps; whatever goes wrong is said in `reason`."""
    try:
        found = surrogate(run)
        if found is None:
            return Relevance(len(run), reason=why_none(run))
        now = float(run.columns["t"][-1])
        values = found.removal_scores(now)
        return Relevance(len(run), now, tuple(run.members()), tuple(values.tolist()))
    except Exception as problem:  # noqa: BLE001 - the worker's border: the screen says it
        return Relevance(len(run), reason=f"The scores could not be computed: {problem}")
