"""The runs of a campaign that came in packs: one file in its folder, in the format of a pack."""

import threading
from collections.abc import Mapping
from pathlib import Path

from bolt_core.campaigns import packs
from bolt_core.campaigns.packs import PackedRun
from bolt_core.campaigns.plan import Plan
from bolt_core.common.errors import RecordError

FILE = "unpacked.jsonl.gz"

Stamp = tuple[int, int]  # (mtime in ns, size) of the file; changes when it is written


class PackedRuns:
    """Reads the file when it has changed. Every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._lock = threading.Lock()
        self._stamp: Stamp | None = None
        self._runs: Mapping[str, PackedRun] = {}

    def read(self) -> Mapping[str, PackedRun]:
        """Return the runs by key; a file that cannot be read is an error with its remedy."""
        with self._lock:
            stamp = self._file_stamp()
            if stamp != self._stamp:
                self._runs = self._from_file() if stamp is not None else {}
                self._stamp = stamp
            return self._runs

    def write(self, plan: Plan, runs: Mapping[str, PackedRun]) -> None:
        """Replace the file; without runs there is none."""
        if runs:
            packs.write(self.path, plan, runs.values())
        else:
            self.path.unlink(missing_ok=True)

    def _from_file(self) -> Mapping[str, PackedRun]:
        try:
            return packs.read(self.path).runs
        except RecordError as problem:
            reason = str(problem).removesuffix(f"; {packs.REMEDY}")
            raise RecordError(f"{reason}; remove that file and unpack again") from None

    def _file_stamp(self) -> Stamp | None:
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size
