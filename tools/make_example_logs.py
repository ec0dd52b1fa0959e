"""Make the bundled example logs: a reactor that drifts, and a coating line that does not.

    python -m tools.make_example_logs

Both are simulated here with fixed seeds, so the files are the same whenever this is run.

    reactor.csv       seven days, a row every 5 minutes; settings are held for 15 minutes. The best
                      feed and temperature wander within hours: random sums of slow cosines.
    coating_line.csv  ten days, a row every 20 minutes; speed, oven and nozzle are varied, and the
                      number of defects depends on them alone, with noise.
"""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from bolt_core.common.types import Array

FOLDER = Path(__file__).resolve().parents[1] / "bolt_core" / "data" / "logs"
START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)


def wandering(rng: np.random.Generator, t: Array, lengthscale: float) -> Array:
    """Return a slow random function of time with variance 1, changing over `lengthscale`."""
    speeds = rng.standard_normal(64) / lengthscale
    phases = rng.uniform(0.0, 2.0 * np.pi, 64)
    return np.asarray(np.sqrt(2.0 / 64) * np.cos(np.outer(t, speeds) + phases).sum(axis=1))


def reactor(seed: int = 7, rows: int = 2016, period: float = 300.0) -> list[list[str]]:
    """Return the rows of the reactor: feed, temperature and stirrer, and the yield."""
    rng = np.random.default_rng(seed)
    t: Array = period * np.arange(float(rows))
    held = np.repeat(rng.random((rows // 3 + 1, 3)), 3, axis=0)[:rows]
    feed, heat, stirrer = 1.0 + 7.0 * held[:, 0], 40.0 + 45.0 * held[:, 1], 120 + 480 * held[:, 2]
    best_feed = 4.5 + 1.3 * wandering(rng, t, 14 * 3600.0)
    best_heat = 62.0 + 8.0 * wandering(rng, t, 14 * 3600.0)
    loss = ((feed - best_feed) / 3.0) ** 2 + ((heat - best_heat) / 18.0) ** 2
    mixing = 1.0 - np.exp(-stirrer / 150.0)
    percent = 82.0 * mixing * np.exp(-loss) + rng.normal(0.0, 2.0, rows)
    return [
        [stamp(s), f"{a:.2f}", f"{b:.1f}", f"{c:.0f}", f"{y:.1f}"]
        for s, a, b, c, y in zip(t, feed, heat, stirrer, np.clip(percent, 0, 100), strict=True)
    ]


def coating_line(seed: int = 11, rows: int = 720, period: float = 1200.0) -> list[list[str]]:
    """Return the rows of the coating line: speed, oven and nozzle, and the defects."""
    rng = np.random.default_rng(seed)
    t: Array = period * np.arange(float(rows))
    speed, oven = rng.uniform(12.0, 40.0, rows), rng.uniform(110.0, 180.0, rows)
    nozzle = rng.choice(["fine", "medium", "wide"], rows)
    width = np.select([nozzle == "fine", nozzle == "medium"], [18.0, 26.0], 34.0)
    dryness = (oven - 95.0) / speed
    defects = 3.0 + ((speed - width) / 6.0) ** 2 + 2.5 * (dryness - 2.4) ** 2
    defects = np.maximum(defects + rng.normal(0.0, 1.0, rows), 0.0)
    return [
        [stamp(s), f"{a:.1f}", f"{b:.0f}", str(c), f"{y:.2f}"]
        for s, a, b, c, y in zip(t, speed, oven, nozzle, defects, strict=True)
    ]


def stamp(seconds: float) -> str:
    """Return a time of the log as ISO text."""
    return f"{START + timedelta(seconds=float(seconds)):%Y-%m-%dT%H:%M:%SZ}"


def write(name: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write one CSV file."""
    lines = [",".join(header), *(",".join(row) for row in rows)]
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def main() -> None:
    """Write both files."""
    header = ("time", "feed (l/min)", "temperature (°C)", "stirrer (1/min)", "yield (%)")
    write("reactor.csv", header, reactor())
    header = ("time", "speed (m/min)", "oven (°C)", "nozzle", "defects (1/m²)")
    write("coating_line.csv", header, coating_line())


if __name__ == "__main__":
    main()
