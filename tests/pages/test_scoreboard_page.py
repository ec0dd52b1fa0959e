"""Tests of the Scoreboard without a browser: no campaign, the built-in one, own ones, runs."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from bolt_core.campaigns import campaign, packing, results
from bolt_core.campaigns.background import Background
from bolt_core.charts.races import SEPARATOR
from bolt_core.common import files
from bolt_core.common.types import ClockConfig
from bolt_ui import server_state
from bolt_ui.scoreboard import campaigns, sections
from tests.support import campaigns as made_here
from tests.support.packed import packed
from tests.support.panels import asked
from tests.support.project import ROOT
from tests.support.reports import PAPER_CLOCK
from tests.support.scoreboards import results as by_hand

COMMAND = "bolt campaign run paper-quick"
LOST = {"eggholder": {"gpucb": 500.0, "bolt": 131.0}, "powell": {"gpucb": 900.0, "bolt": 500.0}}


class Canned(Background):
    """Records which campaigns are started."""

    def __init__(self):
        super().__init__()
        self.started = []

    def start(self, name, owner, workers=None, *, confirmed=False):
        campaign.load(name, presets=True)
        self.started.append(name)


@pytest.fixture
def background(monkeypatch):
    made = Canned()
    monkeypatch.setattr(server_state.server(), "campaigns", made)
    return made


@pytest.fixture
def stored(monkeypatch, tmp_path, background):
    """A built-in campaign, made by hand."""
    file = tmp_path / "stored.json.gz"
    results.save(by_hand(LOST), file)
    monkeypatch.setattr(campaigns, "BUNDLED", file)
    return file


@pytest.fixture
def none_stored(monkeypatch, tmp_path, background):
    monkeypatch.setattr(campaigns, "BUNDLED", tmp_path / "nothing")


def opened(**url):
    page = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30)
    for name, value in url.items():
        page.query_params[name] = value
    page.run()
    page.switch_page("../../pages/scoreboard.py").run()
    assert not page.exception, page.exception
    return page


def given(page, key):
    return json.loads(asked(page, key)["given"])


def test_without_a_campaign_the_page_explains_how_to_make_one(none_stored):
    page = opened()

    assert page.subheader[0].value == "No campaign yet"
    assert COMMAND in page.code[0].value
    with pytest.raises(KeyError):
        page.get_by_key("score_table")


def test_the_built_in_campaign_is_shown_first(stored):
    page = opened()

    assert page.selectbox(key="campaign").value == campaigns.BUILT_IN
    rows = given(page, "score_table")["rows"]
    assert [row["cells"][0]["text"] for row in rows[:2]] == ["Eggholder", "Powell"]
    for key in ("score_overall", "score_regret", "score_response", "score_size", "score_pair"):
        meta = given(page, key)["layout"]["meta"]
        assert meta["alt"]
        assert meta["caption"]
    for key in ("score_ranks_0", "score_pairs_0"):
        assert given(page, key)["caption"]
    differences = [row["cells"][0]["text"] for row in given(page, "score_pairs_1")["rows"]]
    assert differences == ["Eggholder", "Powell"]  # after the counts by rival


def test_the_benchmark_is_in_the_link_and_an_unknown_one_is_ignored(stored):
    assert "Powell" in given(opened(score_on="Powell"), "score_regret")["layout"]["meta"]["alt"]
    assert "Eggholder" in given(opened(score_on="Nix"), "score_regret")["layout"]["meta"]["alt"]
    assert opened(campaign="nobody").selectbox(key="campaign").value == campaigns.BUILT_IN


@pytest.mark.parametrize("name", ["Stored with BOLT", "Built-in results (paper-quick)"])
def test_a_link_with_a_former_name_of_the_built_in_results_is_understood(stored, name):
    page = opened(campaign=name)

    assert page.selectbox(key="campaign").value == campaigns.BUILT_IN
    assert not page.warning


def test_a_cell_of_the_built_in_campaign_shows_its_seeds_and_has_no_link(stored):
    page = opened()
    page.session_state[sections.OPEN_CELL] = "powell/bolt"
    page.run()

    assert not page.exception
    seeds = [row["cells"][0]["text"] for row in given(page, "score_seeds")["rows"]]
    assert seeds == ["0", "1", "2"]
    assert given(page, "score_cell_regret")["data"]
    assert any("no records" in c.value for c in page.caption)


def test_an_unknown_cell_has_a_message(stored):
    page = opened()
    page.session_state[sections.OPEN_CELL] = {"not": "a cell"}
    page.run()

    assert not page.exception
    assert any("no runs" in m.value for m in page.markdown)


def test_the_ablations_are_computed_when_opened(monkeypatch, tmp_path, stored):
    fast = ClockConfig("model", device=tuple(c / 10 for c in PAPER_CLOCK.device))
    several = by_hand(LOST | {"powell": LOST["powell"] | {"bolt-oldest": 600.0}})
    quick = tuple(
        replace(r, config=replace(r.config, clock=fast))
        for r in several.runs
        if r.config.algorithm == "bolt"
    )
    results.save(replace(several, runs=several.runs + quick), stored)
    page = opened()
    with pytest.raises(KeyError):
        page.get_by_key("score_ablation-removal_0")
    page.session_state["score_more"] = True
    page.run()

    assert not page.exception
    assert given(page, "score_ablation-removal_0")["rows"][0]["cells"][0]["text"] == "Powell"
    assert given(page, "score_ablation-removal_1")["caption"] == ""
    assert "no value if most" in given(page, "score_ablation-speed_0")["caption"]
    speeds = given(page, "score_ablation-speed-powell")["data"][0]["x"]
    assert speeds == [1.0, 10.0]
    assert given(page, "score_other-averages_2")["rows"]


def test_a_campaign_that_runs_elsewhere_is_followed(none_stored):
    found = made_here.finished()
    with files.locked(found.folder / campaign.LOCK):
        page = opened()
        row = page.get_by_key("campaign_elsewhere")
        assert "Running elsewhere" in row.children[0].proto.body
    assert any("4 of 4 runs finished" in c.value for c in page.caption)


def test_a_campaign_of_this_server_has_links_to_its_runs(none_stored):
    found = made_here.finished()
    page = opened()
    page.session_state[sections.OPEN_CELL] = "eggholder/random"
    page.run()
    links = [element.proto.query_string for element in page.get("page_link")]
    keys = [k for k, c in found.configs.items() if c.benchmark == "eggholder"]

    assert page.selectbox(key="campaign").value == "small"
    assert any(all(key in link for key in keys) for link in links)


def test_runs_of_a_pack_are_shown_and_have_no_link(none_stored, tmp_path):
    packed(tmp_path / "pack")
    packing.unpack(tmp_path / "pack")
    page = opened()
    page.session_state[sections.OPEN_CELL] = "eggholder/random"
    page.run()

    assert not page.exception
    assert given(page, "score_seeds")["rows"]
    assert any("no records" in c.value for c in page.caption)
    links = [element.proto.query_string for element in page.get("page_link")]
    assert not any("campaign" in link for link in links)


def test_runs_of_a_campaign_open_like_races_and_can_be_compared(background):
    found = made_here.finished()
    keys = [k for k, c in found.configs.items() if c.benchmark == "eggholder"]
    ids = [campaign.race_id("small", key) for key in keys]
    one, both = (
        server_state.server().races.find(ids[0]),
        server_state.server().races.find(SEPARATOR.join(ids)),
    )

    assert one.status.ended
    assert [run.config.key for run in both.runs] == keys
    assert server_state.server().races.records(ids[:1]) == found.path(keys[0]).read_bytes()
    assert server_state.server().races.find("campaign:small:000000000000") is None


def test_a_broken_plan_is_shown_with_its_reason_and_others_still_work(stored):
    found = made_here.finished()
    whole, broken = found.folder / campaign.PLAN, found.folder.with_name("broken") / campaign.PLAN
    broken.parent.mkdir()
    for text in ("{torn", json.dumps(json.loads(whole.read_text()) | {"grids": 3}), "[]"):
        broken.write_text(text)
        page = opened(campaign="broken")
        (told,) = page.error

        assert str(broken) in told.value.replace("\\", "")
        assert "not a campaign" in told.value
        assert not page.get("download_button")
    page.selectbox(key="campaign").select("small").run()
    assert not page.exception
    assert not page.error
    assert given(page, "score_table")["rows"]


def test_a_preset_is_started_from_the_page_and_then_shown(none_stored, background):
    page = opened()
    assert any("8 runs" in c.value for c in page.caption)
    page.button(key="campaign_start").click().run()

    assert not page.exception
    assert background.started == ["tiny"]
    assert page.selectbox(key="campaign").value == "tiny"
    assert any("nothing to report yet" in c.value for c in page.caption)
