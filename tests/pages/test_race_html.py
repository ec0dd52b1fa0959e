"""A race as one HTML file: whole, without addresses to load from, safe whatever its words are."""

import json
import re
from dataclasses import replace

import pytest

from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import race_html
from bolt_ui.race_settings import DEFAULT_SLOWDOWN
from tests.support.runs import make_run

EVIL = "<script>window.broken = 1</script><!--<script>"


@pytest.fixture(scope="module")
def whole():
    return race_html.render(bundled_race.race()).decode()


def test_it_says_what_ran_where_and_by_which_code(whole):
    about = bundled_race.race().runs[0].header

    for fact in (
        about["cpu"],
        about["commit"],
        about["started"],
        f"cpu clock, slowdown {DEFAULT_SLOWDOWN:g}",
    ):
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
