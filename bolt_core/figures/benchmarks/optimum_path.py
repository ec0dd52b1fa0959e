"""Looking at a benchmark itself: the optimum's path, and slices of f through it.

Paths come from data/optimum_paths.json (tools/optimum_paths.py asked the oracle); a benchmark that
is not in it, or has other options, is searched at a few times. Heights are always f's own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from bolt_core import benchmarks
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.types import Array

STORED = "data/optimum_paths.json"
SEARCHED = 24  # steps, where every one of them has to be searched for
STILL = 0.01  # of the box: an optimum that stays within it hardly moves
JUMP = 0.05  # of the box, between two times of the path


@dataclass(frozen=True, slots=True)
class Path:
    """Where the optimum is and how high, at even times from 0 to H."""

    t: Array  # (m,) seconds
    x: Array  # (m, d) in the unit box
    f: Array  # (m,) raw units

    @property
    def travelled(self) -> Array:
        """How far the optimum goes along each coordinate, (d,)."""
        return np.asarray(np.abs(np.diff(self.x, axis=0)).sum(axis=0))

    @property
    def leaps(self) -> NDArray[np.bool_]:
        """Which steps are no drift any more, (m - 1,)."""
        return np.asarray(np.linalg.norm(np.diff(self.x, axis=0), axis=1) > JUMP)

    @property
    def jumps(self) -> int:
        return int(np.sum(self.leaps))

    @property
    def roams(self) -> float:
        """The longest side of the box the optimum stays in; 0 if it never moves."""
        return float(np.ptp(self.x, axis=0).max())

    @property
    def still(self) -> bool:
        return self.roams < STILL

    def coordinates(self, count: int) -> list[int]:
        """The ones along which the optimum moves most; the first ones where it stands still."""
        order = np.argsort(-np.round(self.travelled, 6), kind="stable")[:count]
        return sorted(int(i) for i in order)

    def nearest(self, t: float) -> int:
        return int(np.argmin(np.abs(self.t - t)))


def optimum_path(board: Benchmark) -> Path:
    """The stored path of a benchmark with its default options, or a coarser one made now."""
    known = _stored().get(board.key)
    if known is None or not _as_it_comes(board):
        times = np.linspace(0.0, board.horizon, SEARCHED + 1)
        x = np.array([oracle.best(board, float(t))[0] for t in times])
    else:
        times = np.linspace(0.0, board.horizon, len(known))
        x = np.array(known)
    return Path(times, x, np.asarray(board.value(x, times)))


def over_time(board: Benchmark, path: Path, coordinate: int, places: Array) -> Array:
    """f along one coordinate, the others at the optimum of the moment: (places, times)."""
    points = np.repeat(path.x[None], len(places), axis=0)
    points[:, :, coordinate] = places[:, None]
    return np.asarray(board.value(points, np.broadcast_to(path.t, points.shape[:2])))


def around(board: Benchmark, centre: Array, t: float, pair: Sequence[int], places: Array) -> Array:
    """f at t over two coordinates (across, up), the others at `centre`: (up, across)."""
    points = np.broadcast_to(centre, (len(places), len(places), len(centre))).copy()
    points[:, :, pair[0]] = places[None, :]
    points[:, :, pair[1]] = places[:, None]
    return np.asarray(board.value(points, t))


def ranks(values: Array, among: Array) -> Array:
    """The share of `among` below each value, 0 to 1: shades that a long tail cannot wash out."""
    ordered = np.sort(among.ravel())
    share = np.searchsorted(ordered, values.ravel()) / max(len(ordered) - 1, 1)
    return np.asarray(np.minimum(share, 1.0).reshape(values.shape))


@cache
def _stored() -> Mapping[str, list[list[float]]]:
    text = files("bolt_core").joinpath(STORED).read_text(encoding="utf-8")
    paths: Mapping[str, list[list[float]]] = json.loads(text)["paths"]
    return paths


def _as_it_comes(board: Benchmark) -> bool:
    """No option of its own differs from the default; the ones all have (COMMON) move nothing."""
    spec = benchmarks.catalog().get(board.key)
    return spec is not None and all(board.options[o.name] == o.default for o in spec.options)
