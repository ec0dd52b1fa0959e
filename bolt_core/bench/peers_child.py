"""The program of a peer of `bolt bench peers`: an optimizer that answers on standard output.

It is run as a file, by the Python that has the peer's packages, and imports only these; BOLT need
not be installed there. `peers_process` describes the lines that it reads and writes.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple, Protocol

Row = tuple[float, Sequence[float], float]  # time of the query in seconds, x in [0, 1]^d, y
REHEARSAL_ROWS = 15


class Start(NamedTuple):
    """The problem, as the first line gives it."""

    dimension: int
    seed: int
    warmup: int  # random queries that come as results with the first question
    forgetting: float  # seconds after which a peer that forgets drops a result


class Peer(Protocol):
    """An optimizer of one of the packages, which maximises y."""

    package: str

    def tell(self, rows: Sequence[Row]) -> None: ...
    def ask(self, now: Callable[[], float]) -> Sequence[float]: ...


class RandomPeer:
    """Uniform points."""

    package = "random"

    def __init__(self, start: Start) -> None:
        self._random, self._dimension = random.Random(start.seed), start.dimension

    def tell(self, rows: Sequence[Row]) -> None: ...

    def ask(self, now: Callable[[], float]) -> Sequence[float]:
        del now
        return [self._random.random() for _ in range(self._dimension)]


class BoltPeer:
    """`Bolt` with its defaults, as its users call it."""

    package = "bolt-core"

    def __init__(self, start: Start) -> None:
        from bolt_core import Bolt

        box = [(0.0, 1.0)] * start.dimension
        self._optimizer = Bolt(box, seed=start.seed, warmup=start.warmup)

    def tell(self, rows: Sequence[Row]) -> None:
        times, xs, ys = zip(*rows, strict=True)
        self._optimizer.tell_all(xs, times, ys)

    def ask(self, now: Callable[[], float]) -> Sequence[float]:
        x: Sequence[float] = self._optimizer.ask(now()).tolist()
        return x


class BotorchPeer:
    """Stock BoTorch with time as an input (`bench/stock`), on all results: fit, then UCB."""

    package = "botorch"

    def __init__(self, start: Start) -> None:
        import numpy as np

        from bolt_core.bench import stock
        from bolt_core.gp.protocol import Data, Model

        self._rows: list[Row] = []
        self._model, self._fit, self._data = Model(start.dimension), stock.fit, Data.of
        self._array, self._rng = np.array, np.random.default_rng(start.seed)

    def tell(self, rows: Sequence[Row]) -> None:
        self._rows += rows

    def ask(self, now: Callable[[], float]) -> Sequence[float]:
        times, xs, ys = (self._array(column) for column in zip(*self._rows, strict=True))
        surrogate = self._fit(self._model, self._data(xs, times, ys), now(), self._rng)
        x, _ = surrogate.maximise_ucb(now(), self._rng)
        answer: Sequence[float] = x.tolist()
        return answer


class XoptPeer:
    """Xopt's TDUpperConfidenceBoundGenerator with its defaults: it keeps every result."""

    package = "xopt"
    forgets = False

    def __init__(self, start: Start) -> None:
        from gest_api.vocs import VOCS
        from xopt.generators.bayesian import TDUpperConfidenceBoundGenerator

        self._names = [f"x{k}" for k in range(start.dimension)]
        variables = {name: [0.0, 1.0] for name in self._names}
        self._generator = TDUpperConfidenceBoundGenerator(
            vocs=VOCS(variables=variables, objectives={"y": "MAXIMIZE"}),
            forgetting_time=start.forgetting if self.forgets else None,
        )
        self._rows: list[Row] = []

    def tell(self, rows: Sequence[Row]) -> None:
        self._rows += rows

    def ask(self, now: Callable[[], float]) -> Sequence[float]:
        began = datetime.now(UTC).timestamp() - now()  # Xopt reads time.time() itself
        results = [
            {**dict(zip(self._names, x, strict=True)), "y": y, "time": began + t}
            for t, x, y in self._rows
        ]
        self._generator.ingest(results)
        self._rows = []
        (point,) = self._generator.suggest(1)
        return [point[name] for name in self._names]


class ForgettingXoptPeer(XoptPeer):
    """The same with a `forgetting_time`."""

    forgets = True


PEERS: dict[str, type[Any]] = {
    "bolt": BoltPeer,
    "xopt": XoptPeer,
    "xopt-forgets": ForgettingXoptPeer,
    "botorch": BotorchPeer,
    "random": RandomPeer,
}


def main(key: str) -> None:
    """Answer questions until standard input ends."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != here]
    answers, sys.stdout = sys.stdout, sys.stderr  # so that no package writes between the lines

    def answer(message: object) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    start = Start(**json.loads(sys.stdin.readline()))
    _rehearse(PEERS[key](start), start)
    peer: Peer = PEERS[key](start)
    answer({"ready": _version(peer.package)})
    for line in sys.stdin:
        message = json.loads(line)
        now = _clock(message["now"])
        if message["rows"]:
            peer.tell([(t, x, y) for t, x, y in message["rows"]])
        answer({"x": [min(max(float(u), 0.0), 1.0) for u in peer.ask(now)]})


def _clock(now: float) -> Callable[[], float]:
    """Return a clock on the parent's scale, which reads `now` now."""
    began = time.monotonic() - now
    return lambda: time.monotonic() - began


def _version(package: str) -> str:
    with suppress(PackageNotFoundError):
        return f"{package} {version(package)}"
    return package


def _rehearse(peer: Peer, start: Start) -> None:
    """Ask once with made-up results, which loads all that a package loads when it is first used."""
    numbers = random.Random(0)
    xs = [[numbers.random() for _ in range(start.dimension)] for _ in range(REHEARSAL_ROWS)]
    count = max(start.warmup, REHEARSAL_ROWS)
    peer.tell([(0.1 * k, xs[k % len(xs)], numbers.random()) for k in range(count)])
    peer.ask(lambda: 0.1 * count)


if __name__ == "__main__":
    main(sys.argv[1])
