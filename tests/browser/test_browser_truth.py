"""What is drawn is true, and watching changes nothing."""

import json
import threading
import urllib.request

import numpy as np
import pytest
from playwright.sync_api import expect

from bolt_core.runs.loop import iterate, prepare
from bolt_core.store.record_format import to_json
from bolt_core.store.records import read, read_header
from tests.support import recomputed
from tests.support.browsing import PATIENCE_MS, start, wait_version
from tests.support.in_the_page import FINAL

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("truth")]

TRACES = """key => [...document.querySelector(`.st-key-${key} .bolt-plot`)._fullData]
  .map(t => ({ name: t.name, x: [...t.x], y: [...t.y] }))"""
IS_DRAWN = "key => document.querySelector(`.st-key-${key} .bolt-plot`)?._fullData?.length > 0"
WATCHERS, LOOKS = 10, 30
ROUTE = "/bolt-api/frames?race={}&c=regret;;&c=size;;&c=leaderboard;;&c=metronome;;"


@pytest.fixture(scope="module")
def raced(browser, server, home_of_server):
    """A finished model-clock race of BOLT, watched by a browser and ten others; its record."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(server + "/?cut=60&algos=bolt&clock=model&seed=3")
    start(page)
    page.wait_for_url("**race=*")
    race_id = page.url.partition("race=")[2].partition("&")[0]
    looks = [threading.Thread(target=look, args=(server, race_id)) for _ in range(WATCHERS)]
    for one in looks:
        one.start()
    expect(page.get_by_text("Finished")).to_be_visible()
    for one in looks:
        one.join()
    page.wait_for_function(FINAL)
    files = (home_of_server / "runs").glob("*.jsonl")
    yield page, next(path for path in files if read_header(path)["race_id"] == race_id)
    page.close()


def look(url, race_id):
    """Ask for four charts, whole, as fast as they come; a bounded number of times."""
    for _ in range(LOOKS):
        with urllib.request.urlopen(url + ROUTE.format(race_id)) as reply:
            reply.read()


def as_json(record):
    return json.loads(json.dumps(to_json(record)))


def at(times, values, x):
    """The values at the times nearest to x: a drawn time has six digits."""
    t = np.array(times)
    rows = [int(np.argmin(np.abs(t - one))) for one in x]
    assert np.abs(t[rows] - x).max() < 1e-3
    return [values[row] for row in rows]


def drawn(page, key):
    page.wait_for_function(IS_DRAWN, arg=key)  # the page may be mounting its panels again
    return {trace["name"]: trace for trace in page.evaluate(TRACES, key)}


def test_watching_changes_nothing(raced):
    _, path = raced
    alone = [as_json(record) for record in iterate(prepare(read(path).config))]

    assert [as_json(record) for record in read(path).records] == alone


def test_regret_sizes_and_n_star_are_the_records(raced):
    page, path = raced
    passes = recomputed.passes_of(path)
    regret, size = drawn(page, "regret")["BOLT"], drawn(page, "size")

    t, lost = recomputed.average_regret(passes)
    assert regret["y"] == pytest.approx(np.interp(regret["x"], t, lost), rel=1e-4)  # 6 digits sent
    assert regret["y"][-1] == pytest.approx(lost[-1], rel=1e-5)
    t, held = recomputed.sizes(passes)
    assert size["BOLT"]["y"] == at(t, held, size["BOLT"]["x"])
    told = [(recomputed.end(p), p["n_star"]) for p in passes if "n_star" in p]
    assert size["BOLT n*"]["y"] == at(*zip(*told, strict=True), size["BOLT n*"]["x"])


def test_every_score_is_what_brute_force_says(raced):
    page, path = raced
    page.get_by_role("link", name="Inside BOLT").first.click()
    passes = recomputed.passes_of(path)
    wait_version(page, len(passes), "scores")
    times, expected = zip(*recomputed.scores(passes).items(), strict=True)
    heads = {trace["name"]: trace for trace in page.evaluate(TRACES, "scores")}
    shown = heads["kept"]

    assert len(shown["x"]) == len(times)
    apart = np.array(shown["y"]) / at(times, expected, shown["x"]) - 1
    assert np.median(np.abs(apart)) < 0.05  # 512 nodes against a grid of 2,500
    assert heads["lowest"]["x"] == pytest.approx([times[np.argmin(expected)]], abs=1e-3)
