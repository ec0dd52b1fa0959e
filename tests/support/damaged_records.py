"""Damage to a saved optimizer, drawn from a seed, and the errors that loading it gives.

By hand: python -c "from tests.support.damaged_records import errors; print(errors(5000))"
"""

import random
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

from bolt_core.common.errors import BoltError
from bolt_core.online.optimizer import Bolt, OnlineOptimizer, make
from tests.support.plant import KNOBS, drive_plant
from tools.chaos.damage import damaged


def saved(path, algorithm="bolt", passes=24):
    """Save an optimizer with some passes to `path`; return the bytes."""
    opt = make(algorithm, [(0.0, 1.0), (-5.0, 5.0)], warmup=5)
    for k in range(passes):
        x = opt.ask(float(k))
        opt.tell(x, opt.at, float(x.sum()))
    opt.save(path)
    return path.read_bytes()


def kept(path, algorithm="bolt", passes=24):
    """Keep a journal of an optimizer with knobs at `path`; return the bytes."""
    opt = make(algorithm, KNOBS, warmup=5, journal=path)
    drive_plant(opt, range(passes))
    opt.ask(1e5)
    opt.close()
    return path.read_bytes()


def errors(count, seed=0, algorithm="bolt", write=saved):
    """Return how often each result occurs: "loads", "refused", or the name of a bare error."""
    rng, found = random.Random(seed), Counter()
    kind = Bolt if algorithm == "bolt" else OnlineOptimizer
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.jsonl"
        data = write(path, algorithm)
        for case in range(count):
            path.write_bytes(damaged(data, rng))
            try:
                opt = kind.load(path)
                with suppress(BoltError):  # such as a time that is before the newest
                    opt.tell(opt.ask(1e6), opt.at, 1.0)
                found["loads"] += 1
            except BoltError as problem:
                named = path.name in str(problem) and len(str(problem)) < 1000
                found["refused" if named else f"unclear: {problem}"[:120]] += 1
            except Exception as problem:  # noqa: BLE001 - what the fuzzer looks for
                found[f"{type(problem).__name__} {problem} (case {case})"[:120]] += 1
    return found
