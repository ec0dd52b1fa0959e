"""What only a browser shows: keys, zoom, polling, deep links, themes, a narrow screen.

Everything is read inside the page: `_fullData` is what plotly.js really drew.
"""

import pytest
from playwright.sync_api import expect

from tests.support.browsing import plot, settled, start, stop, wait_version
from tests.support.in_the_page import (
    FINAL,
    GIVEN_RANGES,
    INSIDE,
    MIDDLE,
    RANDOM,
    RULED,
    SAME,
    TAKEN,
    UNZOOMED,
    by_brute_force,
    last_pass,
)

pytestmark = pytest.mark.browser

DOUBLE_CLICKS = 30
GROWN = f"""before => {{ const [, now] = ({GIVEN_RANGES})('regret');
  return JSON.stringify(now) !== JSON.stringify(before); }}"""
COLOUR = "() => document.querySelector('.st-key-regret .bolt-plot')._fullData[0].line.color"


def patched_charts_are_whole(page):
    """What patches have made of every chart is what somebody gets who comes now."""
    expect(page.get_by_text("Stopped")).to_be_visible()
    page.wait_for_function(FINAL)
    same = page.evaluate(SAME)
    return len(same) == 7 and all(serial and equal for _, serial, equal in same)


def silent(page, *heard):
    """Nobody says anything for a while: no message, no poll."""
    settled(page)
    page.wait_for_timeout(500)
    for said in heard:
        said.clear()
    page.wait_for_timeout(2500)
    return not any(heard)


def zoom_into_a_box(page):
    x, y = page.evaluate(MIDDLE)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 60, steps=3)
    page.mouse.up()


def unzoom(page):
    """Double click until it is taken as one: on a slow machine the clicks may be too far apart."""
    for _ in range(DOUBLE_CLICKS):
        page.mouse.dblclick(*page.evaluate(MIDDLE))
        page.wait_for_timeout(3000)
        if page.evaluate(UNZOOMED, "regret"):
            return
    raise AssertionError(f"{DOUBLE_CLICKS} double clicks have not undone the zoom")


def ranges(drawn):
    return drawn["range"], drawn["y_range"]


def test_a_live_race_grows_in_place_keeps_zoom_stops_and_goes_quiet(visit):
    page = visit(f"{RANDOM}&stat=cumulative")  # whose y axis grows with every query
    messages, polls = [], []
    page.on("websocket", lambda w: w.on("framereceived", lambda d: messages.append(len(d))))
    page.on("request", lambda r: "/bolt-api/" in r.url and polls.append(r.url))
    page.reload()
    settled(page)
    page.locator(".bolt-plot").first.evaluate(TAKEN)  # once it is there: it brings the code
    start(page)
    assert page.evaluate("() => window.__taken") == "true"  # seen at once, not when Python answers
    wait_version(page, 30)
    page.evaluate("() => document.querySelector('.st-key-regret .bolt-plot').dataset.tag = 'same'")
    zoom_into_a_box(page)
    zoomed, (_, y_given) = plot(page), page.evaluate(GIVEN_RANGES, "regret")
    wait_version(page, zoomed["version"] + 400)
    page.wait_for_function(GROWN, arg=y_given)  # the data has grown, the zoom stays exactly
    after = plot(page)

    assert zoomed["range"][1] < 200  # of 600: the drag did zoom
    assert zoomed["y_range"][1] - zoomed["y_range"][0] < 0.7 * (y_given[1] - y_given[0])
    assert ranges(after) == ranges(zoomed)
    assert after["tag"] == "same"
    assert after["last"] > zoomed["last"]
    assert after["names"] == ["Random"]
    assert ("Random" in after["alt"], after["role"]) == (True, "figure")
    assert "one seed" in after["caption"]

    stop(page)
    assert patched_charts_are_whole(page)
    assert silent(page, messages, polls)
    assert ranges(plot(page)) == ranges(zoomed)
    unzoom(page)


def test_a_race_fits_the_screen_follows_the_theme_and_is_the_same_by_its_link(visit):
    page = visit(RANDOM)
    start(page)
    wait_version(page, 40)
    page.locator(".st-key-leaderboard tbody tr").first.wait_for()
    panels = [page.locator(f".st-key-{key}").first for key in ("regret", "leaderboard")]
    bottoms = [box["y"] + box["height"] for box in (panel.bounding_box() for panel in panels)]
    light = plot(page)["colours"]
    page.emulate_media(color_scheme="dark")  # without a reload
    page.wait_for_function(f"() => ({COLOUR})() === '#8A93A1'")
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"() => ({COLOUR})() === '{light[0]}'")
    stop(page)
    settled(page)
    link = "/?" + page.url.partition("?")[2]
    other = visit(link, color_scheme="dark", viewport={"width": 390, "height": 844})
    wait_version(other, 40)
    mine, theirs = plot(page), plot(other)

    assert max(bottoms) <= 768  # of a laptop's screen
    assert theirs["version"] == mine["version"]
    assert theirs["alt"] == mine["alt"]
    assert (
        (mine["colours"], theirs["colours"]) == (light, ["#8A93A1"]) == (["#7A8290"], ["#8A93A1"])
    )
    width = "() => document.querySelector('[data-testid=stMain]').scrollWidth - innerWidth"
    assert other.evaluate(width) <= 0


def test_inside_follows_a_live_race_in_place_and_draws_what_the_record_says(visit, home_of_server):
    page = visit("/?cut=full&algos=bolt&clock=model")
    start(page)
    page.wait_for_url("**race=*")
    page.get_by_role("link", name="Inside BOLT").first.click()
    page.locator(".st-key-fit").scroll_into_view_if_needed()  # what is out of sight waits
    page.wait_for_function(RULED)
    race_id = page.url.partition("race=")[2].partition("&")[0]
    page.evaluate("() => document.querySelector('.st-key-fit .bolt-plot').dataset.tag = 'same'")
    before = page.evaluate(INSIDE)
    wait_version(page, before["version"] + 15, "fit")
    page.locator(".st-key-scores").scroll_into_view_if_needed()
    wait_version(page, 20, "scores")
    after = page.evaluate(INSIDE)
    page.locator(".st-key-stop button").click()
    expect(page.get_by_text("Stopped")).to_be_visible()
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
