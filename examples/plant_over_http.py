"""Drive a plant over HTTP, as a control system would: one setting per period.

Start a server, then this loop, and open the page that it prints:

    bolt ui --no-browser
    python examples/plant_over_http.py --period 2 --count 60

The plant here is simulated; replace `measure` by your own. The loop keeps its problem and token in
a file, so that it continues after a restart. Measurements fail now and then, and are told as
failed. While the server is away (stop it and start it again), the loop waits and then goes on:
every call has a key, so that nothing is stored twice or lost.
"""

import argparse
import json
import math
import random
import time
from datetime import UTC, datetime
from pathlib import Path

from bolt_core import Integer, ProblemSpec, Real, Remote
from bolt_core.common.errors import BoltError

PROBLEM = ProblemSpec(
    {
        "feed": Real(0, 8, unit="l/min", max_step=2),
        "temperature": Real(40, 90, unit="°C"),
        "stages": Integer(1, 6),
    },
    "yield",
    unit="%",
    name="Reactor over HTTP",
    warmup=8,
)
FAILURES = 0.05  # of the measurements


def measure(setting: dict, seconds: float) -> float:
    """Return the yield of the simulated reactor; its best setting drifts. NaN: it failed."""
    if random.random() < FAILURES:
        return math.nan
    best_feed = 4.0 + 1.5 * math.sin(seconds / 60.0)
    best_temperature = 65.0 + 8.0 * math.cos(seconds / 90.0)
    loss = ((setting["feed"] - best_feed) / 2.5) ** 2
    loss += ((setting["temperature"] - best_temperature) / 16.0) ** 2
    loss += ((setting["stages"] - 4) / 3.0) ** 2
    return 80.0 * math.exp(-0.5 * loss) + random.gauss(0.0, 0.4)


def opened(server: str, memory: Path, operator_token: str | None) -> Remote:
    """Return the problem of an earlier start, or a new one."""
    if memory.exists():
        known = json.loads(memory.read_text())
        return Remote(known["url"], known["token"], retry_seconds=math.inf)
    print(f"Creating the problem at {server}; waits while the server is away.", flush=True)
    plant = Remote.create(server, PROBLEM, operator_token, retry_seconds=math.inf)
    memory.touch(mode=0o600)  # the token is a secret
    memory.write_text(json.dumps({"url": plant.url, "token": plant.token}))
    return plant


def main() -> None:
    """Read the command line, and drive the plant."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--server", default="http://localhost:8501")
    parser.add_argument("--period", type=float, default=2.0, help="seconds per measurement")
    parser.add_argument("--count", type=int, default=None, help="measurements; default: no end")
    parser.add_argument("--memory", type=Path, default=Path("plant_over_http.json"))
    parser.add_argument("--operator-token", help="needed if the server is open to other machines")
    options = parser.parse_args()
    try:
        drive(options)
    except BoltError as problem:
        raise SystemExit(f"error: {problem}") from None


def drive(options: argparse.Namespace) -> None:
    """Ask, set, measure and tell, once per period."""
    plant = opened(options.server, options.memory, options.operator_token)
    id = plant.url.rpartition("/")[2]
    print(f"Watch it at {options.server}/problem?id={id}", flush=True)

    began, done = time.monotonic(), 0
    while options.count is None or done < options.count:
        setting = plant.ask(reuse=True)  # after a restart: the setting that has no result yet
        measured_at = datetime.now(UTC)  # of the measurement, also if telling it takes longer
        value = measure(setting, time.monotonic() - began)
        plant.tell(setting, measured_at, value)
        done += 1
        shown = "failed" if math.isnan(value) else f"{value:.1f} %"
        print(f"{plant.last_id:4d}  {setting}  {shown}", flush=True)
        time.sleep(max(began + done * options.period - time.monotonic(), 0.0))
    try:
        best = plant.best()
        print(f"Best now: {best.setting}, {best.mean:.1f} % (sd {best.sd:.1f})")
    except BoltError as nothing_learned:
        print(nothing_learned)


if __name__ == "__main__":
    main()
