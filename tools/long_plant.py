"""A plant measured every minute for days: thinking time, memory, file and regret.

    python -m tools.long_plant --days 10 --seeds 3

Simulated times; thinking is measured in CPU seconds of the thread. Beside BOLT with `think_within`
runs the same surrogate on a sliding window that has, at every tell, BOLT's dataset size. It prints
one line of JSON per simulated day and seed; the last one of a seed says how long opening the file
takes.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bolt_core import Bolt, OnlineOptimizer, Real
from bolt_core.algorithms.gp_optimizer import GPOptimizer

PERIOD_SECONDS = 60.0
DAY = 1440  # tells
CYCLES_HOURS = np.array([8.0, 13.0, 24.0])  # of the best setting, per knob
WIDTH = 0.35  # of the hill, in shares of a range
NOISE_SD = 0.05  # the hill is 1 high
NEVER_REACHED_SECONDS = 1e6


def best_setting(t: float) -> np.ndarray:
    """Return the best setting at time t."""
    return np.asarray(0.5 + 0.35 * np.sin(2.0 * np.pi * t / 3600.0 / CYCLES_HOURS))


def yield_at(x: np.ndarray, t: float) -> float:
    """Return the yield without noise, at most 1."""
    return float(np.exp(-0.5 * np.sum(((x - best_setting(t)) / WIDTH) ** 2)))


def plant(seed: int, tells: int, think_within: float, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield figures once per simulated day, and those of the file at the end."""
    knobs = {f"x{k}": Real(0.0, 1.0) for k in range(len(CYCLES_HOURS))}
    path = folder / f"plant{seed}.jsonl"
    bolt = Bolt(
        knobs,
        maximize="yield",
        seed=seed,
        think_within=think_within,
        journal=path,
        clock=time.thread_time,
    )
    window = Bolt(
        [(0.0, 1.0)] * len(knobs),
        algorithm="bolt-keep",
        seed=seed,
        think_within=NEVER_REACHED_SECONDS,  # so that it keeps no notes of old passes either
    )
    rng = np.random.default_rng(seed)
    asks, passes, sizes, regrets = [], [], [], []
    for k in range(tells):
        t, noise = k * PERIOD_SECONDS, NOISE_SD * rng.standard_normal()
        began = time.thread_time()
        setting = bolt.ask(t)
        asked = time.thread_time()
        x = np.array(list(setting.values()))
        bolt.tell(setting, None, yield_at(x, t) + noise)
        passes.append(time.thread_time() - began)
        asks.append(asked - began)
        other = window.ask(t)
        window.tell(other, t, yield_at(other, t) + noise)
        keep_newest(window, len(bolt.dataset))
        sizes.append(len(bolt.dataset))
        regrets.append((1.0 - yield_at(x, t), 1.0 - yield_at(other, t)))
        if (k + 1) % DAY == 0 or k + 1 == tells:
            late = np.array(asks) > think_within
            yield {
                "seed": seed,
                "tells": k + 1,
                "asks_too_long": float(late.mean()),
                "passes_too_long": float((np.array(passes) > think_within).mean()),
                "ask_quantile_99": float(np.quantile(asks, 0.99)),
                "mean_size": float(np.mean(sizes)),
                "regret_bolt": float(np.mean(regrets, axis=0)[0]),
                "regret_window": float(np.mean(regrets, axis=0)[1]),
                "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0,
                "file_mb": path.stat().st_size / 1e6,
            }
    status = str(bolt.status())
    bolt.close()
    began = time.thread_time()
    again = Bolt.open(path)
    seconds = time.thread_time() - began
    same = again.ask(tells * PERIOD_SECONDS) == bolt_ask(bolt, tells * PERIOD_SECONDS)
    yield {"seed": seed, "open_cpu_seconds": seconds, "continues_equally": same, "status": status}


def bolt_ask(bolt: OnlineOptimizer, t: float) -> object:
    """Return the next setting of an optimizer whose journal is closed."""
    bolt._journal = None
    return bolt.ask(t)


def keep_newest(opt: OnlineOptimizer, size: int) -> None:
    """Reduce the dataset to a sliding window."""
    optimizer = opt._inner.optimizer
    if isinstance(optimizer, GPOptimizer) and len(optimizer.dataset) > size:
        optimizer.forget([o.i for o in optimizer.dataset[:-size]])


def main() -> None:
    """Run the plants one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--think-within", type=float, default=0.05)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.seeds):
            tells = round(options.days * DAY)
            for figures in plant(seed, tells, options.think_within, Path(folder)):
                sys.stdout.write(json.dumps(figures) + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
