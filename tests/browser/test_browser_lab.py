"""The n* lab in a real browser: moves, links, dragging, a narrow screen, the dark theme."""

import pytest
from playwright.sync_api import expect

from bolt_core.figures.lab.removal_chart import LeftOut
from bolt_core.figures.lab.setting import CAP, Setting
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponseTime
from tests.support.browsing import settled

pytestmark = pytest.mark.browser

NAMED = """() => [...document.querySelectorAll('.bolt-panel[data-kind=plot]')]
  .every(panel => (panel.ariaLabel ?? '').length > 20)"""

RULE = """() => {
  const g = document.querySelector('.st-key-lab_size .bolt-plot');
  return g?._fullLayout?.shapes?.find(s => s.type === 'line')?.x0 ?? null; }"""
RULED = f"n => ({RULE})() === n"
PEAK = """() => document.querySelector('.st-key-lab_size .bolt-plot')
  ._fullData.filter(t => t.name === 'argmax').map(t => [t.x[0], t.marker.color])[0]"""
SIDES = """out => {
  const d = document.querySelector('.bolt-drag')?.dataset;
  return d?.out === JSON.stringify(out) && d.fresh === 'true' ? [+d.change, +d.limit] : null; }"""
WIDTH = "() => document.querySelector('[data-testid=stMain]').scrollWidth - innerWidth"
REMOVAL = "/lab?more=One+observation+fewer"


def n_star(kernel="matern32", l_T=60.0, coefficients=(0.5, 0.0, 0.0, 1e-7)):
    R = ResponseTime(coefficients)
    return recommended_size(temporal_correlation(kernel, l_T), R, seen=CAP // 2)


def middle(page, i):
    box = page.locator(f".bolt-drag [data-i='{i}'] .seen").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def sides(page, out):
    """Return both sides as the server computed them for the observations left out."""
    page.wait_for_function(SIDES, arg=out)
    return page.evaluate(SIDES, out)


def test_a_move_redraws_in_place_the_link_carries_it_and_a_preset_sets_the_sliders(visit):
    page = visit("/lab")
    page.wait_for_function(RULED, arg=n_star())
    page.evaluate(
        "() => document.querySelector('.st-key-lab_size .bolt-plot').dataset.tag = 'same'"
    )
    page.locator(".st-key-lt input").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")  # 65, 70, 75
    page.wait_for_function(RULED, arg=n_star(l_T=75.0))
    page.get_by_role("radio", name="RBF").click()
    page.wait_for_function(RULED, arg=n_star("rbf", 75.0))
    tag = page.evaluate("() => document.querySelector('.st-key-lab_size .bolt-plot').dataset.tag")
    settled(page)
    other = visit("/lab?" + page.url.partition("?")[2])

    assert tag == "same"
    assert n_star("rbf", 75.0) not in (n_star(), n_star(l_T=75.0))
    other.wait_for_function(RULED, arg=n_star("rbf", 75.0))
    assert other.evaluate(PEAK)[0] == n_star("rbf", 75.0)

    other.get_by_role("radio", name="A metronome").click()
    expect(other.get_by_role("heading", name="Keep everything")).to_be_visible()
    other.wait_for_function(RULED, arg=None)
    settled(other)
    assert "cub=0" in other.url
    assert "lt=75" in other.url


def test_a_drag_a_click_and_a_key_take_an_observation_out_and_put_it_back(visit):
    page = visit(REMOVAL)
    assert sides(page, []) == [0, 0]
    page.locator(".bolt-drag").scroll_into_view_if_needed()
    home = middle(page, 6)
    tray = page.locator(".bolt-drag .tray").bounding_box()
    drag(page, home, (home[0], tray["y"] + tray["height"] / 2))
    gap = LeftOut(Setting(), (6,)).gap

    assert sides(page, [6]) == pytest.approx([gap.change, gap.limit], rel=1e-12)
    settled(page)
    assert "out=7" in page.url
    expect(page.get_by_text("Without observation 7")).to_be_visible()

    drag(page, middle(page, 6), home)
    assert sides(page, []) == [0, 0]

    page.mouse.click(*middle(page, 9))
    first = sides(page, [9])
    page.locator(".bolt-drag [data-i='0']").focus()
    page.keyboard.press("Enter")
    both = sides(page, [0, 9])
    page.keyboard.press("Enter")  # the focus stays where it was

    assert both != first
    assert sides(page, [9]) == first


def test_a_phone_in_the_dark_sees_it_all_without_scrolling_sideways(visit):
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    page = visit(REMOVAL + "&out=7", **phone)
    page.wait_for_function(RULED, arg=n_star())

    assert page.evaluate(WIDTH) <= 0
    assert page.evaluate(PEAK)[1] == "#F26A4B"  # BOLT's red on dark ground
    page.wait_for_function(NAMED)
