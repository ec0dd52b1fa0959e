"""What only a browser shows: keys, zoom, polling, deep links, themes, a narrow screen.

Everything is read inside the page: `_fullData` is what plotly.js really drew.
"""

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

from bolt_core.records import read
from bolt_core.types import RunStatus
from tests.in_the_page import (
    ARGS,
    IDLE,
    INSIDE,
    MIDDLE,
    RANDOM,
    REACHED,
    READ,
    RULED,
    SAME,
    by_brute_force,
    last_pass,
)

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[1]
BENIGN = "ResizeObserver loop"  # Chromium's word for "one more layout next frame"; no script failed


def settled(page):
    """Connected, something drawn, idle for 400 ms: the state reads `notRunning` before the first
    run too, and a key pressed then is swallowed."""
    page.wait_for_function(IDLE, timeout=30_000)


def plot(page, key="regret"):
    return page.evaluate(READ, key)


def wait_version(page, version, key="regret"):
    page.wait_for_function(REACHED, arg=[key, version], timeout=30_000)


def start(page):
    """Press S once the button is there: its code comes later than the rest of the page."""
    page.locator(".st-key-run button").wait_for()
    page.keyboard.press("s")
    expect(page.locator(".st-key-stop button")).to_be_visible(timeout=15_000)


def stop(page):
    page.locator(".st-key-stop button").click()
    expect(page.locator(".st-key-run button")).to_be_visible(timeout=15_000)


@pytest.fixture(scope="module")
def home_of_server(tmp_path_factory):
    return tmp_path_factory.mktemp("bolt")


@pytest.fixture(scope="module")
def server(home_of_server):
    home = home_of_server
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
            env=os.environ | {"BOLT_HOME": str(home)},
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
    told, closed = log.read_text(), {read(path).status for path in (home / "runs").glob("*.jsonl")}
    assert code in (0, -15)  # uvicorn raises SIGTERM again when it is done
    assert RunStatus.INTERRUPTED not in closed
    assert "missing ScriptRunContext" not in told
    assert "Traceback" not in told


def _healthy(process, url, log):
    for _ in range(120):
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health") as reply:
            if reply.read() == b"ok":
                return url
        time.sleep(0.25)
    pytest.fail(f"the server never became healthy: {log.read_text()}")


@pytest.fixture(scope="module")
def browser():
    chromium = os.environ.get("BOLT_CHROMIUM") or shutil.which("chromium")
    assert chromium, "the browser tests need Chromium: set BOLT_CHROMIUM or put one on the PATH"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield launched
        launched.close()


@pytest.fixture
def visit(browser, server):
    """visit(path, **context): a fresh visitor; at the end, no error and no stranger was seen.

    Judged before the window closes: closing it breaks off whatever the page is still fetching.
    """
    contexts, errors, strangers = [], [], []

    def go(path="/", **options):
        options = {"viewport": {"width": 1366, "height": 768}, "color_scheme": "light"} | options
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda e: errors.append(str(e)))
        page.on("request", lambda r: r.url.startswith(server) or strangers.append(r.url))
        page.goto(server + path)
        settled(page)
        return page

    yield go
    seen = [error for error in errors if BENIGN not in error]
    for context in contexts:
        context.close()
    assert not seen
    assert not [url for url in strangers if url.startswith("http")]


def test_the_first_request_to_a_cold_server_may_be_a_deep_link(visit):
    page = visit("/inside")  # keep this test first, while the server has seen nobody

    expect(page.get_by_text("which one leaves next?")).to_be_visible()
    assert page.get_by_role("dialog").count() == 0
    page.get_by_role("link", name="Start one in the Arena").click()
    expect(page.get_by_text("Who tracks a moving optimum best?")).to_be_visible()


def test_a_link_sets_the_toolbar(visit):
    page = visit("/?seeds=4")

    expect(page.get_by_role("spinbutton", name="Seeds")).to_have_value("4")


def test_a_live_race_grows_in_place_keeps_zoom_stops_and_goes_quiet(visit):
    page = visit(RANDOM)
    frames, polls = [], []
    page.on("websocket", lambda w: w.on("framereceived", lambda d: frames.append(len(d))))
    page.on("request", lambda r: "/bolt-api/" in r.url and polls.append(r.url))
    page.reload()
    settled(page)
    start(page)
    wait_version(page, 30)
    page.evaluate("() => document.querySelector('.st-key-regret .bolt-plot').dataset.tag = 'same'")
    x, y = page.evaluate(MIDDLE)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y, steps=3)
    page.mouse.up()
    zoomed = plot(page)
    wait_version(page, zoomed["version"] + 400)
    after = plot(page)

    assert zoomed["range"][1] < 200  # of 600: the drag did zoom
    assert after["range"] == zoomed["range"]
    assert after["tag"] == "same"
    assert after["last"] > zoomed["last"]
    assert after["names"] == ["Random"]
    assert after["alt"].startswith("Average regret, lower is better: Random")
    assert after["role"] == "figure"
    assert after["caption"] == "Lower is better; one seed; without warm-up."

    stop(page)
    expect(page.get_by_text("Stopped")).to_be_visible()
    settled(page)
    page.wait_for_timeout(500)
    same = page.evaluate(SAME)
    frames.clear()
    polls.clear()
    page.wait_for_timeout(2500)
    assert frames == polls == []
    assert len(same) == 4
    assert all(serial and equal for _, serial, equal in same), same


def test_a_link_shows_the_same_race_in_another_browser_and_theme(visit):
    page = visit(RANDOM)
    start(page)
    wait_version(page, 40)
    stop(page)
    settled(page)
    link = "/?" + page.url.partition("?")[2]
    other = visit(link, color_scheme="dark", viewport={"width": 390, "height": 844})
    wait_version(other, 40)
    mine, theirs = plot(page), plot(other)

    assert theirs["version"] == mine["version"]
    assert theirs["alt"] == mine["alt"]
    assert (mine["colours"], theirs["colours"]) == (["#7A8290"], ["#8A93A1"])
    width = "() => document.querySelector('[data-testid=stMain]').scrollWidth - innerWidth"
    assert other.evaluate(width) <= 0


def test_a_reload_keeps_the_race_and_its_stop_button(visit):
    page = visit(RANDOM)
    start(page)
    wait_version(page, 20)
    before = plot(page)["version"]
    page.reload()
    wait_version(page, before + 1)

    stop(page)


def test_regret_and_leaderboard_fit_a_laptop_screen(visit):
    page = visit(RANDOM)  # its race goes on until the server ends it
    start(page)
    wait_version(page, 20)
    page.locator(".st-key-leaderboard tbody tr").first.wait_for()
    bottoms = [
        page.locator(place).first.bounding_box()
        for place in (".st-key-regret", ".st-key-leaderboard")
    ]

    assert max(box["y"] + box["height"] for box in bottoms) <= 768


def test_inside_follows_a_live_race_in_place_and_draws_what_the_record_says(visit, home_of_server):
    page = visit("/?cut=full&algos=BOLT&clock=model")
    start(page)
    page.get_by_role("link", name="Inside BOLT").first.click()
    page.wait_for_function(RULED, timeout=60_000)
    race_id = page.url.partition("race=")[2].partition("&")[0]
    page.evaluate("() => document.querySelector('.st-key-fit .bolt-plot').dataset.tag = 'same'")
    before = page.evaluate(INSIDE)
    wait_version(page, before["version"] + 15, "fit")
    wait_version(page, 20, "scores")
    after = page.evaluate(INSIDE)
    page.locator(".st-key-stop button").click()
    expect(page.get_by_text("Stopped")).to_be_visible(timeout=15_000)
    last, seen = last_pass(home_of_server, race_id)
    wait_version(page, last["i"] + 1, "fit")
    wait_version(page, last["i"] + 1, "scores")
    drawn = page.evaluate(INSIDE)

    assert after["tag"] == drawn["tag"] == "same"
    assert after["dots"] > before["dots"]
    assert drawn["rule"] == last["n_star"] == by_brute_force(last, seen)
    assert drawn["argmax"] == [last["n_star"]]
    c, floor = last["notes"]["response"], last["notes"]["response_floor"]
    expected = [max(sum(c_j * n**j for j, c_j in enumerate(c)), floor) for n in drawn["fitted"][0]]
    assert drawn["fitted"][1] == pytest.approx(expected, rel=1e-4)

    page.reload()
    wait_version(page, last["i"] + 1, "scores")
    assert page.evaluate(INSIDE)["rule"] == last["n_star"]
