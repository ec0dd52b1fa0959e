"""Make the built-in recording that the Arena shows first: `python tools/record.py`, some minutes.

An ordinary race by our own code on the cpu clock. Its records are kept gzipped in
bolt_core/data/recorded, without state lines, because it is not resumed, and with eight significant
digits. The header says what made it; a test fails when it is time to make it again.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bolt_core.common import runtime
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.live.race import Race
from bolt_core.store import bundled_race
from bolt_ui.race_settings import DEFAULT_SLOWDOWN

DIGITS = 8


def main() -> None:
    runtime.configure()
    clock = ClockConfig("cpu", slowdown=DEFAULT_SLOWDOWN)
    configs = [
        RunConfig(algorithm, bundled_race.BENCHMARK, seed=bundled_race.SEED, clock=clock)
        for algorithm in bundled_race.ALGORITHMS
    ]
    with tempfile.TemporaryDirectory() as folder:
        race = Race(configs, Path(folder))
        while not race.ended:
            race.advance()
        for path in sorted(Path(folder).iterdir()):
            _pack(path)


def _pack(path: Path) -> None:
    lines = [json.loads(line, parse_float=_short) for line in path.read_text().splitlines()]
    lines[0] |= {"recipe": bundled_race.recipe(), "commit": _commit()}
    kept = [json.dumps(line, separators=(",", ":")) for line in lines if line["kind"] != "state"]
    made = bundled_race.FOLDER / f"{lines[0]['config']['algorithm']}.jsonl.gz"
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_bytes(gzip.compress("\n".join(kept).encode(), mtime=0))
    sys.stdout.write(f"{made.name}: {len(kept):,} lines, {made.stat().st_size:,} bytes\n")


def _short(text: str) -> Any:  # noqa: ANN401 - json's own signature
    return float(f"{float(text):.{DIGITS}g}")


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
