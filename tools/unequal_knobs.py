"""Problems with unequal knobs: one lengthscale per knob against one for all, and against rounding.

    python -m tools.unequal_knobs run --out FILE [--first SEED] [--seeds 10] [--cases mixed,...]
    python -m tools.unequal_knobs table FILE

A case is a drifting function (random Fourier features, as in benchmarks/gp_sample) over knobs that
differ; one measurement per second, 200 of them, l_T = 60 s, noise of 1 % of the variance. Lanes:

    bolt      one lengthscale for all knobs
    ard       one lengthscale per knob
    rounded   BOLT over real numbers, rounded outside of it (cases with integers or choices)
    random    random settings

`run` appends one line of JSON per case, lane and seed, and leaves out those that are in the file.
`table` prints means with standard errors, and paired differences with 95 % t intervals.
"""

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from scipy.optimize import minimize

from bolt_core import Bolt, Choice, Integer, OnlineOptimizer, Real
from bolt_core.analysis.seed_statistics import cell, paired
from bolt_core.benchmarks.gp_sample import Path, draw
from bolt_core.benchmarks.oracle import dense_points
from bolt_core.common.types import Array

PASSES, WARMUP = 200, 15
SECONDS_PER_PASS, LENGTHSCALE_TIME, NOISE_SD = 1.0, 60.0, 0.1
DENSE_POWER = 9  # 2^9 points per combination of levels, before the ascents
ASCENTS = 4
CATALYSTS = ("A", "B", "C")
STAGES = Integer(1, 6)

Knobs = dict[str, Any]
Start = tuple[float, Array, tuple[float, ...], int | None]  # value, real knobs, levels, catalyst


@dataclass(frozen=True)
class Case:
    """Knobs (real ones first, a choice last), and lengthscales of the ordered ones, in ranges."""

    knobs: Knobs
    lengthscales: tuple[float, ...]

    @property
    def has_levels(self) -> bool:
        """Whether some knobs cannot be set anywhere."""
        return any(not isinstance(knob, Real) for knob in self.knobs.values())


CASES: Mapping[str, Case] = {
    "one-of-four": Case(
        {f"x{k}": Real(0, 1) for k in range(4)}, (0.2, math.inf, math.inf, math.inf)
    ),
    "scales-1-30": Case({"fine": Real(0, 1), "coarse": Real(0, 1)}, (0.1, 3.0)),
    "integer-choice": Case(
        {
            "feed": Real(0, 8),
            "heat": Real(20, 90),
            "stages": STAGES,
            "catalyst": Choice(*CATALYSTS),
        },
        (0.3, 0.3, 0.5),
    ),
    "mixed": Case(
        {
            "feed": Real(0, 8),
            "heat": Real(20, 90),
            "rate": Real(1e-4, 1e-1, scale="log"),
            "stages": STAGES,
            "catalyst": Choice(*CATALYSTS),
        },
        (0.3, 0.6, 0.4, 0.5),
    ),
}


class Waves:
    """A path at fixed points over time: two products per time instead of cosines."""

    def __init__(self, path: Path, U: Array, factor: float) -> None:
        phases = U @ path.w.T
        self._cosines, self._sines, self._path = np.cos(phases), np.sin(phases), path
        self._factor = factor * path.scale

    def f(self, t: float) -> Array:
        """Return the values at time t."""
        now = self._path.v * t + self._path.phi
        values = self._cosines @ np.cos(now) - self._sines @ np.sin(now)
        return np.asarray(self._factor * values)


class Plant:
    """The function of a case and a seed, of variance 1."""

    def __init__(self, case: Case, seed: int) -> None:
        self._case = case
        scales = np.array(case.lengthscales)
        paths = [_path(scales, 100 * seed + k) for k in range(1 + len(CATALYSTS))]
        self._shared = paths[0]
        self._own = paths[1:] if "catalyst" in case.knobs else []  # of each catalyst

    def value(self, setting: Mapping[str, Any], t: float) -> float:
        """Return f at a setting and a time."""
        ordered = {n: k for n, k in self._case.knobs.items() if not isinstance(k, Choice)}
        u = np.array([position(knob, setting[name]) for name, knob in ordered.items()])
        catalyst = CATALYSTS.index(setting["catalyst"]) if self._own else None
        return float(self._at(u, catalyst, np.array(t)))

    def best(self, t: float) -> float:
        """Return the largest value at time t: dense points per combination, then ascents."""
        starts: list[Start] = []
        for (levels, catalyst), (points, waves) in self._dense.items():
            values = np.sum([wave.f(t) for wave in waves], axis=0)
            row = int(np.argmax(values))
            starts.append((float(values[row]), points[row], levels, catalyst))
        starts.sort(key=lambda start: -start[0])
        return max(self._climbed(start, t) for start in starts[:ASCENTS])

    @cached_property
    def _dense(self) -> dict[tuple[tuple[float, ...], int | None], tuple[Array, list[Waves]]]:
        """Dense points of the real knobs, and f there over time, for each combination."""
        knobs = self._case.knobs.values()
        points = dense_points(sum(isinstance(k, Real) for k in knobs), DENSE_POWER)
        levels = [
            [position(k, v) for v in range(k.low, k.high + 1)]
            for k in knobs
            if isinstance(k, Integer)
        ]
        catalysts: Sequence[int | None] = range(len(self._own)) if self._own else (None,)
        dense = {}
        for combination, catalyst in product(product(*levels), catalysts):
            fixed = np.broadcast_to(np.array(combination), (len(points), len(combination)))
            U = np.hstack([points, fixed])
            parts = [(self._shared, 1.0)]
            if catalyst is not None:
                parts = [(p, math.sqrt(0.5)) for p in (self._shared, self._own[catalyst])]
            dense[combination, catalyst] = points, [Waves(path, U, c) for path, c in parts]
        return dense

    def _at(self, u: Array, catalyst: int | None, t: Array) -> Array:
        if catalyst is None:
            return self._shared.f(u, t)
        both = self._shared.f(u, t) + self._own[catalyst].f(u, t)
        return np.asarray(math.sqrt(0.5) * both)

    def _climbed(self, start: Start, t: float) -> float:
        value, x, levels, catalyst = start
        result = minimize(
            lambda u: -float(self._at(np.concatenate([u, levels]), catalyst, np.array(t))),
            x,
            method="L-BFGS-B",
            bounds=[(0.0, 1.0)] * len(x),
            options={"maxiter": 30},
        )
        return max(value, -float(result.fun))


def _path(scales: Array, environment: int) -> Path:
    path = draw(
        d=len(scales),
        environment=environment,
        signal_variance=1.0,
        lengthscale_space=1.0,
        lengthscale_time=LENGTHSCALE_TIME,
    )
    return replace(path, w=path.w / scales)


def position(knob: Any, value: float) -> float:  # noqa: ANN401 - a Real or an Integer
    """Return where a value lies in its range, 0 to 1."""
    if isinstance(knob, Real) and knob.scale == "log":
        return math.log(value / knob.low) / math.log(knob.high / knob.low)
    return float((value - knob.low) / (knob.high - knob.low))


def relaxed(knob: Any) -> Real:  # noqa: ANN401 - any knob
    """Return a real knob in place of an integer or a choice."""
    if isinstance(knob, Integer):
        return Real(knob.low - 0.5, knob.high + 0.5)
    return Real(0, len(knob.values)) if isinstance(knob, Choice) else knob


def rounded(knobs: Knobs, setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settable values nearest to those of relaxed knobs."""
    values = dict(setting)
    for name, knob in knobs.items():
        if isinstance(knob, Integer):
            values[name] = min(max(round(setting[name]), knob.low), knob.high)
        elif isinstance(knob, Choice):
            values[name] = knob.values[min(int(setting[name]), len(knob.values) - 1)]
    return values


def optimizer(lane: str, case: Case, seed: int) -> OnlineOptimizer:
    """Return the optimizer of a lane."""
    if lane == "random":
        return OnlineOptimizer(case.knobs, algorithm="random", maximize="y", seed=seed)
    knobs = case.knobs
    if lane == "rounded":
        knobs = {name: relaxed(knob) for name, knob in knobs.items()}
    return Bolt(knobs, maximize="y", seed=seed, ard=lane == "ard")


def regret(lane: str, case: Case, seed: int, heights: Sequence[float]) -> float:
    """Return the average regret after the warm-up; `heights` are the optima of all passes."""
    plant, opt = Plant(case, seed), optimizer(lane, case, seed)
    noise = np.random.default_rng(seed)
    regrets = []
    for k, height in enumerate(heights):
        t = k * SECONDS_PER_PASS
        asked = opt.ask(t)
        setting = rounded(case.knobs, asked) if lane == "rounded" else asked
        value = plant.value(setting, t)
        opt.tell(asked, t, value + NOISE_SD * float(noise.standard_normal()))
        regrets.append(height - value)
    return float(np.mean(regrets[WARMUP:]))


def run(out: FilePath, cases: Sequence[str], seeds: Sequence[int]) -> None:
    """Append the runs that are not in the file yet."""
    done = {(r["case"], r["lane"], r["seed"]) for r in _rows(out)} if out.exists() else set()
    for seed, name in product(seeds, cases):
        case = CASES[name]
        lanes = ["bolt", "ard", "random", *(["rounded"] if case.has_levels else [])]
        left = [lane for lane in lanes if (name, lane, seed) not in done]
        plant = Plant(case, seed)
        heights = [plant.best(k * SECONDS_PER_PASS) for k in range(PASSES)] if left else []
        for lane in left:
            row = {"case": name, "lane": lane, "seed": seed}
            line = json.dumps(row | {"regret": regret(lane, case, seed, heights)}) + "\n"
            with out.open("a", encoding="utf-8") as file:
                file.write(line)
            sys.stdout.write(line)
            sys.stdout.flush()


def table(path: FilePath) -> None:
    """Print the means of each lane, and the paired difference of `ard` to each other lane."""
    by_case: dict[str, dict[str, dict[int, float]]] = {}
    for row in _rows(path):
        by_case.setdefault(row["case"], {}).setdefault(row["lane"], {})[row["seed"]] = row["regret"]
    for case, lanes in by_case.items():
        for lane, values in lanes.items():
            mean = cell(list(values.values()))
            error = "" if mean.error is None else f" +- {mean.error:.3f}"
            line = f"{case:15} {lane:8} {mean.mean:.3f}{error} ({len(values)} seeds)"
            if lane != "ard" and (pair := paired(lanes["ard"], values)) and pair.low is not None:
                line += f"   ard - {lane}: {pair.mean:+.3f} [{pair.low:+.3f}, {pair.high:+.3f}]"
            sys.stdout.write(line + "\n")


def _rows(path: FilePath) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Run the lanes, or print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("--out", type=FilePath, required=True)
    running.add_argument("--first", type=int, default=0)
    running.add_argument("--seeds", type=int, default=10)
    running.add_argument("--cases", default=",".join(CASES))
    commands.add_parser("table").add_argument("file", type=FilePath)
    options = parser.parse_args()
    if options.command == "table":
        table(options.file)
    else:
        seeds = range(options.first, options.first + options.seeds)
        run(options.out, options.cases.split(","), seeds)


if __name__ == "__main__":
    main()
