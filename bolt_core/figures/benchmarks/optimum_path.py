"""Path of the optimum of a benchmark over time, and slices of f through the optimum.

Paths are stored in data/optimum_paths.json, which tools/optimum_paths.py made with the oracle. For
a benchmark that is not in it, or that has other options, the oracle is called at a few times. The
values of f are always computed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bolt_core import benchmarks
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.paths import DATA
from bolt_core.common.types import Array

COMPUTED_STEPS = 24  # of a path that is not stored
STILL_RANGE = 0.01  # of the box: an optimum that stays within it hardly moves
JUMP_DISTANCE = 0.05  # of the box, between two times of the path


@dataclass(frozen=True, slots=True)
class Path:
    """Position and value of the optimum at evenly spaced times from 0 to H."""

    t: Array  # (m,) seconds
    x: Array  # (m, d) in the unit box
    f: Array  # (m,) raw units

    @property
    def travelled(self) -> Array:
        """Distance that the optimum covers along each coordinate, (d,)."""
        return np.asarray(np.abs(np.diff(self.x, axis=0)).sum(axis=0))

    @property
    def leaps(self) -> NDArray[np.bool_]:
        """Whether each step is a jump, (m - 1,)."""
        return np.asarray(np.linalg.norm(np.diff(self.x, axis=0), axis=1) > JUMP_DISTANCE)

    @property
    def jumps(self) -> int:
        """Number of jumps."""
        return int(np.sum(self.leaps))

    @property
    def roams(self) -> float:
        """Longest side of the box in which the optimum stays; 0 if it never moves."""
        return float(np.ptp(self.x, axis=0).max())

    @property
    def still(self) -> bool:
        """Whether the optimum hardly moves."""
        return self.roams < STILL_RANGE

    def coordinates(self, count: int) -> list[int]:
        """Return the `count` coordinates along which the optimum moves most, in their order."""
        order = np.argsort(-np.round(self.travelled, 6), kind="stable")[:count]
        return sorted(int(i) for i in order)

    def nearest(self, t: float) -> int:
        """Return the row whose time is nearest to t."""
        return int(np.argmin(np.abs(self.t - t)))


def optimum_path(board: Benchmark) -> Path:
    """Return the stored path if the options are the defaults, else a coarser one computed now."""
    stored = _stored().get(board.key)
    if stored is None or not _has_default_options(board):
        times = np.linspace(0.0, board.horizon, COMPUTED_STEPS + 1)
        x = np.array([oracle.best(board, float(t))[0] for t in times])
    else:
        times = np.linspace(0.0, board.horizon, len(stored))
        x = np.array(stored)
    return Path(times, x, np.asarray(board.value(x, times)))


def over_time(board: Benchmark, path: Path, coordinate: int, values: Array) -> Array:
    """Return f over one coordinate and time, the others at the optimum: (values, times)."""
    points = np.repeat(path.x[None], len(values), axis=0)
    points[:, :, coordinate] = values[:, None]
    return np.asarray(board.value(points, np.broadcast_to(path.t, points.shape[:2])))


def around(board: Benchmark, centre: Array, t: float, pair: Sequence[int], values: Array) -> Array:
    """Return f at t over a pair of coordinates, the others at `centre`: (second, first)."""
    points = np.broadcast_to(centre, (len(values), len(values), len(centre))).copy()
    points[:, :, pair[0]] = values[None, :]
    points[:, :, pair[1]] = values[:, None]
    return np.asarray(board.value(points, t))


def ranks(values: Array, among: Array) -> Array:
    """Return the share of `among` below each value, 0 to 1; a long tail does not compress it."""
    ordered = np.sort(among.ravel())
    share = np.searchsorted(ordered, values.ravel()) / max(len(ordered) - 1, 1)
    return np.asarray(np.minimum(share, 1.0).reshape(values.shape))


@cache
def _stored() -> Mapping[str, list[list[float]]]:
    text = (DATA / "optimum_paths.json").read_text("utf-8")
    stored: Mapping[str, list[list[float]]] = json.loads(text)["paths"]
    return stored


def _has_default_options(board: Benchmark) -> bool:
    """Whether its own options are the defaults; those that all benchmarks have move nothing."""
    spec = benchmarks.catalog().get(board.key)
    return spec is not None and all(board.options[o.name] == o.default for o in spec.options)
