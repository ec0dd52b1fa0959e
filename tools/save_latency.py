"""Measure the page "Your problem": from a press of Save to the next setting on screen.

    python -m tools.save_latency [--told 100] [--presses 20]

A server with a problem of three knobs and so many measurements, a real Chromium on the same
machine. The time runs in the browser, from the key to the change of the page.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from bolt_core import Integer, ProblemSpec, Real
from bolt_core.common.permissions import Permissions
from bolt_core.online.knob_space import KnobSpace
from bolt_core.problems.problems import Caller, MeasuredRow, Problems
from tools.chaos import web

TOKEN = "measured"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
SPEC = ProblemSpec(
    {"feed": Real(0, 8, unit="l/min"), "heat": Real(40, 90), "stages": Integer(1, 6)}, "yield"
)
READY = "() => document.querySelector('.bolt-operator')?.dataset.ask"
PRESS = """text => new Promise(done => {
  const box = document.querySelector('.bolt-operator'), input = box.querySelector('input');
  const ask = box.dataset.ask, began = performance.now();
  const seen = () => box.dataset.ask !== ask && !box.hasAttribute('aria-busy')
    && (observer.disconnect(), requestAnimationFrame(() => done(performance.now() - began)));
  const observer = new MutationObserver(seen);
  observer.observe(box, { attributes: true });
  input.value = text;
  box.querySelector('form').requestSubmit();
})"""


def main() -> None:
    """Print the median and the longest of the presses."""
    parser = argparse.ArgumentParser(description="Press of Save to the next setting on screen.")
    parser.add_argument(
        "--told", type=int, default=100, help="Measurements before the first press."
    )
    parser.add_argument("--presses", type=int, default=20)
    options = parser.parse_args()
    chromium = os.environ.get("BOLT_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("no Chromium: set BOLT_CHROMIUM to its path, or install Debian's chromium")
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        problem_id = _problem(Path(home), options.told)
        with web.serving(Path(home), BOLT_ADMIN_TOKEN=TOKEN) as server:
            base = f"http://{web.HOST}:{server.port}"
            page = playwright.chromium.launch(executable_path=chromium, args=FLAGS).new_page()
            page.goto(f"{base}/bolt-operator?token={TOKEN}")
            page.goto(f"{base}/problem?id={problem_id}")
            page.wait_for_function(READY, timeout=60_000)
            page.wait_for_timeout(3_000)  # charts are drawn
            times = [_press(page, k) for k in range(options.presses)]
    lines = [
        f"{options.told} measurements told before, {options.presses} presses of Save",
        f"median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms",
        "each: " + " ".join(f"{value:.0f}" for value in times),
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def _press(page: Page, k: int) -> float:
    taken: float = page.evaluate(PRESS, f"{60 + 7 * np.sin(k):.2f}")
    page.wait_for_timeout(700)  # an engineer needs longer
    return taken


def _problem(home: Path, told: int) -> str:
    """Create a problem with so many measurements, one per minute until now."""
    rng, space = np.random.default_rng(0), KnobSpace(SPEC.knobs)
    begin = datetime.now(UTC) - timedelta(minutes=told)
    rows = []
    for k in range(told):
        setting = space.from_unit(rng.random(3))
        value = 80.0 - (float(setting["feed"]) - 4.0 - np.sin(k / 30.0)) ** 2 + rng.normal()
        rows.append(MeasuredRow(setting, begin + timedelta(minutes=k), float(value)))
    problems = Problems(home / "problems", Permissions(shared=True))
    created = problems.create(SPEC, Caller("owner"), rows)
    problems.shutdown()
    return created.id


if __name__ == "__main__":
    main()
