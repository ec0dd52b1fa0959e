"""A stored race in a browser: opened at a moment, taken out, deleted, and taken in again."""

import json
from statistics import fmean

import pytest
from playwright.sync_api import expect

from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import View
from bolt_core.figures.shared.chart_dicts import texts_of
from bolt_core.store import export
from bolt_core.store.library import Library
from tests.support import made_race, recomputed
from tests.support.browsing import OPERATOR_TOKEN, serving, settled, wait_version
from tests.support.in_the_page import FINAL

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("replay")]

AT = 123.4
EVIL = "<img src=x onerror=window.broken=1>"
RACE = f"/?race={made_race.RACE_ID}"
BOARD = """() => [...document.querySelectorAll('.st-key-leaderboard tbody tr')]
  .map(tr => [...tr.children].map(td => td.innerText.trim()))"""
UNCOVERED = """() => {  // seconds up to which the curves are uncovered
  const g = document.querySelector('.st-key-regret .bolt-plot'), { xaxis } = g._fullLayout;
  return xaxis.p2l(+g.querySelector('clipPath.plotclip rect').getAttribute('width')); }"""
WATCH = """() => new MutationObserver(() => { window.__ran = true; }).observe(
  document.querySelector('[data-testid=stApp]'), { attributeFilter: ['data-test-script-state'] })"""
TRACES = """() => document.querySelector('.st-key-regret .bolt-plot')._fullData
  .map(t => [t.name, [...t.x], [...t.y]])"""
ROW = {"x": 18, "y": 52}  # of the first row's box to tick: it is drawn on a canvas
COPIED = "() => navigator.clipboard.readText()"


@pytest.fixture(scope="module")
def home_of_server(tmp_path_factory):
    """A server that finds a race of 5,000 iterations of an earlier one."""
    home = tmp_path_factory.mktemp("bolt")
    made_race.write(home / "runs")
    return home


@pytest.fixture(scope="module")
def server(home_of_server):
    with serving(home_of_server) as url:
        yield url


def files(home):
    return [home / "runs" / f"20260102T000000Z-run{k}.jsonl" for k in range(3)]


def expected(path):
    """A row of the leaderboard from a record's lines, as numbers: regret, n, response, queries."""
    passes = [p for p in recomputed.passes_of(path) if p["t"] + p["seconds"] <= AT]
    full = [p for p in passes if not p["warmup"]]
    lost = fmean(p["best"] - p["value"] for p in full)
    return [lost, recomputed.sizes(passes)[1][-1], fmean(p["seconds"] for p in full), len(passes)]


def number(cell):
    return float(cell.removesuffix(" s").replace(",", ""))


def check_texts(page, home):
    """The texts of the charts that the browser cuts are those of the moment, also out of sight."""
    race = Library(home / "runs").open(made_race.RACE_ID).at(AT)
    for name in ("metronome", "regret", "size"):
        texts = texts_of(chart_registry.build(name, race, View()))
        panel = page.locator(f".st-key-{name} .bolt-panel")
        expect(panel).to_have_attribute("aria-label", texts["alt"])
        expect(panel.locator("figcaption")).to_contain_text(texts["caption"])
    expect(page.locator(".st-key-metronome figcaption")).to_contain_text("50 s")  # the window


def test_a_link_to_a_moment_opens_there_shows_its_numbers_and_follows(visit, home_of_server):
    page = visit(RACE + f"&t={AT}", permissions=["clipboard-read", "clipboard-write"])
    page.locator(".st-key-leaderboard tbody tr").first.wait_for()
    expect(page.locator(".st-key-headline")).to_contain_text("After 123 s ")
    rows = {name: [*numbers] for _, name, *numbers in page.evaluate(BOARD)}

    for label, path in zip(("BOLT", "R-GPUCB", "GPUCB"), files(home_of_server), strict=True):
        regret, _held, n, _n_star, response, queries = rows[label]
        shown = [number(cell) for cell in (regret, n, response, queries)]
        assert shown == pytest.approx(expected(path), rel=5e-3)  # three digits
    wait_version(page, 1)
    page.wait_for_function(f"t => Math.abs(({UNCOVERED})() - t) < .5", arg=AT)  # half a pixel
    check_texts(page, home_of_server)
    marks = page.locator(".bolt-marks")
    assert marks.get_attribute("aria-label").endswith("25 resets: R-GPUCB 25.")
    bar = page.get_by_role("group", name="Replay")
    expect(bar.get_by_role("button", name="Play")).to_be_visible()

    page.evaluate(WATCH)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**t=126.4*")  # a hundredth of the race later
    bar.get_by_role("button", name="Copy a link to this moment").click()
    expect(bar.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate(COPIED) == page.url
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".bolt-share code")).to_have_text(page.url)
    assert page.evaluate("() => window.__ran") is None  # none of it ran the page again
    page.reload()
    settled(page)
    expect(bar.locator("output")).to_have_text("2:06 / 5:00")


def opened(page, path):
    """The race drawn to its end; its curves."""
    page.goto(path)
    settled(page)
    wait_version(page, 1)
    page.wait_for_function(FINAL)
    return page.evaluate(TRACES)


def taken_in(page, *paths):
    page.get_by_role("button", name="Import").click()
    page.locator("input[type=file]").set_input_files(paths)
    page.locator(".st-key-take button").click()
    expect(page.get_by_text(f"Imported: {paths[-1].name}")).to_be_visible()


@pytest.mark.long
def test_a_race_goes_out_and_comes_in_again(visit, server, home_of_server, tmp_path):
    page = visit(f"/bolt-operator?token={OPERATOR_TOKEN}")  # the record was made elsewhere
    page.goto(server + "/runs")
    page.get_by_test_id("stDataFrame").click(position=ROW)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="JSONL").click()
    out = tmp_path / "out.jsonl"
    download.value.save_as(out)
    assert out.read_bytes() == export.jsonl(files(home_of_server))

    before = opened(page, server + RACE)
    page.goto(server + "/runs")
    page.get_by_test_id("stDataFrame").click(position=ROW)
    page.locator(".st-key-delete button").click()
    page.locator(".st-key-delete_yes button").click()
    expect(page.get_by_text("1 race deleted")).to_be_visible()
    assert not any(path.exists() for path in files(home_of_server))
    taken_in(page, out)
    assert export.jsonl(files(home_of_server)) == out.read_bytes()
    assert opened(page, server + RACE) == before


def test_the_names_in_an_imported_record_are_text(visit, server, home_of_server, tmp_path):
    header, rest = files(home_of_server)[2].read_bytes().split(b"\n", 1)
    about = json.loads(header) | {"run_id": "evil", "race_id": "evil", "label": EVIL}
    about["config"] |= {"algorithm": EVIL, "benchmark": EVIL}
    strange = tmp_path / f"{EVIL}.jsonl"
    strange.write_bytes(json.dumps(about).encode() + b"\n" + rest)
    page = visit("/runs")
    taken_in(page, strange)
    expect(page.get_by_text("2 races, last changed first")).to_be_visible()
    opened(page, server + "/?race=evil")

    expect(page.locator(".bolt-status")).to_contain_text(EVIL)
    assert page.evaluate("() => window.broken") is None
    assert page.locator("img[src=x]").count() == 0
