"""The Arena's toolbar: the race that a link, a pill, a preset or a lane starts."""

import re
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

from bolt_core import algorithms
from bolt_ui import session
from bolt_ui.race_settings import DEFAULT_SLOWDOWN, Lane, query, slower
from bolt_ui.toolbar import PRESETS
from tests.support.page_kit import healthy, offered, race
from tests.support.panels import said
from tests.support.runs import make_run


@pytest.fixture
def started(open_page, monkeypatch):
    """Return the configs of every race that is started; none is run."""
    configs = []
    monkeypatch.setattr(session, "start", configs.append)
    return configs


def pressed(page, started, key="run"):
    healthy(page.button(key=key).click().run())
    return started[-1]


def lanes(configs):
    return [config.algorithm for config in configs]


def test_the_pills_come_in_the_papers_order_and_four_are_chosen(open_page):
    pills = open_page().get_by_key("algos")
    known = algorithms.catalog()
    kinds = [known[key].kind for key in list(known)]
    years = [known[key].year for key in list(known) if known[key].kind == "paper"]

    assert set(pills.value) == {"bolt", "w-dbo", "r-gpucb", "gpucb"}
    assert kinds == sorted(kinds, key=["paper", "control", "variant", "baseline"].index)
    assert years == sorted(years)
    assert kinds[-1] == "baseline"


def test_the_expected_duration_is_shown_before_the_start(open_page):
    usual, longer = said(open_page()), said(open_page(algos="bolt", cut="180"))

    assert "4 algorithms, 120" in usual
    assert "120 simulated" in usual
    assert re.search(r"about [^.]*\d (s|min)", said(open_page(algos="bolt")))
    assert "1 algorithm, 180" in longer
    assert "180 simulated" in longer


def test_without_an_algorithm_the_start_button_is_disabled(open_page):
    page = open_page()
    page.get_by_key("algos").set_value([]).run()

    assert not offered(page)
    assert "at least one algorithm" in said(page)


def test_a_link_by_keys_sets_the_race(open_page, started):
    page = open_page(bench="powell", algos="bolt,abo", seeds="2")
    configs = pressed(page, started)

    assert {c.benchmark for c in configs} == {"powell"}
    assert lanes(configs) == ["abo", "abo", "bolt", "bolt"]
    assert [c.seed for c in configs] == [0, 1, 0, 1]


def test_a_link_by_labels_sets_the_same_race(open_page, started):
    by_label = pressed(open_page(bench="Powell", algos=["BOLT", "ABO"], seeds="2"), started)

    assert by_label == pressed(open_page(bench="powell", algos="bolt,abo", seeds="2"), started)


def test_a_renamed_label_in_an_older_link_is_understood(open_page, started):
    page = open_page(algos="bolt", variants="ABO, looks now")

    assert lanes(pressed(page, started)) == ["bolt", "abo-t"]


def test_a_link_sets_the_toolbar(open_page, started):
    basic = {"cut": "180", "seeds": "4", "seed": "7", "clock": "model", "device": "paper"}
    more = {"warmup": "20", "engine": "botorch", "acq": "logei", "ks": "rbf", "noise": "1pct"}
    page = open_page(algos="bolt", **basic, **more)
    configs = pressed(page, started)

    assert [c.seed for c in configs] == [7, 8, 9, 10]
    assert {c.horizon for c in configs} == {180.0}
    assert {c.clock.kind for c in configs} == {"model"}
    assert {c.warmup for c in configs} == {20}
    assert {(c.engine.name, c.engine.acquisition) for c in configs} == {("botorch", "logei")}
    assert configs[0].options == {"noise": "1pct", "spatial_kernel": "rbf"}


@pytest.mark.parametrize(
    "bad",
    [
        {"bench": "EVIL"},
        {"algos": "EVIL"},
        {"variants": "EVIL"},
        {"seeds": "999"},
        {"seeds": "nan"},
        {"seed": "-1"},
        {"cut": "-1"},
        {"clock": "wall"},
        {"slowdown": "nan"},
        {"slowdown": "-3"},
        {"warmup": "0"},
        {"engine": "gpy"},
        {"x": "z"},
    ],
    ids=str,
)
def test_an_invalid_link_falls_back_to_the_default_race(open_page, started, bad):
    configs = pressed(open_page(**bad), started)

    assert lanes(configs) == ["r-gpucb", "w-dbo", "bolt", "gpucb"]
    assert {c.benchmark for c in configs} == {"eggholder"}
    assert configs[0].clock.slowdown == DEFAULT_SLOWDOWN
    assert configs[0].clock.kind == "model"
    assert configs[0].warmup == 15


@pytest.mark.parametrize(
    ("link", "wanted"),
    [
        ({"algos": "bolt,random"}, ["bolt", "random"]),
        ({"algos": "bolt", "variants": "bolt-oldest"}, ["bolt", "bolt-oldest"]),
        ({"algos": "random"}, ["random"]),
        ({"algos": "BOLT", "variants": "bolt-oldest"}, ["bolt", "bolt-oldest"]),
        ({"algos": "bolt", "variants": "Random"}, ["bolt", "random"]),
        ({"algos": "bolt", "variants": "abo"}, ["abo", "bolt"]),
        ({"variants": "random"}, ["r-gpucb", "w-dbo", "bolt", "gpucb", "random"]),
        ({"variants": "Random"}, ["r-gpucb", "w-dbo", "bolt", "gpucb", "random"]),
    ],
    ids=str,
)
def test_variants_are_added_to_the_pills(open_page, started, link, wanted):
    assert lanes(pressed(open_page(**link), started)) == wanted


def test_lanes_in_the_link_are_added_to_the_race(open_page, started):
    page = open_page(algos="bolt", lanes="bolt;engine=botorch|bolt;speed=4 | w-dbo;alpha=0.5")
    configs = pressed(page, started)

    assert not page.warning
    assert lanes(configs) == ["bolt", "bolt", "bolt", "w-dbo"]
    assert [c.engine.name for c in configs] == ["exact", "botorch", "exact", "exact"]
    usual = DEFAULT_SLOWDOWN
    assert [c.clock.slowdown for c in configs] == [usual, usual, 4.0 * usual, usual]
    assert configs[3].params == {"alpha": 0.5}


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("evil", "evil"),
        ("bolt;engine=gpy", "engine must be one of"),
        ("bolt;speed=0", "speed must be in"),
        ("bolt;speed=nan", "speed must be in"),
        ("bolt;speed=true", "speed must be in"),
        ("bolt;speed", "write name=value"),
        ("w-dbo;alpha=99", "alpha must be in"),
        ("bolt;beta=1", "beta"),
    ],
)
def test_an_invalid_lane_is_left_out_with_a_warning(open_page, started, bad, why):
    page = open_page(algos="bolt", lanes=f"{bad}|gpucb;speed=2")
    warning = page.warning[0].value.replace("\\", "")

    assert len(page.warning) == 1
    assert f"{bad} is left out" in warning
    assert why in warning
    assert lanes(pressed(page, started)) == ["bolt", "gpucb"]


def test_a_lane_from_the_form_is_written_into_the_field(open_page, started):
    page = open_page(algos="bolt", lanes="bolt;speed=4")
    form = {box.label: box for box in [*page.selectbox, *page.number_input, *page.text_input]}
    form["Algorithm"].set_value("w-dbo")
    form["On engine"].set_value("botorch")
    form["Times slower"].set_value(2.5)
    form["Parameters"].set_value("alpha=0.5; floor=20")
    (add,) = [button for button in page.button if button.label == "Add a lane"]
    healthy(add.click().run())

    wanted = "bolt;speed=4 | w-dbo;engine=botorch;speed=2.5;alpha=0.5;floor=20"
    assert page.text_input(key="lanes").value == wanted
    assert lanes(pressed(page, started)) == ["bolt", "bolt", "w-dbo"]


def test_the_form_refuses_an_invalid_lane(open_page):
    page = open_page()
    (field,) = [box for box in page.text_input if box.label == "Parameters"]
    field.set_value("alpha=much")
    (add,) = [button for button in page.button if button.label == "Add a lane"]
    healthy(add.click().run())

    assert "alpha" in page.error[0].value
    assert not page.text_input(key="lanes").value


@pytest.mark.parametrize("label", PRESETS)
def test_a_preset_starts_a_race_on_its_benchmark(open_page, started, label):
    configs = pressed(open_page(), started, key=label)

    assert {c.benchmark for c in configs} == {PRESETS[label][1]}
    assert lanes(configs) == ["r-gpucb", "w-dbo", "bolt", "gpucb"]


@pytest.mark.parametrize("page", ["arena", "inside"])
def test_start_my_own_uses_the_settings_of_the_watched_race(open_page, started, page):
    watched = race(make_run(40, seed=3), make_run(40, algorithm="bolt", seed=3), horizon=60.0)
    shown = open_page(watched, page=page, mine=False)

    assert pressed(shown, started, key="copy") == [run.config for run in watched.runs]


def test_settings_chosen_in_the_arena_apply_on_inside_too(open_page, started):
    page = open_page(bench="powell", algos="bolt,abo")
    page.switch_page("../../pages/inside.py")
    configs = pressed(healthy(page.run()), started)

    assert {c.benchmark for c in configs} == {"powell"}
    assert lanes(configs) == ["abo", "bolt"]


SETTINGS = [
    {"bench": "powell", "algos": "bolt,abo", "seeds": "3", "seed": "5", "cut": "180"},
    {"algos": "bolt,random", "clock": "model", "device": "paper", "cut": "full", "warmup": "20"},
    {"algos": "bolt", "lanes": "bolt;engine=botorch|bolt;speed=0.7|w-dbo;alpha=0.123456789"},
    {"algos": "", "lanes": "w-dbo;alpha=0.5|w-dbo;alpha=0.25"},
    {"algos": "bolt", "engine": "botorch", "acq": "pi", "ks": "rq", "kt": "rbf", "noise": "1pct"},
    {"algos": "gpucb", "slowdown": "7.123456789"},
]


@pytest.mark.parametrize("link", SETTINGS, ids=str)
def test_the_link_of_a_deleted_race_restores_its_settings(open_page, started, link):
    configs = pressed(open_page(**link), started)
    runs = [replace(make_run(40), config=config) for config in configs]
    again = pressed(
        open_page(**dict(parse_qsl(query([run.config for run in runs]), keep_blank_values=True))),
        started,
    )
    (shared,) = [c.value for c in open_page(race(*runs)).code if "race=" in c.value]
    gone = open_page(**dict(parse_qsl(urlsplit(shared).query, keep_blank_values=True)))

    assert sorted(c.key for c in again) == sorted(c.key for c in configs)
    assert "not on this server" in said(gone)
    assert {c.key for c in pressed(gone, started)} == {c.key for c in configs}


def test_lanes_that_do_not_fit_into_a_link_are_left_out():
    run = make_run(1)
    speeds = [1.0 + k / 997.0 for k in range(150)]
    clocks = [slower(run.config.clock, speed) for speed in speeds]
    runs = [replace(run, config=replace(run.config, clock=clock)) for clock in clocks]
    link = query([run.config for run in runs])
    written = dict(parse_qsl(link))["lanes"].split("|")

    assert 1500 < len(link) <= 2000
    assert [Lane.parse(lane).speed for lane in written] == pytest.approx(
        speeds[1 : 1 + len(written)],
        rel=1e-11,  # a link has twelve digits
    )


def test_a_link_may_mix_keys_and_labels(open_page):
    page = open_page(algos=["BOLT", "random", "w-dbo,ABO"], variants="ABO, no waiting")

    assert page.get_by_key("algos").value == ["bolt", "w-dbo", "abo"]
    assert page.get_by_key("variants").value == ["random", "abo-t"]
