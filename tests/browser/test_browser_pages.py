"""Every page in a browser: cold links, a phone, and whose race it is."""

import pytest
from playwright.sync_api import expect

from tests.support.browsing import plot, serving, settled, start, visiting, wait_version

pytestmark = pytest.mark.browser

LONG_RACE = "/?cut=full&algos=random&bench=temperature"  # minutes: no wait of a test outlasts it

LAB = "/lab?more=The+regret+bound"
PAGES = {  # what each one says
    "/": "One tick per query",
    "/inside": "Showing the built-in recording",
    LAB: "Keep n* = ",
    "/benchmarks": "In the paper",
    "/runs": "No race yet",
    "/scoreboard": "Table 2",
    "/guide": "What drifts",
}
COLD_VISITS = [("/inside", LAB, "/", "/benchmarks"), ("/guide", "/scoreboard", "/runs")]
SIDEWAYS = "() => document.querySelector('[data-testid=stMain]').scrollWidth - innerWidth"
CHARTS = {
    "/": 4,
    "/inside": 7,
    LAB: 2,
    "/scoreboard": 6,
    "/guide": 5,
}  # in a replay, those out of sight wait
SHOWN = """least => [...document.querySelectorAll('.bolt-panel')]
  .filter(panel => panel.dataset.kind).length >= least"""
NAMELESS = """() => [...document.querySelectorAll('.bolt-panel')]
  .filter(p => ['plot', 'strip', 'table'].includes(p.dataset.kind))
  .filter(p => !(p.getAttribute('aria-label') ?? '').trim()).length"""
DRAWN = "() => [...document.querySelectorAll('.bolt-panel')].filter(p => p.dataset.version).length"
MUTE = """() => [...document.querySelectorAll('[data-testid=stMain] button')]
  .filter(b => !(b.innerText + (b.getAttribute('aria-label') ?? '') + b.title).trim()).length"""


@pytest.mark.long
@pytest.mark.parametrize("paths", COLD_VISITS)
def test_a_cold_server_is_asked_by_a_phone_in_the_dark(seats, tmp_path, paths):
    """Each server is new, and its first page another one."""
    with serving(tmp_path) as url, visiting(seats, url) as visit:
        page = visit(paths[0], color_scheme="dark", viewport={"width": 390, "height": 844})
        for path in paths:
            if path != paths[0]:
                page.goto(url + path)
                settled(page)
            is_sound_on_a_phone(page, path)
        page.get_by_test_id("stExpandSidebarButton").click()  # made by the entry script alone
        expect(page.get_by_role("link", name="n* lab").first).to_be_visible()


def is_sound_on_a_phone(page, path):
    expect(page.get_by_text(PAGES[path]).first).to_be_visible()
    assert page.get_by_role("dialog").count() == 0
    page.wait_for_function(SHOWN, arg=CHARTS.get(path, 0))
    page.wait_for_function(f"() => ({NAMELESS})() === 0")  # a panel is named once it is drawn
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(MUTE) == 0


def test_the_recorded_race_plays_by_itself(visit):
    page = visit("/")
    readout = page.get_by_role("group", name="Replay").locator("output")
    first = readout.text_content()
    page.wait_for_function(
        "f => document.querySelector('.bolt-transport output').textContent !== f", arg=first
    )

    expect(page.get_by_role("button", name="Start a live race")).to_be_enabled()
    page.wait_for_function(f"() => ({DRAWN})() >= 5")
    expect(page.locator(".st-key-headline")).to_contain_text("keeps")  # once the warm-up is over


def test_who_prefers_no_motion_sees_the_end(visit):
    page = visit("/", reduced_motion="reduce")

    expect(page.get_by_role("group", name="Replay").locator("output")).to_have_text("10:00 / 10:00")


@pytest.mark.long
def test_pause_step_and_resume(visit):
    page = visit("/?cut=full&algos=bolt&clock=model")
    start(page)
    wait_version(page, 20)
    page.locator(".st-key-pause button").click()
    expect(page.locator(".bolt-badge", has_text="Paused")).to_be_visible()
    settled(page)
    page.wait_for_function("() => [...__boltStore.races.values()][0].version > 0")
    page.wait_for_timeout(1500)  # whatever was under way is there
    halted = plot(page)["version"]
    page.keyboard.press("ArrowRight")
    wait_version(page, halted + 1)
    page.wait_for_timeout(1500)
    assert plot(page)["version"] == halted + 1

    page.locator(".st-key-resume button").click()
    wait_version(page, halted + 10)
    page.locator(".st-key-stop button").click()
    expect(page.get_by_text("Stopped")).to_be_visible()


@pytest.mark.long
def test_another_visitor_watches_and_the_owner_keeps_stop_through_a_reload_and_a_page(visit):
    page = visit(LONG_RACE)
    start(page)
    wait_version(page, 20)
    other = visit("/?" + page.url.partition("?")[2])
    expect(other.get_by_text("Watching, read only")).to_be_visible()
    wait_version(other, 20)
    assert other.locator(".st-key-stop button").count() == 0
    assert plot(other)["names"] == plot(page)["names"]

    page.get_by_role("link", name="Inside BOLT").first.click()
    page.wait_for_url("**/inside?*race=*")  # the address of the race, which the reload needs
    expect(page.locator(".st-key-stop button")).to_be_visible()
    page.reload()
    page.locator(".st-key-stop button").click()
    expect(page.get_by_text("Stopped")).to_be_visible()
    expect(other.get_by_text("Stopped")).to_be_visible()
