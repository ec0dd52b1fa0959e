"""The Benchmarks page: every card, the details of every benchmark, links with unknown names."""

import pytest
from streamlit.testing.v1 import AppTest

from bolt_core import benchmarks
from bolt_core.analysis.paper_table import paper_table2
from bolt_core.benchmarks import stored_twins
from bolt_core.common.types import NOMINAL_DEVICE
from bolt_ui import benchmarks as gallery
from bolt_ui import link_values, links
from tests.support.panels import asked, drawn
from tests.support.project import ROOT
from tests.support.twins import make_twin

KEYS = sorted(benchmarks.catalog())


@pytest.fixture
def visit(monkeypatch, tmp_path):
    """Return visit(**url), which opens the page with a link and returns it."""
    monkeypatch.setenv("BOLT_HOME", str(tmp_path))

    def load(**url):
        page = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30).run()
        page.switch_page("../../pages/benchmarks.py")
        for name, value in url.items():
            page.query_params[name] = value
        page.run()
        assert not page.exception, page.exception
        return page

    return load


def words(page):
    return " ".join(e.value for e in [*page.markdown, *page.caption, *page.subheader])


def test_every_benchmark_has_a_card_with_a_described_picture(visit):
    page = visit()
    pictures = [image.proto.imgs[0] for image in page.get("image")]
    titles = [link.proto.label for link in page.get("page_link")]

    assert len(pictures) == len(KEYS)
    assert all(picture.alt and picture.url for picture in pictures)
    assert sorted(titles) == sorted(f"**{b.label}**" for b in benchmarks.catalog().values())


def test_every_benchmark_has_its_picture():
    gallery._draw.clear()

    assert sorted(gallery.pictures()) == KEYS


def test_a_twin_that_is_stored_meanwhile_has_a_picture_and_a_link(visit):
    assert sorted(gallery.pictures()) == KEYS

    key = stored_twins.save(make_twin(20))

    assert key in gallery.pictures()
    assert link_values.possible("bench", key)
    assert "Twins of logs" in words(visit())
    assert "twin of a log" in words(visit(board=key))


@pytest.mark.parametrize("key", KEYS)
def test_the_details_of_a_benchmark_show_its_landscape_path_facts_and_notes(visit, key):
    page, spec = visit(board=key), benchmarks.get(key)
    said = words(page)

    assert page.title[0].value == spec.label
    assert all(note in said for note in spec.notes)
    assert benchmarks.load(key).source.replace("closed form", "closed-form") in said
    for chart in ("landscape", "optimum"):
        meta = drawn(page, chart)["layout"]["meta"]
        assert spec.label in meta["alt"]
        assert meta["caption"]
    assert any("Race on" in link.proto.label for link in page.get("page_link"))


def test_the_slider_moves_the_landscape_and_keeps_the_view(visit):
    page = visit(board="powell")
    before, drawn_before = asked(page, "landscape"), drawn(page, "landscape")
    page.slider(key="at_powell").set_value(600.0).run()
    after, drawn_after = asked(page, "landscape"), drawn(page, "landscape")

    assert not page.exception
    assert drawn_before["data"] != drawn_after["data"]
    assert before["view"] == after["view"]
    assert "Powell at 600 s" in drawn_after["layout"]["meta"]["alt"]


def test_results_of_the_paper_are_shown_for_its_ten_benchmarks_only(visit):
    theirs = drawn(visit(board="eggholder"), "published")
    assert "BOLT 262" in theirs["layout"]["meta"]["alt"]
    ours = visit(board="gp-sample")

    assert "is ours" in words(ours)
    with pytest.raises(KeyError):
        ours.get_by_key("published")


def test_a_link_to_an_unknown_benchmark_shows_all_benchmarks(visit):
    page = visit(board="EVIL`<b>")

    assert "no benchmark `EVIL<b>`" in words(page)
    assert len(page.get("image")) == len(KEYS)


@pytest.mark.parametrize("device", ["paper device", gallery.FORMER_DEVICE_LABEL])
def test_the_device_decides_the_verdict(visit, device):
    nominal, paper = visit(board="wlan"), visit(board="wlan", board_device=device)
    table = [page.table[0].value for page in (nominal, paper)]
    verdicts = [dict(zip(t["what"], t["value"], strict=True)) for t in table]

    assert ["neither" in v["On this device"] for v in verdicts] == [True, False]
    assert verdicts[1]["On this device"] == "quasi-static"
    assert all("neither" in v["In the paper"] for v in verdicts)


def test_on_the_nominal_device_the_verdicts_are_the_papers():
    for spec in benchmarks.catalog().values():
        if spec.in_paper:
            printed = (spec.row.quasi_static, spec.row.near_constant)
            assert gallery.computed(spec.row, NOMINAL_DEVICE) == printed


def test_the_papers_table_covers_its_ten_and_names_the_best():
    rows = paper_table2()["benchmarks"]

    assert sorted(rows) == sorted(k for k, s in benchmarks.catalog().items() if s.in_paper)
    for row in rows.values():
        assert row["mean"].keys() == row["error"].keys()
        assert min(row["mean"], key=row["mean"].get) in row["best"]


def test_a_link_to_a_race_holds_the_labels_of_the_arena_widgets():
    query = links.race("hartmann3", ["bolt", "gpucb"], cut="180")

    assert query == {"bench": "Hartmann-3", "algos": ["BOLT", "GPUCB"], "cut": "180"}


def test_the_link_to_the_arena_sets_its_toolbar(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLT_HOME", str(tmp_path))
    page = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30)
    for name, value in links.race("powell", ["bolt"]).items():
        page.query_params[name] = value
    page.run()

    assert page.get_by_key("bench").value == "powell"
    assert page.get_by_key("algos").value == ["bolt"]
