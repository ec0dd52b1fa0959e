"""A lesson from its link to its reveal, and a talk turned by keys, in a browser."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

DRAWN = "key => Boolean(document.querySelector(`.st-key-${key} .bolt-panel`)?.dataset.version)"
FONT = "() => document.querySelector('.st-key-stage_regret .bolt-plot')._fullLayout.font.size"


def test_a_lesson_opened_by_its_link_runs_to_its_reveal(visit):
    page = visit("/arena?lesson=stale-not-old")  # the Arena's name leads to it
    run = page.get_by_role("button", name="Start the race")
    expect(run).to_be_disabled()
    page.get_by_text("At most half").click()
    expect(run).to_be_enabled()
    run.click()

    expect(page.get_by_text("Your prediction came true")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("of them the oldest")).to_be_visible()
    page.wait_for_function(DRAWN, arg="lesson_figure")
    assert "guess=3" in page.url
    page.reload()
    expect(page.get_by_text("Your prediction came true")).to_be_visible(timeout=15_000)


def test_a_talk_is_turned_by_keys_and_by_clicks(visit):
    page = visit("/?present=1")
    page.wait_for_function(DRAWN, arg="stage_metronome")
    assert page.get_by_role("link", name="n* lab").count() == 0
    page.keyboard.press("ArrowRight")
    page.wait_for_function(DRAWN, arg="stage_regret")
    assert page.evaluate(FONT) == 18.75  # one and a half times 12.5
    page.get_by_role("button", name="3 Why n*").click()
    page.wait_for_function(DRAWN, arg="stage_fit")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(DRAWN, arg="stage_regret")

    assert "chapter=2" in page.url
    assert page.locator(".st-key-stage_fit").count() == 0
    page.get_by_role("button", name="Leave presenter mode").click()
    expect(page.get_by_role("link", name="n* lab").first).to_be_visible()
