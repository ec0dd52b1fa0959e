r"""The process of a peer of `bolt bench peers`, and the lines that are exchanged with it.

The objective is evaluated here, by the parent, for every peer alike: there is one clock and one
cost of a query, and a peer's environment needs nothing but the peer. Each line is a JSON object:

    parent   {"dimension": 2, "seed": 0, "warmup": 15, "forgetting": 20.0}
    peer     {"ready": "xopt 3.2.2"}          its packages are loaded: now the clock starts
    parent   {"now": 0.76, "rows": [[0.01, [0.3, 0.2], -1.5], ...]}
    peer     {"x": [0.25, 0.5]}               the next query, in [0, 1]^d

`now` is the time on the parent's clock, in seconds since its start. `rows` holds the results since
the last question: the time of each query, x and the noisy y, which is to be maximised. The peer
ends when its standard input ends; one that is still computing at the end of the run is killed.
"""

import contextlib
import json
import math
import os
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import IO, Any, Self

from bolt_core.common.errors import BoltError
from bolt_core.common.processes import in_own_group, kill_group
from bolt_core.common.runtime import THREAD_VARIABLES
from bolt_core.common.text import shortened

START_SECONDS = 300.0  # for loading packages and one rehearsal, which are not charged
MAX_REASON = 200  # characters of an error message that are shown


class PeerError(BoltError, RuntimeError):
    """A peer did not start, ended or gave something that is no query."""


class PeerProcess:
    """One peer in a process of its own, with one BLAS thread."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str | None]) -> None:
        merged = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, "1"), **environment}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._dimension = 0
        try:
            self._process = subprocess.Popen(
                list(command),
                env={name: value for name, value in merged.items() if value is not None},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                **in_own_group(),
            )
        except OSError as problem:
            self._errors.close()
            raise PeerError(f"cannot start {command[0]}: {problem.strerror}") from None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self, request: Mapping[str, Any], within: float = START_SECONDS) -> str:
        """Send the problem and wait until the peer is ready; return its name and version."""
        self._dimension = int(request["dimension"])
        self._write(request)
        message = self._answer(within)
        if message is None:
            raise PeerError(f"it was not ready within {within:g} s")
        return str(message.get("ready", ""))

    def ask(self, now: float, rows: Sequence[Sequence[Any]], within: float) -> list[float] | None:
        """Return the next query; None if it does not come within so many seconds."""
        self._write({"now": now, "rows": rows})
        message = self._answer(within)
        if message is None:
            return None
        x = message.get("x")
        if not isinstance(x, list) or len(x) != self._dimension or not all(map(_in_unit, x)):
            raise PeerError(f"it answered {shortened(json.dumps(message), MAX_REASON)}, no query")
        return [float(u) for u in x]

    def close(self) -> None:
        """End the process."""
        kill_group(self._process)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._reader.join()
        self._errors.close()

    def _write(self, message: Mapping[str, Any]) -> None:
        stream = self._process.stdin
        assert stream is not None
        try:
            stream.write(json.dumps(message).encode() + b"\n")
            stream.flush()
        except OSError:
            raise PeerError(self._reason()) from None

    def _answer(self, within: float) -> dict[str, Any] | None:
        try:
            line = self._lines.get(timeout=max(within, 0.0))
        except queue.Empty:
            return None
        if line is None:
            raise PeerError(self._reason())
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise PeerError(f"it wrote {shortened(line, MAX_REASON)!r}, which is no JSON object")
        return message

    def _read(self) -> None:
        stream: IO[bytes] | None = self._process.stdout
        assert stream is not None
        with contextlib.suppress(ValueError, OSError):  # it was closed
            for line in stream:
                self._lines.put(line.decode(errors="replace").rstrip("\n"))
        self._lines.put(None)

    def _reason(self) -> str:
        """Return the exit code and the last line that the process wrote as an error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5.0)
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        last = shortened(lines[-1], MAX_REASON) if lines else "no message"
        return f"it ended with exit code {self._process.poll()}: {last}"


class RealTime:
    """Real seconds since the start."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def now(self) -> float:
        return time.monotonic() - self._began

    def sleep_until(self, t: float) -> None:
        time.sleep(max(t - self.now(), 0.0))


def _in_unit(u: object) -> bool:
    return type(u) in (int, float) and math.isfinite(u) and 0.0 <= u <= 1.0  # type: ignore[arg-type, operator]
