"""A race as one HTML file: whole, drawn without a network, safe whatever its words are."""

import json
import re
from dataclasses import replace

import pytest

from bolt_core.common.text import display_name
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import race_html
from tests.support.browsing import browser  # noqa: F401 - a fixture
from tests.support.runs import make_run

EVIL = "<script>window.broken = 1</script><!--<script>"
DRAWN = """() => Object.fromEntries([...document.querySelectorAll('section > div[id]')].map(el => {
  const panel = el.querySelector('.bolt-panel'), plot = el.querySelector('.bolt-plot');
  const canvas = el.querySelector('canvas');
  const inked = canvas && canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    .data.some(v => v);
  return [el.id, { kind: panel?.dataset.kind, alt: panel?.getAttribute('aria-label'),
    curves: plot?.querySelectorAll('.scatterlayer .trace').length ?? null,
    colours: plot?._fullData.filter(t => t.meta).map(t => t.line?.color) ?? null,
    dashes: plot?._fullData.map(t => t.line?.dash) ?? null,
    rows: el.querySelectorAll('tbody tr').length, inked }]; }))"""
READY = """() => [...document.querySelectorAll('section > div[id]')]
  .every(el => el.querySelector('.bolt-panel')?.dataset.version)"""


@pytest.fixture(scope="module")
def whole():
    return race_html.render(bundled_race.race()).decode()


@pytest.fixture
def opened(browser, tmp_path):  # noqa: F811
    """opened(text, scheme): the file in a browser that has no network; its requests and errors."""
    contexts = []

    def show(text, scheme="light", width=1366):
        file = tmp_path / "race.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(
            offline=True, color_scheme=scheme, viewport={"width": width, "height": 900}
        )
        contexts.append(context)
        page, asked, errors = context.new_page(), [], []
        page.on("request", lambda r: asked.append(r.url))
        page.on("pageerror", lambda e: errors.append(str(e)))
        page.goto(file.as_uri())
        page.wait_for_function(READY, timeout=30_000)
        return page, asked, errors

    yield show
    for context in contexts:
        context.close()


def test_it_says_what_ran_where_and_by_which_code(whole):
    about = bundled_race.race().runs[0].header

    for fact in (about["cpu"], about["commit"], about["started"], "cpu clock, slowdown 15"):
        assert fact in whole
    assert f"numpy {about['versions']['numpy']}" in whole
    headline = whole.partition("After 600 s BOLT")[2].partition("<")[0]
    assert "lowest average regret" in headline


def test_it_holds_plotly_once_and_no_address_to_load_from(whole):
    ours = re.sub(r"<script>.*?</script>", "", whole, count=1, flags=re.DOTALL)  # plotly.js

    assert whole.count("plotly.js v") == 1
    assert 4.5 < len(whole.encode()) / 1e6 < 5.5  # as its button says
    assert "<link" not in ours
    assert not re.search(r"\b(src|href)\s*=", ours)


def test_a_race_without_bolt_has_no_chart_of_its_sizes():
    text = race_html.render(RaceSnapshot("r", RunStatus.FINISHED, (make_run(30),), 3.0)).decode()

    assert 'id="fit"' not in text
    assert 'id="size"' in text


def test_a_race_that_has_not_begun_says_so():
    text = race_html.render(RaceSnapshot("r", RunStatus.STOPPED, (make_run(0),))).decode()

    assert "after the warm-up" in text


def test_words_of_a_record_are_never_markup():
    run = make_run(30, algorithm=EVIL)
    run = replace(run, header={**run.header, "cpu": EVIL, "commit": EVIL})
    text = race_html.render(RaceSnapshot(EVIL, RunStatus.FINISHED, (run,), run.end)).decode()

    assert EVIL not in text
    assert "&lt;script&gt;window.broken = 1" in text
    data = re.search(r'<script type="application/json" id="charts">(.*?)</script>', text)
    given = json.loads(json.loads(data.group(1))["regret"]["given"])
    assert "window.broken = 1" in (name := given["data"][0]["name"])
    assert not {"<", ">"} & set(name)  # a chart would read <a href=...> as a link


@pytest.mark.browser
def test_every_chart_is_drawn_without_a_network(opened, whole):
    page, asked, errors = opened(whole)
    drawn = page.evaluate(DRAWN)

    assert list(drawn) == ["regret", "leaderboard", "metronome", "size", "response", "fit"]
    assert all(drawn[name]["alt"] for name in drawn)
    assert all(drawn[name]["curves"] for name in ("regret", "size", "response", "fit"))
    assert drawn["leaderboard"]["rows"] == 4
    assert drawn["metronome"]["inked"]
    assert "#D62A0B" in drawn["regret"]["colours"]  # BOLT's, on a light ground
    assert {"solid", "dash", "dashdot"} <= set(drawn["regret"]["dashes"])
    assert not errors
    assert not [url for url in asked if url.startswith("http")]


@pytest.mark.browser
def test_it_follows_the_readers_theme_and_the_width_of_a_phone(opened, whole):
    page, _, errors = opened(whole, "dark", 390)

    assert "#F26A4B" in page.evaluate(DRAWN)["regret"]["colours"]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.emulate_media(color_scheme="light")
    page.wait_for_function(
        "() => document.querySelector('#regret .bolt-plot')._fullData"
        ".some(t => t.line?.color === '#D62A0B')"
    )
    assert not errors


@pytest.mark.browser
def test_a_name_in_the_leaderboard_brings_out_its_curve(opened, whole):
    page, _, _ = opened(whole)
    page.locator("#leaderboard").get_by_role("button", name="W-DBO").click()

    page.wait_for_function(
        "() => document.querySelector('#regret .bolt-plot')._fullData"
        ".every(t => !t.meta || (t.opacity === 1) === (t.meta === 'w-dbo'))"
    )


@pytest.mark.browser
def test_a_script_in_a_label_does_not_run(opened):
    race = RaceSnapshot("r", RunStatus.FINISHED, (make_run(30, algorithm=EVIL),), 3.0)
    page, _, errors = opened(race_html.render(race).decode())

    assert page.evaluate("() => window.broken") is None
    assert display_name(EVIL) in page.locator("#leaderboard").inner_text()
    assert not errors
