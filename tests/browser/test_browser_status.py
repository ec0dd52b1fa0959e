"""One poll per viewer: the status row and the state of the page come with the charts."""

import contextlib
import time

import pytest
from playwright.sync_api import expect

from tests.support.browsing import plot, settled, start, stop, wait_version
from tests.support.in_the_page import RANDOM
from tools.chaos.viewers import Viewer, start_race
from tools.chaos.viewers import stop as stop_viewers
from tools.chaos.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("status")]

STATUS = "() => document.querySelector('.bolt-status').innerText"
CHANGED = f"shown_status => ({STATUS})() !== shown_status"
FRAMES = "**/bolt-api/frames*"
SHORT = "/?cut=60&algos=random&clock=model"
LONG = f"{RANDOM}&bench=powell"  # 60,000 queries: a fast machine makes 1,500 of Eggholder a second
POLLS = """() => performance.getEntriesByType('resource')  // when each began, in ms
  .filter(entry => entry.name.includes('/bolt-api/')).map(entry => entry.startTime)"""
SEEN = """() => { const seen = window.__seen = [];  // every badge in turn
  const look = () => { const badge = document.querySelector('.bolt-badge > :last-child');
    if (badge && seen.at(-1) !== badge.textContent) seen.push(badge.textContent); };
  new MutationObserver(look).observe(document.body,
    { subtree: true, childList: true, characterData: true }); }"""


def traffic(page):
    """Lists of what the browser sends from the next load on: websocket frames, polls."""
    sent, polls = [], []
    page.on("websocket", lambda w: w.on("framesent", lambda frame: sent.append(frame)))
    page.on("request", lambda r: "/bolt-api/" in r.url and polls.append(r.url))
    page.reload()
    settled(page)
    return sent, polls


def lose(page):
    """Answer as a server does that has lost the race; return for how many seconds it was lost."""
    body = '{"error": "race is not on this server"}'
    lost_at = time.monotonic()  # before the page can notice
    page.route(
        FRAMES, lambda route: route.fulfill(status=404, content_type="application/json", body=body)
    )
    page.wait_for_function("() => [...__boltStore.races.values()].some(race => race.error)")
    settled(page)
    page.wait_for_timeout(2000)
    return time.monotonic() - lost_at


def test_a_live_race_is_followed_by_polls_alone_and_a_lost_one_is_named_once(visit):
    page = visit(LONG)
    sent, polls = traffic(page)
    start(page)
    wait_version(page, 30)
    settled(page)
    before, shown_status = plot(page)["version"], page.evaluate(STATUS)
    sent.clear()
    polls.clear()
    page.evaluate("() => performance.clearResourceTimings()")
    page.wait_for_function(f"() => ({POLLS})().length >= 10")
    begun = page.evaluate(POLLS)

    assert sent == []  # no rerun, neither by a timer nor by the state of the page
    assert begun[-1] - begun[0] > 800 * (len(begun) - 1)  # one per second
    assert all("/bolt-api/frames?" in url for url in polls)
    assert page.evaluate(STATUS) != shown_status
    assert plot(page)["version"] > before

    page.get_by_role("combobox", name="Refresh the charts").select_option("Refresh: off")
    shown_status = page.evaluate(STATUS)
    page.wait_for_function(CHANGED, arg=shown_status)  # the status is still followed
    assert "&c=" not in polls[-1]
    assert sent == []

    seconds = lose(page)
    assert sent  # one rerun, and one more each ASK_AGAIN_MS, since the page still knows the race
    assert len(sent) <= 1 + seconds // 3.0
    page.unroute(FRAMES)
    stop(page)


@contextlib.contextmanager
def paused_races(server, count):
    """Visitors without a window, who have started races and paused them, and look at them."""
    port = int(server.rpartition(":")[2])
    with contextlib.ExitStack() as stack:
        others = [stack.enter_context(Visitor(port)) for _ in range(count)]
        for other in others:
            viewer = Viewer(port, start_race(other, RANDOM.partition("?")[2]))
            viewer.start()
            stack.callback(stop_viewers, [viewer])
            press(other, "pause")  # it keeps its slot and takes no time
        yield others


def press(visitor, key):
    """Press a button, as soon as the page shows it."""
    for _ in range(600):
        if visitor.press(key):
            return
        time.sleep(0.1)
        visitor.open(visitor.page, visitor.query)
    pytest.fail(f"no button {key}: {visitor.exceptions} {visitor.errors}")


@pytest.mark.long
def test_a_page_goes_from_the_queue_to_the_end_by_itself(visit, server):
    with paused_races(server, 3) as others:
        goes_from_the_queue_to_the_end(visit, lambda: press(others[0], "stop"))
        for other in others[1:]:
            press(other, "stop")


def goes_from_the_queue_to_the_end(visit, free_a_slot):
    page = visit(SHORT)
    page.evaluate(SEEN)
    start(page)
    expect(page.locator(".bolt-status")).to_contain_text("Number 1 in the queue")
    expect(page.locator(".st-key-regret")).to_have_count(0)
    second = visit("/inside?" + page.url.partition("?")[2])  # another tab on another page
    expect(second.locator(".bolt-status")).to_contain_text("Number 1 in the queue")
    sent, _ = traffic(second)
    sent.clear()
    free_a_slot()

    for tab in (page, second):
        expect(tab.locator(".bolt-badge")).to_contain_text("Finished")
        expect(tab.get_by_role("group", name="Replay")).to_be_visible()
    expect(page.locator(".st-key-regret .bolt-plot")).to_be_visible()
    seen = page.evaluate("() => window.__seen")
    assert seen.index("Queued") < seen.index("Live") < seen.index("Finished")
    settled(second)
    assert 1 <= len(sent) <= 5  # one per state: starting, warming up, live, first chart, finished
    sent.clear()
    second.wait_for_timeout(2000)
    assert sent == []  # the same state again does nothing
