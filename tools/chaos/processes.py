"""Processes of this harness: started with a data directory of their own, ended by their ids."""

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0  # for which a process may be silent at first


@contextmanager
def temporary_home() -> Iterator[Path]:
    """Give an empty data directory, which is also that of this process meanwhile."""
    folder = Path(tempfile.mkdtemp(prefix="bolt-chaos-"))
    before = os.environ.get("BOLT_HOME")
    os.environ["BOLT_HOME"] = str(folder)
    try:
        yield folder
    finally:
        if before is None:
            del os.environ["BOLT_HOME"]
        else:
            os.environ["BOLT_HOME"] = before
        shutil.rmtree(folder, ignore_errors=True)


class Child:
    """A process that prints JSON lines, which are read as they come."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
        )
        self.heard: list[Any] = []
        self._first: queue.Queue[None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith(b"\n"):  # the last one may be torn
                self.heard.append(json.loads(line))
                self._first.put(None)

    def wait_for_first(self) -> None:
        """Wait until it has printed something."""
        self._first.get(timeout=START_SECONDS)

    def kill(self) -> list[Any]:
        """End it with SIGKILL and return everything that it had printed."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.heard

    def sleep(self, seconds: float) -> None:
        """Sleep, or until it has ended by itself."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            time.sleep(min(0.002, max(until - time.monotonic(), 0.0)))


@contextmanager
def child(module: str, *arguments: str) -> Iterator[Child]:
    """Give a process that has ended afterwards, whatever happens."""
    started = Child(module, *arguments)
    try:
        yield started
    finally:
        started.kill()


def say(**what: object) -> None:
    """Print a line for the process that started this one."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()
