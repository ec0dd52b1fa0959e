"""Simulated logs: does the interval of l_T cover the truth, and are static logs called drifting?

    python -m tools.log_validation run --out FILE [--groups coverage,static,...] [--first N]
    python -m tools.log_validation table FILE

Groups, each with seeds of its own, fixed before the first run:

    calibration  400 static logs of 60 to 400 rows, for the threshold of the evidence
    coverage     100 drifting logs, a third with each temporal kernel: 95 of 200 to 1,000 rows and 5
                 of 3,000; the model is fitted with the kernel that the log was drawn with
    static       100 static logs of 200 to 1,000 rows, a quarter with heavy-tailed noise
    disturbed    60 static logs: correlated noise, a drifting level, or knobs that move with time
    few          20 drifting logs of 20 rows
    large        one file of 200,000 rows: seconds and peak memory from bytes to advice

`run` appends one line of JSON per log, and leaves out those that are in the file.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from bolt_core.common.knobs import Real
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.logs.analysis import analyse
from bolt_core.logs.log import Log, Roles
from bolt_core.logs.verdict import Drift
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.theory.kernels import Covariance, correlation

KERNELS = ("matern12", "matern32", "rbf")
DESIGNS = ("random", "walk", "levels", "held")
DISTURBANCES = ("noise 0.5", "noise 0.9", "level", "trend", "ramp", "slow")
SPAN = 86_400.0  # seconds
STATIC = math.inf
FIRST_SEED = {
    "calibration": 910_000,
    "coverage": 20_000,
    "static": 130_000,
    "disturbed": 240_000,
    "few": 50_000,
}
COUNT = {"calibration": 400, "coverage": 100, "static": 100, "disturbed": 60, "few": 20}
LARGE_ROWS = 200_000
LARGE_SEED = 60_000


def settings(rng: np.random.Generator, design: str, n: int, d: int) -> Array:
    """Return the settings of a log: independent, a walk, on five levels, or held for a while."""
    if design == "levels":
        return np.asarray(rng.integers(0, 5, (n, d)) / 4.0)
    if design == "held":
        return np.repeat(rng.random((n // 5 + 1, d)), 5, axis=0)[:n]
    if design == "ramp":  # one knob goes with time
        X = rng.random((n, d))
        X[:, 0] = np.linspace(0.0, 0.96, n) + 0.02 * rng.standard_normal(n)
        return X
    if design == "slow":  # all of them do
        return np.linspace(0.0, 0.96, n)[:, None] ** np.arange(1, d + 1) + 0.01 * rng.random((n, d))
    if design == "walk":
        walk = rng.random(d) + np.cumsum(0.15 * rng.standard_normal((n, d)), axis=0)
        return np.asarray(1.0 - np.abs(1.0 - np.abs(walk) % 2.0))  # reflected at 0 and 1
    return rng.random((n, d))


def times(rng: np.random.Generator, n: int) -> Array:
    """Return times: a fixed period, a jittered one, or one with pauses."""
    kind = rng.integers(3)
    gaps = np.ones(n - 1) if kind == 0 else rng.uniform(0.2, 1.8, n - 1)
    if kind == 2:
        gaps[rng.integers(0, n - 1, 5)] *= n / 20
    return np.asarray(np.concatenate([[0.0], np.cumsum(gaps)]) * (SPAN / gaps.sum()))


def surface(rng: np.random.Generator, X: Array, t: Array, kernel: str, l_T: float) -> Array:
    """Return a sample of the Gaussian process at the rows, with unequal lengthscales in space."""
    l_S = tuple(float(rng.uniform(0.2, 0.8)) for _ in range(X.shape[1]))
    static = math.isinf(l_T)
    theta = Hyperparameters(1.0, l_S, None if static else l_T, 0.0)
    k_T = correlation("none" if static else kernel)
    k = Covariance(correlation("matern52"), k_T, theta)
    Z = np.column_stack([X, t])
    K = k.between(Z, Z)
    K[np.diag_indices(len(t))] += 1e-8
    return np.asarray(np.linalg.cholesky(K) @ rng.standard_normal(len(t)))


def log_of(X: Array, t: Array, y: Array) -> Log:
    """Return a log of these rows."""
    names = tuple(f"knob {k + 1}" for k in range(X.shape[1]))
    spec = ProblemSpec({name: Real(0.0, 1.0) for name in names})
    return Log("simulated", "", t, None, spec, X, y, Roles("t", names, "y"))


def simulated(group: str, i: int) -> tuple[Log, dict[str, Any]]:
    """Return the log number i of a group, and how it was made."""
    rng = np.random.default_rng(FIRST_SEED[group] + i)
    low, high = {"calibration": (60, 400), "few": (20, 20)}.get(group, (200, 1000))
    n = round(math.exp(rng.uniform(math.log(low), math.log(high))))
    if group == "coverage" and i >= COUNT[group] - 5:
        n = 3000
    d, design = int(rng.integers(1, 5)), DESIGNS[i % len(DESIGNS)]
    disturbance = DISTURBANCES[i % len(DISTURBANCES)] if group == "disturbed" else ""
    if group == "disturbed":
        design = disturbance if disturbance in ("ramp", "slow") else "random"
    kernel = KERNELS[i % len(KERNELS)] if group == "coverage" else "matern32"
    drifts = group in ("coverage", "few")
    l_T = SPAN * math.exp(rng.uniform(math.log(1 / 30), 0.0)) if drifts else STATIC
    noise = math.exp(rng.uniform(math.log(0.01), math.log(0.3)))  # variance; that of f is 1
    X, t = settings(rng, design, n, d), times(rng, n)
    f = surface(rng, X, t, kernel, l_T)
    heavy = group in ("calibration", "static") and i % 4 == 3
    e = rng.standard_t(3.0, n) / math.sqrt(3.0) if heavy else rng.standard_normal(n)
    y = f + math.sqrt(noise) * e + disturbed(rng, disturbance, t)
    facts = {"n": n, "d": d, "design": design, "kernel": kernel, "noise": noise, "heavy": heavy}
    return log_of(X, t, y), {**facts, "disturbance": disturbance, "true": l_T if drifts else None}


def disturbed(rng: np.random.Generator, disturbance: str, t: Array) -> Array:
    """Return what is added to the outcome: correlated noise, a wandering level, a trend."""
    n = len(t)
    if disturbance == "trend":
        return np.asarray(2.0 * t / t[-1])
    if disturbance not in ("level", "noise 0.5", "noise 0.9"):
        return np.zeros(n)
    phi = {"level": 1.0 - 5.0 / n, "noise 0.5": 0.5, "noise 0.9": 0.9}[disturbance]
    sd = 1.0 if disturbance == "level" else 0.5
    e = np.empty(n)
    e[0] = rng.standard_normal()
    for k in range(1, n):
        e[k] = phi * e[k - 1] + math.sqrt(1.0 - phi**2) * rng.standard_normal()
    return sd * e


def result(group: str, i: int) -> dict[str, Any]:
    """Analyse one log; return what was made, what was found, and the CPU seconds."""
    log, facts = simulated(group, i)
    began = time.process_time()
    verdict = analyse(log, temporal_kernel=facts["kernel"])
    found = verdict.to_json()
    del found["texts"]
    covered = None
    if verdict.interval is not None and facts["true"] is not None:
        covered = verdict.interval.covers(facts["true"])
    row = {"group": group, "i": i, **facts, **found, "covered": covered}
    return {**row, "cpu_seconds": time.process_time() - began}


def write_large(path: Path) -> None:
    """Write a CSV of 200,000 rows of a drifting process, 2 s apart."""
    from bolt_core.benchmarks.gp_sample import draw

    rng = np.random.default_rng(LARGE_SEED)
    f = draw(
        d=3,
        environment=LARGE_SEED,
        signal_variance=1.0,
        lengthscale_space=0.4,
        lengthscale_time=7200.0,
        features=128,
    )
    with path.open("w", encoding="utf-8") as file:
        file.write("time,feed (l/min),heat (degC),stir (1/min),yield (%)\n")
        for start in range(0, LARGE_ROWS, 2000):
            t: Array = 2.0 * np.arange(float(start), start + 2000.0)
            X = rng.random((2000, 3))
            y = f.f(X, t) + 0.2 * rng.standard_normal(2000)
            for s, x, value in zip(t.tolist(), X.tolist(), y.tolist(), strict=True):
                stamp = np.datetime64("2026-01-01T00:00:00") + np.timedelta64(int(s), "s")
                file.write(f"{stamp},{8 * x[0]:.4f},{20 + 70 * x[1]:.3f},{900 * x[2]:.1f},")
                file.write(f"{50 + 10 * value:.3f}\n")


def large(path: Path) -> dict[str, Any]:
    """Run `bolt analyse` on the large file in a process of its own; its seconds and memory."""
    if not path.exists():
        write_large(path)
    words = [sys.executable, "-m", "bolt_core", "analyse", str(path), "--json"]
    began = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - began
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(done.stdout)["verdict"]
    return {
        "group": "large",
        "i": 0,
        "true": 7200.0,
        "drift": found["drift"],
        "interval_seconds": found["interval_seconds"],
        "wall_seconds": seconds,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_megabytes": usage.ru_maxrss / 1024,
    }


def known(path: Path) -> list[dict[str, Any]]:
    """Return the results that are in a file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def missing(groups: list[str], done: list[dict[str, Any]], first: int | None) -> Iterator[Any]:
    """Yield (group, i) of the logs without a result."""
    there = {(row["group"], row["i"]) for row in done}
    for group in groups:
        count = COUNT.get(group, 1)
        for i in range(min(count, first or count)):
            if (group, i) not in there:
                yield group, i


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the figures of each group."""
    by_group: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_group.setdefault(row["group"], []).append(row)
    for group, results in by_group.items():
        yield f"{group}: {len(results)} logs; {_summary(group, results)}"


def _summary(group: str, rows: list[dict[str, Any]]) -> str:
    verdicts = {str(d): sum(row["drift"] == d for row in rows) for d in Drift}
    words = ", ".join(f"{count} {name}" for name, count in verdicts.items())
    if group == "large":
        row = rows[0]
        return (
            f"{words}; {row['wall_seconds']:.1f} s, {row['cpu_seconds']:.1f} CPU s, "
            f"{row['peak_megabytes']:.0f} MB"
        )
    parts = [words]
    if group == "coverage":
        parts.append(f"l_T covered in {sum(bool(row['covered']) for row in rows)}")
        by_kernel = {k: [row for row in rows if row["kernel"] == k] for k in KERNELS}
        parts += [_coverage(some, kernel) for kernel, some in by_kernel.items()]
        parts.append(_coverage([row for row in rows if row["n"] == 3000], "3,000 rows"))
    if group in ("calibration", "static"):
        evidence = np.sort([row["evidence"] for row in rows])
        quantiles = np.quantile(evidence, [0.9, 0.95, 0.98, 0.99])
        parts.append("evidence 90, 95, 98, 99 %: " + ", ".join(f"{q:.2f}" for q in quantiles))
        parts.append(f"largest {evidence[-1]:.2f}")
    if group == "disturbed":
        for name in DISTURBANCES:
            called = [row["drift"] for row in rows if row["disturbance"] == name]
            parts.append(f"{name}: {called.count('yes')} of {len(called)} yes")
    return "; ".join(parts)


def _coverage(rows: list[dict[str, Any]], name: str) -> str:
    return f"{name}: {sum(bool(row['covered']) for row in rows)} of {len(rows)}"


def main() -> None:
    """Run or tabulate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    run.add_argument("--out", type=Path, required=True)
    run.add_argument("--groups", default="coverage,static,disturbed,few,large")
    run.add_argument("--first", type=int)
    commands.add_parser("table").add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "table":
        for line in table(known(arguments.file)):
            print(line)  # noqa: T201
        return
    groups = arguments.groups.split(",")
    for group, i in missing(groups, known(arguments.out), arguments.first):
        csv = arguments.out.with_suffix(".large.csv")
        row = large(csv) if group == "large" else result(group, i)
        with arguments.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
