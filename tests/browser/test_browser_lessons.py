"""A lesson from its link to its reveal, and a talk turned by keys, in a browser."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

DRAWN = "key => Boolean(document.querySelector(`.st-key-${key} .bolt-panel`)?.dataset.version)"
FONT = "() => document.querySelector('.st-key-stage_regret .bolt-plot')._fullLayout.font.size"


def test_a_lesson_opened_by_its_link_runs_to_its_reveal_and_leads_to_the_next(visit):
    page = visit("/inside?lesson=slower-device")
    run = page.get_by_role("button", name="Start the race")
    expect(run).to_be_disabled()
    page.get_by_text("It falls").click()
    expect(run).to_be_enabled()
    run.click()

    expect(page.get_by_text("Your prediction came true")).to_be_visible()
    expect(page.get_by_text("the median of n* was")).to_be_visible()
    page.wait_for_function(DRAWN, arg="lesson_figure")
    assert "guess=1" in page.url
    page.reload()
    expect(page.get_by_text("Your prediction came true")).to_be_visible()

    page.get_by_role("link", name="Next: What a fast engine is good for").click()
    page.wait_for_url(lambda url: "lesson=fast-engine" in url and "race=" not in url)
    assert "guess=" not in page.url
    page.get_by_text("Both: it keeps more data").click()
    page.wait_for_url(lambda url: "lesson=fast-engine" in url and "guess=2" in url)
    expect(run).to_be_enabled()
    expect(page.get_by_text("Your prediction came true")).to_have_count(0)


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


def test_a_class_predicts_on_phones_and_the_lecturer_sees_the_bars(visit):
    lecturer = visit("/arena?lesson=how-much-data")  # the Arena's name leads to it
    lecturer.get_by_role("button", name="Ask the class").first.click()
    bars = lecturer.locator(".st-key-class_bars .bolt-tally")
    expect(bars).to_contain_text("0 answers")
    link = lecturer.locator("[data-testid=stCode]").first.inner_text().strip()

    phone = visit(f"/?{link.partition('?')[2]}", viewport={"width": 390, "height": 844})
    expect(phone.get_by_role("button", name="Start the race")).to_have_count(0)
    phone.locator(".st-key-answer_0 button").first.click()
    expect(bars).to_contain_text("1 answer")  # without a press of the lecturer
    phone.locator(".st-key-answer_1 button").first.click()
    expect(bars.locator("b").nth(1)).to_contain_text("1 (100")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(phone.locator(".bolt-tally li").first).to_be_hidden()

    lecturer.get_by_role("button", name="Show the class the result").first.click()
    expect(phone.locator(".bolt-tally li").nth(1)).to_contain_text("your answer")
    expect(phone.locator(".st-key-answer_0")).to_have_count(0)
    expect(lecturer.get_by_text("Shown:")).to_be_visible()

    lecturer.goto(lecturer.url.replace("how-much-data", "metronome"))
    lecturer.get_by_role("button", name="Ask the class").first.click()
    expect(phone.get_by_text("The metronome")).to_be_visible()  # by its own poll
    expect(phone.locator(".st-key-answer_0")).to_have_count(1)
