"""The Scoreboard in a browser: a value opens its runs, a campaign is started and followed."""

import pytest
from playwright.sync_api import expect

from bolt_core.campaigns import results
from bolt_core.report.builders import device_speeds, pairs
from bolt_core.report.model.cases import Cases
from tests.support import campaigns
from tests.support.browsing import plot, serving, settled

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("scoreboard")]

SMALL = {"algorithms": ["random", "gpucb"], "benchmarks": ["eggholder"], "horizon": 2.5}
DRAWN = """() => ['overall', 'regret', 'response', 'size'].every(name =>
  document.querySelector(`.st-key-score_${name} .bolt-panel`)?.dataset.version)"""


@pytest.fixture(scope="module")
def home_of_server(tmp_path_factory):
    """Two campaigns: one done, one planned."""
    home = tmp_path_factory.mktemp("bolt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLT_HOME", str(home))
        campaigns.finished("done", **SMALL)
        campaigns.ready("planned", **SMALL | {"algorithms": ["random"]})
    return home


@pytest.fixture(scope="module")
def server(home_of_server):
    with serving(home_of_server) as url:
        yield url


@pytest.mark.long
def test_a_value_opens_its_runs_and_they_open_in_the_arena(visit):
    page = visit("/scoreboard?campaign=done")
    page.wait_for_function(DRAWN)
    page.locator(".st-key-score_table").get_by_role("button").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".st-key-score_seeds tbody tr")).to_have_count(2)
    dialog.get_by_role("link", name="Open these seeds in the Arena").click()
    page.wait_for_function("() => document.querySelector('.st-key-regret .bolt-plot')?._fullData")

    assert "race=campaign%3Adone%3A" in page.url
    assert "GPUCB" in plot(page)["names"]
    assert "2 seeds" in plot(page)["caption"]


def test_the_stored_campaign_shows_its_tables_figures_and_the_seeds_of_a_value(visit):
    page = visit("/scoreboard")
    page.wait_for_function(DRAWN)
    expect(page.locator(".st-key-score_table tbody tr")).to_have_count(12)  # ten, and two overall
    page.locator(".st-key-score_table").get_by_role("button").first.click()
    dialog = page.get_by_role("dialog")
    seeds = dialog.locator(".st-key-score_seeds tbody tr")
    expect(seeds).to_have_count(10)  # Shekel has ten seeds
    for name in ("regret", "size"):
        expect(
            dialog.locator(f".st-key-score_cell_{name} .bolt-plot .scatterlayer")
        ).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    page.get_by_text("Ablations and other averages").click()

    cases = Cases(results.load(results.BUNDLED))
    ablations = [pairs.removal(cases), device_speeds.section(cases)]
    for part in ablations:
        for i, table in enumerate(part.tables):
            rows = page.locator(f".st-key-score_{part.id}_{i} tbody tr")
            expect(rows).to_have_count(len(table.rows))
        for chart in part.charts:
            expect(page.locator(f".st-key-score_{chart.name} .scatterlayer")).to_be_visible()
    drawn = {chart.name.rpartition("-")[2] for part in ablations for chart in part.charts}
    assert drawn == {"eggholder", "powell"}


@pytest.mark.long
def test_a_campaign_is_started_followed_and_shown_when_it_is_done(visit):
    page = visit("/scoreboard?campaign=done")
    page.get_by_role("button", name="Run a campaign").click()
    page.locator(".st-key-campaign_to_run input").fill("planned")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 runs. Takes about")).to_be_visible()
    page.locator(".st-key-campaign_start button").click()
    expect(page.locator(".st-key-campaign_stop button")).to_be_visible()
    expect(page.get_by_text("2 of 2 planned runs are finished")).to_be_visible()
    expect(page.locator(".st-key-campaign_stop button")).to_have_count(0)
    settled(page)

    assert "campaign=planned" in page.url
    expect(page.locator(".st-key-score_table")).to_contain_text("Eggholder")
