"""A race as one HTML file in a browser: drawn without a network, safe whatever its words are."""

import contextlib
import re

import pytest

from bolt_core.common.text import display_name
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import race_html
from tests.support.browsing import PATIENCE_MS
from tests.support.runs import make_run

pytestmark = pytest.mark.browser

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


@contextlib.contextmanager
def opened(browser, folder, text, scheme="light", width=1366):
    """The file in a browser that has no network; its requests and errors."""
    file = folder / "race.html"
    file.write_text(text, encoding="utf-8")
    context = browser.new_context(
        offline=True, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    context.set_default_timeout(PATIENCE_MS)
    page, asked, errors = context.new_page(), [], []
    page.on("request", lambda r: asked.append(r.url))
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.goto(file.as_uri())
    page.wait_for_function(READY)
    yield page, asked, errors
    context.close()


def strip_seconds(page):
    """Return how many seconds the metronome shows by its caption."""
    return float(re.search(r"spans ([\d.]+)\ss", page.locator("#metronome").inner_text())[1])


def test_every_chart_is_drawn_without_a_network_and_follows_theme_width_and_leaderboard(
    browser, tmp_path
):
    recorded = race_html.render(bundled_race.race()).decode()
    with opened(browser, tmp_path, recorded) as (page, asked, errors):
        drawn = page.evaluate(DRAWN)

        assert list(drawn) == ["regret", "leaderboard", "metronome", "size", "response", "fit"]
        assert all(drawn[name]["alt"] for name in drawn)
        assert all(drawn[name]["curves"] for name in ("regret", "size", "response", "fit"))
        assert drawn["leaderboard"]["rows"] == 4
        assert drawn["metronome"]["inked"]
        assert strip_seconds(page) == 50
        assert "#D62A0B" in drawn["regret"]["colours"]  # BOLT's, on a light ground
        assert {"solid", "dash", "dashdot"} <= set(drawn["regret"]["dashes"])
        assert not errors
        assert not [url for url in asked if url.startswith("http")]

        page.locator("#leaderboard").get_by_role("button", name="W-DBO").click()
        page.wait_for_function(
            "() => document.querySelector('#regret .bolt-plot')._fullData"
            ".every(t => !t.meta || (t.opacity === 1) === (t.meta === 'w-dbo'))"
        )
        assert not errors

    with opened(browser, tmp_path, recorded, "dark", 390) as (page, _, errors):
        assert "#F26A4B" in page.evaluate(DRAWN)["regret"]["colours"]
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        assert strip_seconds(page) == 10  # where ticks of 50 s could not be told apart
        page.emulate_media(color_scheme="light")
        page.wait_for_function(
            "() => document.querySelector('#regret .bolt-plot')._fullData"
            ".some(t => t.line?.color === '#D62A0B')"
        )
        assert not errors


def test_a_script_in_a_label_does_not_run(browser, tmp_path):
    race = RaceSnapshot("r", RunStatus.FINISHED, (make_run(30, algorithm=EVIL),), 3.0)
    with opened(browser, tmp_path, race_html.render(race).decode()) as (page, _, errors):
        assert page.evaluate("() => window.broken") is None
        assert display_name(EVIL) in page.locator("#leaderboard").inner_text()
        assert not errors
