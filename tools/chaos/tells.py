"""kill -9 between ask and tell, and in the middle of a tell: nothing is lost or stored twice.

A process asks and tells with a journal and is killed at random moments, many times on one file. It
prints a line before and after each tell. A control system would do as it does after a restart: tell
the pending asks again, and the last result too, because it cannot know whether that was stored.
"""

import math
import random
import sys
from collections import Counter
from pathlib import Path

from bolt_core import Bolt, Integer, Real
from bolt_core.common import runtime
from bolt_core.common.errors import BoltError
from bolt_core.common.knobs import Knob
from tools.chaos.processes import child, say, temporary_home
from tools.chaos.report import Check

SHORT, LONG = 2, 50  # kills: of the first process, and of one that goes on
MAX_DELAY_SECONDS = 0.6  # from the first line of a process to its end, at random
FILE = "plant.jsonl"
KNOBS: dict[str, Knob] = {"feed": Real(0, 8, max_step=1), "stages": Integer(1, 6)}


def run(seed: int, *, long: bool) -> list[Check]:
    """Kill processes that work on one file, and return one check."""
    rng, check = random.Random(seed), Check("tells", "kill -9")
    told: set[int] = set()
    last: Counter[str] = Counter()
    with temporary_home() as home:
        path = home / FILE
        for number in range(LONG if long else SHORT):
            delay = rng.uniform(0.0, MAX_DELAY_SECONDS)
            label = f"kill {number} of seed {seed} after {delay:.3f} s"
            with child("tools.chaos.tells", str(path)) as process:
                process.wait_for_first()
                process.sleep(delay)
                heard = process.kill()
            told |= {line["told"] for line in heard if "told" in line}
            last.update(list(heard[-1]))
            _check_file(path, told, check, label)
            sys.stderr.write(f"{label}: {len(check.problems)} problems so far\n")
    moments = ", ".join(f"{count} after {name}" for name, count in sorted(last.items()))
    check.figures = f"{len(told)} tells returned; last line before a kill: {moments}"
    return [check]


def _check_file(path: Path, told: set[int], check: Check, label: str) -> None:
    try:
        log = Bolt.load(path).log()
    except BoltError as problem:
        check.expect(False, f"{label}: {problem}")
        return
    answered = Counter(log[~log["pending"]]["ask"].tolist())
    lost, twice = told - set(answered), [ask for ask, n in answered.items() if n > 1]
    check.expect(not lost, f"{label}: the results of {sorted(lost)} are lost")
    check.expect(not twice, f"{label}: the results of {twice} are stored more than once")


def result(ask: int) -> float:
    """Return the result of an ask, which is the same after a restart."""
    return math.sin(float(ask))


def main() -> None:
    """Work on a journal until killed."""
    runtime.configure()
    opt = Bolt(KNOBS, maximize="yield", warmup=4, journal=Path(sys.argv[1]))
    say(opened=len(opt.log()))
    for ask in sorted({*(pending.id for pending in opt.pending), opt.last_id} - {0}):
        opt.tell(None, None, result(ask), id=ask)
        say(told=ask)
    while True:
        opt.ask()
        ask = opt.last_id
        say(asked=ask)
        opt.tell(None, None, result(ask), id=ask)
        say(told=ask)


if __name__ == "__main__":
    main()
