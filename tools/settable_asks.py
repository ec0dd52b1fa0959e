"""Many asks on a drifting plant with knobs of every kind: is each suggestion settable, in its step?

    python -m tools.settable_asks --asks 10000

Results come late, in any order, fail or are missing, and ranges change now and then. It prints the
number of asks and of those that cannot be set or lie further than max_step from the one before.
"""

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core import Bolt, Choice, Integer, Real
from bolt_core.common.knobs import Knob

KNOBS: Mapping[str, Knob] = {
    "feed": Real(0, 8, unit="l/min", max_step=1),
    "heat": Real(280, 420, unit="K"),
    "rate": Real(1e-4, 1e-1, scale="log", max_step=3),
    "stages": Integer(1, 6, max_step=2),
    "catalyst": Choice("A", "B", "C"),
}
PERIOD_SECONDS = 60.0
ASKS_PER_PLANT = 500
THINK_SECONDS = 0.01  # keeps the datasets small, so that there is time for many asks
MAX_PENDING = 4


def yield_of(setting: Mapping[str, Any], t: float) -> float:
    """Return the yield without noise, 0 at best; the best feed drifts."""
    feed = (setting["feed"] - 4.0 - 2.0 * math.sin(t / 3000.0)) ** 2
    heat = ((setting["heat"] - 350.0) / 40.0) ** 2
    rate = (math.log10(setting["rate"]) + 2.0) ** 2
    stages = 0.2 * (setting["stages"] - 3) ** 2
    return float(-feed - heat - rate - stages - 2.0 * (setting["catalyst"] != "B"))


def is_settable(knob: Knob, value: Any) -> bool:  # noqa: ANN401 - checked here
    """Whether a knob can be set to a value."""
    if isinstance(knob, Choice):
        return value in knob.values
    kind = int if isinstance(knob, Integer) else float
    return type(value) is kind and knob.low <= value <= knob.high


def is_step(knob: Knob, last: Any, value: Any) -> bool:  # noqa: ANN401
    """Whether one step may lead from a value to another."""
    if isinstance(knob, Choice) or knob.max_step is None:
        return True
    if isinstance(knob, Real) and knob.scale == "log":
        return bool(max(value, last) / min(value, last) <= knob.max_step)
    return bool(abs(value - last) <= knob.max_step)


def step_errors(
    settings: Sequence[Mapping[str, Any]], knobs: Mapping[str, Knob] = KNOBS
) -> list[tuple[int, str, Any, Any]]:
    """Return each value of settings in turn that cannot be set, or is too far from the last one."""
    wrong = []
    for k, setting in enumerate(settings):
        before = settings[k - 1] if k else setting
        for name, knob in knobs.items():
            last, value = before[name], setting[name]
            if not is_settable(knob, value) or not is_step(knob, last, value):
                wrong.append((k, name, last, value))
    return wrong


def plant(seed: int, asks: int, change_every: int = 100) -> int:
    """Return how many values of one plant were wrong; a range changes every so many asks."""
    rng = np.random.default_rng(seed)
    opt = Bolt(KNOBS, maximize="yield", seed=seed, think_within=THINK_SECONDS, ard=bool(seed % 2))
    last: Mapping[str, Any] | None = None
    wrong = 0
    for k in range(asks):
        t = k * PERIOD_SECONDS
        setting = opt.ask(t)
        pair = [setting] if last is None else [last, setting]
        wrong += sum(number == len(pair) - 1 for number, *_ in step_errors(pair, knobs_of(opt)))
        last = setting
        while len(opt.pending) > rng.integers(0, MAX_PENDING):
            ask = opt.pending[rng.integers(len(opt.pending))]
            y = math.nan if rng.random() < 0.05 else yield_of(ask.setting, t) + rng.normal(0, 0.1)
            opt.tell(None, t, y, id=ask.id)
            last = opt.last_setting
        if (k + 1) % change_every == 0:
            opt.change("heat", high=float(rng.uniform(400.0, 440.0)))
    return wrong


def knobs_of(opt: Bolt) -> Mapping[str, Knob]:
    """Return the present knobs."""
    return {} if opt.spec is None else opt.spec.knobs


def main() -> None:
    """Run plants until there were enough asks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--asks", type=int, default=10_000)
    asks = parser.parse_args().asks
    wrong = 0
    for seed in range(-(-asks // ASKS_PER_PLANT)):
        wrong += plant(seed, min(ASKS_PER_PLANT, asks - seed * ASKS_PER_PLANT))
        done = min((seed + 1) * ASKS_PER_PLANT, asks)
        sys.stdout.write(json.dumps({"asks": done, "wrong": wrong}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
