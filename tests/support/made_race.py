"""A race of 5,000 iterations made by hand, on disk as the app would have left it."""

import math

from bolt_core.common.types import ClockConfig, IterationRecord, Observation, RunConfig
from bolt_core.store.records import RecordWriter

RACE_ID = "20260102T000000Z-made"
HORIZON = 300.0
LANES = {"bolt": (2500, 0.12), "r-gpucb": (2250, 0.13), "gpucb": (250, 1.2)}  # passes, seconds each
BLOCK = 90  # after which R-GPUCB forgets


def write(directory):
    """Its files, by algorithm."""
    files = {}
    for place, (algorithm, (count, seconds)) in enumerate(LANES.items()):
        config = RunConfig(algorithm, "eggholder", seed=3, clock=ClockConfig("model"))
        about = {"dimension": 1, "horizon": HORIZON, "race_id": RACE_ID, "place": place}
        run_id = f"20260102T000000Z-run{place}"
        path = files[algorithm] = directory / f"{run_id}.jsonl"
        with RecordWriter(path, config, header=about, run_id=run_id) as writer:
            for passed in _passes(algorithm, count, seconds):
                writer.append(passed)
    return files


def _passes(algorithm, count, seconds):
    held = []
    for i in range(count):
        n, full = len(held), i >= 15
        held.append(i)
        gone, notes = [], {}
        if algorithm == "bolt" and full:
            while len(held) > 40 + 20 * math.sin(i / 300):
                gone.append(held.pop(len(held) // 3))
        if algorithm == "r-gpucb" and len(held) == BLOCK:
            gone, held, notes = held, [], {"reset": f"block of {BLOCK} observations is full"}
        lost = (1 + math.sin(i / 50) ** 2) * seconds
        yield IterationRecord(
            Observation(i, (0.5,), i * seconds, -lost),
            value=-lost,
            best=0.0,
            best_x=(0.2,),
            n=n,
            seconds=seconds * (1 + 0.2 * math.sin(i)),
            warmup=not full,
            n_star=40 + i % 7 if algorithm == "bolt" and full else None,
            removed=tuple(gone),
            notes=notes,
        )
