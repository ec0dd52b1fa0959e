"""What panels do in a browser beside drawing: spotlight, freeze, replay, going on after trouble."""

import math

import pytest
from playwright.sync_api import expect

from tests.support.browsing import plot, start, stop, visiting, wait_version
from tests.support.in_the_page import FINAL

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("panels")]

TWO = "/?cut=full&algos=random,r-gpucb&clock=model"
OPACITIES = """() => Object.fromEntries(document.querySelector('.st-key-regret .bolt-plot')
  ._fullData.map(t => [t.meta, t.opacity]))"""
LAST = """() => {  // what is drawn, as far as it is uncovered
  const g = document.querySelector('.st-key-regret .bolt-plot'), { xaxis } = g._fullLayout;
  const edge = xaxis.p2l(+g.querySelector('clipPath.plotclip rect').getAttribute('width'));
  return Math.min(edge, Math.max(...g._fullData.flatMap(t => t.x))); }"""
BEFORE = f"t => ({LAST})() < t"
AFTER = f"t => ({LAST})() > t"
TEXTS_DRAWN = """() => [...__boltStore.races.values()].every(race => [...race.panels]  // and drawn
  .filter(panel => panel.name.startsWith('headline'))
  .every(panel => +panel.figure.dataset.version === race.entry(panel.name).version))"""
WORDS = "() => document.querySelector('.st-key-headline .bolt-panel').innerText"
TIMES = f"""() => [({WORDS})(), ...['regret', 'size'].map(  // that the texts name
  name => document.querySelector(`.st-key-${{name}} .bolt-panel`).ariaLabel)]
  .map(text => text.match(/after (\\d+) s/i)?.[1])"""
AGREED = f"t => ({TIMES})().every(said => said && Math.abs(said - t) <= .5)"


@pytest.fixture(scope="module")
def raced(seats, server):
    """A page whose race runs; the tests of this file share it."""
    with visiting(seats, server) as visit:
        page = visit(TWO)
        start(page)
        wait_version(page, 50)
        yield page


@pytest.fixture
def finished(raced):
    """The page once its race was stopped."""
    if raced.locator(".st-key-stop button").count():
        stop(raced)
    expect(raced.get_by_text("Stopped")).to_be_visible()
    raced.wait_for_function(FINAL)
    raced.wait_for_function(TEXTS_DRAWN)
    return raced


def test_a_page_goes_on_by_itself_when_the_server_was_away(raced):
    page = raced
    page.context.set_offline(True)
    page.wait_for_function("() => [...__boltStore.races.values()].some(race => race.failures)")
    before = plot(page)["version"]
    page.context.set_offline(False)
    wait_version(page, before + 50)


def test_a_page_that_is_paused_or_frozen_holds_still_and_a_race_out_of_sight_is_forgotten(raced):
    page = raced
    refresh = page.get_by_role("combobox", name="Refresh the charts")
    refresh.select_option("Refresh: off")
    held = "() => [...__boltStore.races.values()].every(r => !r.wanted().length && !r.busy)"
    page.wait_for_function(held)
    held, text = plot(page)["version"], page.locator(".st-key-status").inner_text()
    page.wait_for_function(
        "text => document.querySelector('.st-key-status').innerText !== text", arg=text
    )
    assert plot(page)["version"] == held  # the race went on, the chart did not

    refresh.select_option("Refresh: 1 s")
    wait_version(page, held + 1)
    page.keyboard.press("f")
    expect(page.get_by_text("queries newer")).to_be_visible()
    expect(page.locator(".st-key-regret .bolt-frozen")).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator(".st-key-regret .bolt-frozen")).to_have_count(0)

    page.get_by_role("link", name="n* lab").first.click()
    page.wait_for_function("() => !__boltStore.races.size")
    page.get_by_role("link", name="Arena").first.click()
    wait_version(page, held + 2)


def test_a_row_of_the_leaderboard_brings_out_its_algorithm_by_mouse_and_key(finished):
    name = finished.locator(".st-key-leaderboard").get_by_role("button", name="R-GPUCB")
    name.click()
    finished.wait_for_function(f"() => ({OPACITIES})().random === 0.25")

    assert finished.evaluate(OPACITIES)["r-gpucb"] == 1
    assert name.get_attribute("aria-pressed") == "true"
    name.press("Enter")
    finished.wait_for_function(f"() => ({OPACITIES})().random === 1")


def test_a_replay_cuts_the_curves_at_the_cursor_and_comes_back(finished):
    end, text = finished.evaluate(LAST), finished.evaluate(WORDS)
    bar = finished.get_by_role("group", name="Replay")
    slider = bar.get_by_role("slider", name="Time")
    middle = math.floor(end / 2)  # a whole second: texts round, and the link has tenths
    slider.fill(str(middle))
    finished.wait_for_function(BEFORE, arg=middle + 0.001 * end)  # the slider has 1,000 places
    finished.wait_for_function(f"text => ({WORDS})() !== text", arg=text)
    finished.wait_for_function(AGREED, arg=float(slider.input_value()))

    assert plot(finished)["names"] == ["R-GPUCB", "Random"]
    bar.get_by_role("button", name="Speed 1 times").click()  # at 20 times the rest takes 0.5 s
    finished.evaluate("() => document.activeElement.blur()")  # keys belong to what is in focus
    finished.keyboard.press("ArrowRight")
    finished.wait_for_function(AFTER, arg=middle + 0.005 * end)
    finished.keyboard.press("Space")
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    finished.wait_for_function(AFTER, arg=0.6 * end)
    slider.fill(slider.get_attribute("max"))
    finished.wait_for_function(f"text => ({WORDS})() === text", arg=text)
    assert finished.evaluate(LAST) == pytest.approx(end)
    assert len(set(finished.evaluate(TIMES))) == 1
