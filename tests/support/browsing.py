"""A server, a Chromium and visitors, for the tests that need them; what they do there in words."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from bolt_core.common.types import RunStatus
from bolt_core.store.records import read
from tests.support.in_the_page import ARGS, IDLE, REACHED, READ
from tests.support.project import ROOT

PATIENCE_MS = 600_000  # for whatever is waited for: a slow or busy machine is no failure
expect.set_options(timeout=PATIENCE_MS)
OPERATOR_TOKEN = "the-operators-of-the-tests"  # so that visitors are not operators
CHROMIUMS = ("chromium-headless-shell", "chromium")  # the first needs less CPU time per page
ALONE = "() => !window.__boltStore?.races.get('recorded')?.panels.size"
# Streamlit's words when it cannot write to a visitor, as when one leaves meanwhile.
LEFT = "Error sending websocket payload"
BENIGN = (
    "ResizeObserver loop",  # Chromium's word for "one more layout next frame"; no script failed
    "Failed to load resource",  # a test may take the server away
    "WebSocket connection",
)


def settled(page):
    """Connected, something drawn, idle for 400 ms: the state reads `notRunning` before the first
    run too, and a key pressed then is swallowed."""
    page.wait_for_function(IDLE)


def plot(page, key="regret"):
    return page.evaluate(READ, key)


def wait_version(page, version, key="regret"):
    page.wait_for_function(REACHED, arg=[key, version])


def start(page):
    """Press S once the button is there: its code comes later than the rest of the page."""
    page.locator(".st-key-run button").wait_for()
    page.keyboard.press("s")
    expect(page.locator(".st-key-stop button")).to_be_visible()
    page.wait_for_function(ALONE)  # the recorded race has gone: its panels have the same names


def stop(page):
    page.locator(".st-key-stop button").click()
    expect(page.locator(".st-key-run button")).to_be_visible()


@pytest.fixture(scope="session")
def home_of_server(tmp_path_factory):
    return tmp_path_factory.mktemp("bolt")


@pytest.fixture(scope="session")
def server(home_of_server):
    """One server for all tests that need no data of an earlier one: each stops its races."""
    with serving(home_of_server) as url:
        yield url


@contextlib.contextmanager
def serving(home):
    """A server of one's own at this address; at its end, its log and its records are sound."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = home / "server.log"
    streamlit = str(Path(sys.executable).with_name("streamlit"))
    command = [streamlit, "run", "app.py", f"--server.port={port}", "--server.address=127.0.0.1"]
    with log.open("w") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | {"BOLT_HOME": str(home), "BOLT_ADMIN_TOKEN": OPERATOR_TOKEN},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            yield _healthy(process, f"http://127.0.0.1:{port}", log)
        finally:
            process.terminate()
            try:
                code = process.wait(30)
            finally:
                process.kill()
    log_text, closed = (
        log.read_text(),
        {read(path).status for path in (home / "runs").glob("*.jsonl")},
    )
    assert code in (0, -15)  # uvicorn raises SIGTERM again when it is done
    assert RunStatus.INTERRUPTED not in closed
    assert "missing ScriptRunContext" not in log_text
    _, _, broken = log_text.replace(f"{LEFT}\nTraceback", LEFT).partition("Traceback")
    assert not broken, broken[:4000]


def _healthy(process, url, log):
    for _ in range(120):
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health") as reply:
            if reply.read() == b"ok":
                return url
        time.sleep(0.25)
    pytest.fail(f"the server never became healthy: {log.read_text()}")


@pytest.fixture(scope="session")
def browser():
    on_path = filter(None, map(shutil.which, CHROMIUMS))
    chromium = os.environ.get("BOLT_CHROMIUM") or next(on_path, None)
    assert chromium, "the browser tests need Chromium: set BOLT_CHROMIUM or put one on the PATH"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield launched
        launched.close()


class Seats:
    """Windows of a browser for visitors who come one after the other.

    A visitor takes nothing over from the one before but the files that the browser has cached, and
    their compiled code: fetching and compiling them anew takes a third of the CPU time of a visit.
    """

    def __init__(self, browser):
        self._browser = browser
        self._free = []

    def take(self, server, permissions=(), **emulated):
        """Return the page of somebody who has never been there."""
        context = self._free.pop() if self._free else self._browser.new_context()
        context.set_default_timeout(PATIENCE_MS)
        context.grant_permissions(permissions)
        page = context.new_page()
        page.set_viewport_size(emulated.pop("viewport"))
        page.emulate_media(**emulated)
        kept = {"origin": server, "storageTypes": "cookies,local_storage,cache_storage,indexeddb"}
        context.new_cdp_session(page).send("Storage.clearDataForOrigin", kept)
        return page

    def leave(self, page):
        for one in page.context.pages:
            one.close()
        page.context.clear_cookies()
        page.context.clear_permissions()
        self._free.append(page.context)


@pytest.fixture(scope="session")
def seats(browser):
    return Seats(browser)


@pytest.fixture
def visit(seats, server):
    """visit(path, **context): a fresh visitor."""
    with visiting(seats, server) as go:
        yield go


@contextlib.contextmanager
def visiting(seats, server):
    """go(path, **emulated) opens a page there; at the end, no error and no stranger was seen.

    Judged before the window closes: closing it breaks off whatever the page is still fetching.
    """
    pages, errors, strangers = [], [], []

    def go(path="/", **options):
        options = {"viewport": {"width": 1366, "height": 768}, "color_scheme": "light"} | options
        page = seats.take(server, **options)
        pages.append(page)
        page.on("pageerror", lambda e: errors.append(e.stack or str(e)))
        page.on("console", lambda m: m.type == "error" and errors.append(m.text))
        page.on("request", lambda r: r.url.startswith(server) or strangers.append(r.url))
        page.goto(server + path)
        settled(page)
        return page

    yield go
    seen = [error for error in errors if not any(word in error for word in BENIGN)]
    for page in pages:
        seats.leave(page)
    assert not seen, seen
    assert not [url for url in strangers if url.startswith("http")]
