"""Make the pictures of the README: `python -m tools.screenshots`, a minute or two.

A server with an empty data directory shows the built-in race and campaign, so that the pictures of
one version are the same wherever they are made. A browser that asks for less motion gets the end of
the race at once. Chromium is that of the browser tests: BOLT_CHROMIUM, or one on the PATH.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from playwright.sync_api import Page, sync_playwright

from tools.chaos import web

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
MAX_BYTES = 300_000
CHROMIUMS = ("chromium-headless-shell", "chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
HEIGHTS = MappingProxyType({"arena": 1120, "inside": 1120, "scoreboard": 1120})  # pixels
WIDTH = 1366
PAGE_MS = 60_000  # how long to wait, on a busy machine
IDLE = """() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState
  === 'notRunning'"""
DRAWN = "() => document.querySelector('.main-svg') !== null"  # made by plotly.js
SETTLE_MS = 2_500  # for transitions and fonts


def main() -> None:
    """Make all pictures, and stop with an error if one is too large."""
    on_path = filter(None, map(shutil.which, CHROMIUMS))
    chromium = os.environ.get("BOLT_CHROMIUM") or next(on_path, None)
    if chromium is None:
        sys.exit("no Chromium: set BOLT_CHROMIUM to its path, or install Debian's chromium")
    with (
        tempfile.TemporaryDirectory() as home,
        web.serving(Path(home)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(color_scheme="light", reduced_motion="reduce")
        page.set_default_timeout(PAGE_MS)
        for name, visit in PICTURES.items():
            page.set_viewport_size({"width": WIDTH, "height": HEIGHTS[name]})
            visit(page, f"http://{web.HOST}:{server.port}")
            _save(page, name)
        browser.close()


def _arena(page: Page, base: str) -> None:
    """Show the built-in race with its metronome."""
    page.goto(base)


def _inside(page: Page, _: str) -> None:
    """Show the same race from within BOLT."""
    page.get_by_role("link", name="Inside BOLT").click()
    page.locator(".st-key-fit .bolt-plot").wait_for()


def _scoreboard(page: Page, base: str) -> None:
    """Show the results of the built-in campaign."""
    page.goto(f"{base}/scoreboard")


PICTURES: Mapping[str, Callable[[Page, str], None]] = MappingProxyType(
    {"arena": _arena, "inside": _inside, "scoreboard": _scoreboard}
)


def _save(page: Page, name: str) -> None:
    page.wait_for_function(IDLE)
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(SETTLE_MS)
    path = FOLDER / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path)
    size = path.stat().st_size
    sys.stdout.write(f"{path.name}: {size:,} bytes\n")
    if size > MAX_BYTES:
        sys.exit(f"{path} has {size:,} bytes; make it smaller than {MAX_BYTES:,}")


if __name__ == "__main__":
    main()
