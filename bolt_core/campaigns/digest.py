"""A campaign's results, taken up as its runs end: each record is read once, and never again.

What was read is kept beside the records, in the file a report is made from, so that the next server
reads one small file. Reading 270 records takes half a minute: `read` does as much as it is given
time for and says how much is left.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from bolt_core.campaigns import results
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.campaigns.results import FILE, Results, RunResult
from bolt_core.common.errors import RecordError
from bolt_core.store import records

OFTEN = 20  # runs read until the file is written anew

Stamp = tuple[int, int]


class Digest:
    """Of one campaign. Every method may be called from any thread."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._lock = threading.Lock()
        self._known: dict[str, tuple[Stamp, RunResult, Mapping[str, Any]]] = {}
        self._done: dict[str, Stamp] = {}  # records whose closing line was seen
        self._torn: dict[str, Stamp] = {}
        self._unsaved = 0
        self._take_stored()

    def states(self) -> dict[str, State]:
        """As the campaign's, but a record that is finished is looked at once."""
        with self._lock:
            return self._states()

    def read(self, budget: float) -> tuple[Results, int]:
        """The results so far, after at most `budget` seconds of reading; how many are unread."""
        end = time.monotonic() + budget
        with self._lock:
            states = self._states()
            finished = [k for k, s in states.items() if s == State.FINISHED]
            waiting = [k for k in finished if k not in self._known and not self._is_torn(k)]
            while waiting and time.monotonic() < end:
                self._take(waiting.pop(0))
            found = self._together(states, finished)
            self._keep(found, waiting)
            return found, len(waiting)

    def _states(self) -> dict[str, State]:
        found = {}
        for key in self.campaign.configs:
            stamp = self._stamp(key)
            if stamp is None or self._done.get(key) != stamp:
                self._known.pop(key, None)
                self._done.pop(key, None)
                found[key] = self.campaign.state(key)
                if stamp is not None and found[key] == State.FINISHED:
                    self._done[key] = stamp
            else:
                found[key] = State.FINISHED
        return found

    def _stamp(self, key: str) -> Stamp | None:
        try:
            stat = self.campaign.path(key).stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size

    def _take(self, key: str) -> None:
        try:
            snapshot = records.read(self.campaign.path(key))
        except RecordError:  # torn in its middle: passed over until it changes
            self._torn[key] = self._done[key]
            return
        self._known[key] = (self._done[key], results.summarise(snapshot), snapshot.header or {})
        self._unsaved += 1

    def _take_stored(self) -> None:
        """What an earlier server read, of records that have not changed since."""
        file = self.campaign.folder / FILE
        try:
            stored, written = results.load(file), file.stat().st_mtime_ns
        except (RecordError, OSError):
            return
        for run in stored.runs:
            key = run.config.key
            stamp = self._stamp(key) if key in self.campaign.configs else None
            if stamp and stamp[0] <= written:
                with suppress(RecordError):
                    self._known[key] = (stamp, run, records.read_header(self.campaign.path(key)))
                    self._done[key] = stamp

    def _keep(self, found: Results, waiting: list[str]) -> None:
        complete = len(found.runs) + len(found.failed) == found.planned
        if not self._unsaved or (self._unsaved < OFTEN and (waiting or not complete)):
            return
        self._unsaved = 0
        with suppress(OSError):  # a full disk: it is read again next time
            results.save(found, self.campaign.folder / FILE)

    def _together(self, states: Mapping[str, State], finished: list[str]) -> Results:
        known = [self._known[k] for k in finished if k in self._known]
        runs, headers = [run for _, run, _ in known], [header for _, _, header in known]
        torn = {k: self.campaign.damaged(k) for k in finished if self._is_torn(k)}
        return results.together(self.campaign, runs, headers, self.campaign.reasons(states) | torn)

    def _is_torn(self, key: str) -> bool:
        return key in self._torn and self._torn[key] == self._done.get(key)
