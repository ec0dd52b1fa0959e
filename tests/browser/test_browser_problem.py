"""Your problem in Chromium, as a new user goes through it, without a line of Python."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browsing import settled

pytestmark = pytest.mark.browser

TOLD = "n => document.querySelector('.bolt-operator')?.dataset.told === String(n)"
READY = "() => document.querySelector('.bolt-operator:not([aria-busy])')?.dataset.ask"
SHOWS = "n => document.querySelectorAll('.bolt-told tbody tr').length === n"


def save(page, value, told):
    """Type a value and press Enter; the next setting is there and the field has the focus."""
    page.wait_for_function(READY)
    page.keyboard.type(value)
    page.keyboard.press("Enter")
    page.wait_for_function(TOLD, arg=told)
    page.wait_for_function(READY)
    assert page.evaluate("document.activeElement.name") == "measurement"


def correct_newest(page, value):
    """Press the newest value of the table, type the right one where it stands, press Enter."""
    page.locator(".bolt-told button").first.click()
    page.locator(".bolt-told input").fill(value)
    page.keyboard.press("Enter")
    expect(page.locator(".bolt-told button").first).to_contain_text(value)


def typed_while_another_tab_saves(page):
    """A typed value stays with the setting that was shown; Save is refused and keeps the text."""
    page.locator(".bolt-entry input").fill("80.1")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_function(READY)
    other.locator(".bolt-entry input").fill("60")
    other.locator(".bolt-save").click()
    page.wait_for_function(TOLD, arg=11)  # of the poll
    page.locator(".bolt-save").click()
    expect(page.locator(".bolt-wrong")).to_contain_text("feed")
    expect(page.locator(".bolt-entry input")).to_have_value("80.1")
    page.locator(".bolt-save").click()  # it was measured at the setting that is shown now
    page.wait_for_function(TOLD, arg=12)
    other.close()


def _typed_and_taken(page, low):
    """Type the first lower end and leave the field: a press while the page redraws may miss."""
    page.get_by_label("Low").first.fill(low)
    page.keyboard.press("Tab")
    settled(page)


def described(page):
    """Describe three knobs, with a mistake at first: it is named, and nothing typed is lost."""
    page.locator(".st-key-door_describe button").click()
    page.get_by_label("Name of the problem").fill("My plant")
    _typed_and_taken(page, "much")
    page.locator(".st-key-form_start button").click()
    expect(page.get_by_role("alert")).to_contain_text("feed")
    expect(page.get_by_label("Name of the problem")).to_have_value("My plant")
    _typed_and_taken(page, "0,5")
    page.locator(".st-key-form_start button").click()
    expect(page.locator("h1")).to_have_text("My plant")


def test_a_new_user_describes_knobs_measures_undoes_changes_a_range_and_comes_back(visit):
    page = visit("/problem")
    described(page)
    for told in range(1, 11):
        save(page, f"{60 + told},5", told)
    page.locator(".bolt-undo").click()
    page.wait_for_function(TOLD, arg=9)
    page.wait_for_function(SHOWS, arg=9)  # the table follows by itself

    page.get_by_role("button", name="Knobs").click()
    page.get_by_label("High").fill("7,5")
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_text("feed is changed")).to_be_visible()

    address = page.url
    page.reload()
    settled(page)
    assert page.url == address
    page.get_by_role("button", name="Knobs").click()
    expect(page.get_by_label("High")).to_have_value("7.5")
    page.keyboard.press("Escape")
    page.wait_for_function(TOLD, arg=9)
    page.locator(".bolt-entry input").fill("70")
    page.locator(".bolt-save").click()
    page.wait_for_function(TOLD, arg=10)
    expect(page.locator(".bolt-told button").first).to_have_text("70")

    correct_newest(page, "71.25")
    typed_while_another_tab_saves(page)

    phone = {"width": 390, "height": 844}
    watching = visit(re.sub("^.*?/problem", "/problem", address), viewport=phone)
    watching.wait_for_function(TOLD, arg=12)
    assert watching.locator(".bolt-entry").is_hidden()
    assert watching.evaluate("document.documentElement.scrollWidth") <= phone["width"]


def test_a_drifting_log_gets_its_verdict_and_its_twin_is_ready_to_race(visit):
    page = visit("/problem?door=log")
    page.locator(".st-key-example_reactor button").click()
    twin = page.locator(".st-key-log_twin button")
    twin.wait_for()
    expect(page.get_by_text("It drifts").first).to_be_visible()
    page.locator(".st-key-log_profile .main-svg").first.wait_for()
    twin.click()
    page.locator(".st-key-run button").wait_for()
    settled(page)

    expect(page.locator(".st-key-bench input")).to_have_value(re.compile("twin"))
    chosen = page.locator(".st-key-algos button[aria-pressed=true]")
    expect(chosen).to_have_count(4)
