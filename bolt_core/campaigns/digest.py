"""Incremental results of a campaign: each record is read once, when its run has ended.

The results are stored beside the records, in the file that a report is made from, so that the next
server reads one small file. Reading 270 records takes half a minute: `read` has a time limit and
returns how many records are left.
"""

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from bolt_core.analysis.held_regret import held_regret_if_quick
from bolt_core.campaigns import results
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.campaigns.results import FILE, Results, RunResult
from bolt_core.common.errors import RecordError
from bolt_core.store import records

SAVE_AFTER_RUNS = 20  # newly read runs after which the file is written again

Stamp = tuple[int, int]  # (mtime in ns, size) of a record; changes when it is written


class Digest:
    """The results of one campaign. Every method may be called from any thread."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._lock = threading.Lock()
        self._results: dict[str, tuple[RunResult, Mapping[str, Any]]] = {}  # with its header
        self._finished: dict[str, Stamp] = {}  # records with a closing line
        self._damaged: dict[str, Stamp] = {}
        self._unsaved = 0
        campaign.packed()  # an error in it is raised here
        self._load_stored()

    def states(self) -> dict[str, State]:
        """Return the state of every run; finished records are not read again."""
        with self._lock:
            return self._states()

    def read(self, seconds: float) -> tuple[Results, int]:
        """Read for at most `seconds`; return the results so far, and how many runs are unread."""
        deadline = time.monotonic() + seconds
        with self._lock:
            states = self._states()
            finished = [k for k, s in states.items() if s == State.FINISHED]
            unread = [k for k in finished if k not in self._results and not self._is_damaged(k)]
            while unread and time.monotonic() < deadline:
                self._read(unread.pop(0))
            current = self._combine(states, finished)
            self._save(current, unread)
            return current, len(unread)

    def _states(self) -> dict[str, State]:
        states, packed = {}, self.campaign.packed()
        for key in self.campaign.configs:
            if key in packed:
                states[key] = State.FINISHED
                self._results[key] = (packed[key].result, packed[key].header)
                self._finished.pop(key, None)
                continue
            stamp = self._stamp(key)
            if stamp is not None and self._finished.get(key) == stamp:
                states[key] = State.FINISHED
                continue
            self._results.pop(key, None)
            self._finished.pop(key, None)
            states[key] = self.campaign.record_state(key)
            if stamp is not None and states[key] == State.FINISHED:
                self._finished[key] = stamp
        return states

    def _stamp(self, key: str) -> Stamp | None:
        try:
            stat = self.campaign.path(key).stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size

    def _read(self, key: str) -> None:
        try:
            snapshot = records.read(self.campaign.path(key))
        except RecordError:  # skipped until the file changes
            self._damaged[key] = self._finished[key]
            return
        held = held_regret_if_quick(snapshot)
        self._results[key] = (results.summarise(snapshot, held), snapshot.header or {})
        self._unsaved += 1

    def _load_stored(self) -> None:
        """Load the results that an earlier server stored, of records that have not changed."""
        file = self.campaign.folder / FILE
        try:
            stored, written = results.load(file), file.stat().st_mtime_ns
        except (RecordError, OSError):
            return
        for run in stored.runs:
            key = run.config.key
            stamp = self._stamp(key) if key in self.campaign.configs else None
            if stamp is None or stamp[0] > written:
                continue
            if self.campaign.record_state(key) == State.FINISHED:
                with suppress(RecordError):
                    self._results[key] = (run, records.read_header(self.campaign.path(key)))
                    self._finished[key] = stamp

    def _save(self, current: Results, unread: list[str]) -> None:
        """Store the results if there are enough new ones, or if they are complete."""
        complete = len(current.runs) + len(current.failed) == current.planned and not unread
        if not self._unsaved or (self._unsaved < SAVE_AFTER_RUNS and not complete):
            return
        self._unsaved = 0
        with suppress(OSError):  # a full disk: the records are read again next time
            results.save(current, self.campaign.folder / FILE)

    def _combine(self, states: Mapping[str, State], finished: list[str]) -> Results:
        known = [self._results[k] for k in finished if k in self._results]
        damaged = {k: self.campaign.damaged(k) for k in finished if self._is_damaged(k)}
        failed = self.campaign.reasons(states) | damaged
        return results.combine(self.campaign, known, failed)

    def _is_damaged(self, key: str) -> bool:
        return key in self._damaged and self._damaged[key] == self._finished.get(key)
