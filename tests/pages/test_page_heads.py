"""Every page has one heading of the first level; the landing page says what it is and shows."""

import pytest

from bolt_core.common.types import RunStatus
from bolt_core.store import bundled_race
from tests.support.page_kit import browse, race
from tests.support.panels import said
from tests.support.runs import make_run

TITLES = {
    "inside": "Inside BOLT",
    "lab": "n* lab",
    "benchmarks": "Benchmarks",
    "problem": "Your problem",
    "runs": "Runs",
    "scoreboard": "Scoreboard",
    "guide": "Guide",
}


def headings(page):
    html = [element.proto.body for element in page.get("html")]
    return [title.value.replace("\\", "") for title in page.title] + [h for h in html if "<h1" in h]


@pytest.mark.parametrize("name", TITLES)
def test_a_page_has_one_heading(name):
    assert headings(browse(name)) == [TITLES[name]]


def test_the_arena_has_one_heading_with_and_without_a_race(open_page):
    shown = race(make_run(40), status=RunStatus.FINISHED)

    for page in (open_page(), open_page(shown), open_page(shown, hide="controls")):
        assert len(headings(page)) == 1


def test_the_landing_page_names_the_recorded_race_and_defines_its_terms(open_page):
    page = open_page()
    hints = " ".join(element.help for element in page.markdown if element.help)

    assert bundled_race.name().split(",")[0] in said(page)
    for term in ("Regret", "**n**", "recommends"):
        assert term in hints
    assert next(link.proto.url for link in page.get("link_button")).startswith("https://")
