"""The n* lab without a browser: every control, links, presets, and the three further views."""

import pytest
from streamlit.testing.v1 import AppTest

from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.figures.lab.removal_chart import LeftOut
from bolt_core.figures.lab.setting import CAP, DIALS, TERMS, Setting, nearest_steps
from bolt_core.live.conductor import Conductor
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponseTime
from bolt_ui.lab import drag, presets, sections
from bolt_ui.markdown import with_math
from tests.support.panels import asked, drawn
from tests.support.project import ROOT


@pytest.fixture(autouse=True)
def _no_cached_preset():
    presets.this_machine.clear()


@pytest.fixture
def open_lab():
    """Return open_lab(**url), which opens the page with a link and returns it."""

    def load(**url):
        page = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30).run()
        page.switch_page("../../pages/lab.py")
        for name, value in url.items():
            page.query_params[name] = value
        return healthy(page.run())

    return load


def healthy(page):
    assert not page.exception, page.exception
    return page


def rule(page):
    """Return n* as drawn; None if there is no line."""
    lines = [s for s in drawn(page, "lab_size")["layout"]["shapes"] if s["type"] == "line"]
    return lines[0]["x0"] if lines else None


def words(page):
    return " ".join(e.value for e in [*page.header, *page.markdown, *page.caption])


def test_it_opens_with_an_n_star_and_its_reason(open_lab):
    page = open_lab()

    assert rule(page) == 103
    assert page.header[0].value == r"Keep n\* = 103"
    assert "0.216" in words(page)
    assert drawn(page, "lab_size")["layout"]["meta"]["alt"].startswith("Matérn-3/2, l_T = 60 s")


@pytest.mark.parametrize(("name", "dial"), DIALS.items(), ids=DIALS)
def test_every_slider_names_its_unit_and_moves_n_star(open_lab, name, dial):
    page = open_lab()
    slider = page.get_by_key(name)
    page = healthy(slider.set_value(dial.nearest(3.0)).run())
    coefficients = {"r0": 0.5, "lin": 0.0, "quad": 0.0, "cub": 1e-7} | {name: 3.0 / dial.parts}
    l_T = coefficients.pop("lt", 60.0)
    R = ResponseTime(tuple(coefficients.values()))

    assert dial.unit in slider.label
    assert rule(page) == recommended_size(temporal_correlation("matern32", l_T), R, seen=CAP // 2)
    assert rule(page) != 103


def test_a_link_sets_everything(open_lab):
    page = open_lab(
        k="RBF", lt="22", r0="0.05", lin="2", cub="1000", more=sections.BOUND, bound_noise="1"
    )

    assert rule(page) == recommended_size(
        temporal_correlation("rbf", 22.0), ResponseTime((0.05, 2e-3, 0.0, 1e-6))
    )
    assert "noise 1 of the signal" in words(page)


def test_a_link_may_hold_the_key_of_a_kernel(open_lab):
    assert open_lab(k="rq").get_by_key("k").value == "RQ"


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        ({"lt": "61"}, 60.0),  # between two steps
        ({"lt": "1e99"}, 1e4),
        ({"lt": "-5"}, 1.0),
        ({"lt": "oops"}, 60.0),
        ({"k": "EVIL", "more": "EVIL", "bound_noise": "7", "out": "99"}, 60.0),
    ],
)
def test_invalid_values_of_a_link_are_replaced_by_valid_ones(open_lab, bad, found):
    page = open_lab(**bad)

    assert page.get_by_key("lt").value == found
    assert page.get_by_key("k").value == "Matérn-3/2"


def test_a_metronome_keeps_everything(open_lab):
    page = open_lab()
    page = healthy(page.get_by_key("preset").set_value("metronome").run())

    assert page.get_by_key("cub").value == 0
    assert page.header[0].value == "Keep everything"
    assert rule(page) is None
    assert page.get_by_key("preset").value == "metronome"


def test_the_stock_botorch_preset_is_the_measured_device(open_lab):
    page = open_lab()
    page = healthy(page.get_by_key("preset").set_value("paper").run())

    assert [page.get_by_key(name).value for name in ("r0", "lin", "quad", "cub")] == [
        0.16,
        0,
        3.6,
        0,
    ]
    assert "measured on one core" in words(page)
    page = healthy(page.get_by_key("r0").set_value(1.0).run())
    assert page.get_by_key("preset").value is None


def test_without_a_run_this_machine_is_the_nominal_device(open_lab):
    page = open_lab()
    page = healthy(page.get_by_key("preset").set_value("machine").run())

    assert "nominal device" in words(page)
    assert page.get_by_key("lin").value == 5.0


def test_this_machine_is_what_the_newest_finished_bolt_run_fitted(open_lab, home):
    conductor = Conductor(home / "runs")
    config = RunConfig("bolt", "eggholder", horizon=25.0, clock=ClockConfig("model"))
    race_id = conductor.start([config])
    run = conductor.wait(race_id, lambda race: race.status.ended).runs[0]
    conductor.shutdown()
    notes = run.columns.notes[len(run) - 1]
    fitted = [max(notes["response"][0], notes["response_floor"]), *notes["response"][1:]]
    page = open_lab()
    page = healthy(page.get_by_key("preset").set_value("machine").run())

    assert "Eggholder, seed 0 (" in words(page)
    assert "(Model clock" in words(page)
    assert {name: page.get_by_key(name).value for name in TERMS} == nearest_steps(fitted)
    learned = run.columns["lengthscale_time"][-1]
    assert page.get_by_key("lt").value == DIALS["lt"].nearest(learned)

    page = healthy(page.get_by_key("preset").set_value("twice").run())
    steps = nearest_steps(fitted)
    halves = {name: DIALS[name].nearest(steps[name] / 2) for name in TERMS}
    assert {name: page.get_by_key(name).value for name in TERMS} == halves


def test_torn_and_foreign_files_are_ignored(home):
    (home / "runs").mkdir(parents=True)
    (home / "runs" / "20990101T000000Z-a.jsonl").write_text("{")
    (home / "runs" / "20990101T000000Z-b.jsonl").write_text('{"kind": "header"}\n')

    assert presets.newest_run() is None


def test_figure_1_is_shown_first_and_replaced_by_the_other_views(open_lab):
    page = open_lab()
    assert "Computed by this package" in words(page)
    assert drawn(page, "lab_kernels")["data"]
    assert drawn(page, "lab_responses")["data"]

    page = healthy(page.get_by_key("more").set_value(sections.BOUND).run())
    assert "Theorem 3.6" in words(page)
    with pytest.raises(KeyError):
        page.get_by_key("lab_kernels")


def test_leaving_out_shows_both_sides_of_the_theorem(open_lab):
    page = open_lab(more=sections.REMOVAL)
    assert "All ten observations" in words(page)

    page = healthy(page.get_by_key("out").set_value([7]).run())
    payload = asked(page, drag.KEY)
    gap = LeftOut(Setting(), (6,)).gap
    assert payload["sides"] == {"change": gap.change, "limit": gap.limit}
    assert [i for i, point in enumerate(payload["points"]) if point["out"]] == [6]
    assert "Without observation 7" in words(page)
    assert "0.601" in words(page)
    names = [trace["name"] for trace in drawn(page, "lab_posterior")["data"]]
    assert any("without" in name for name in names)


def test_all_observations_may_be_left_out(open_lab):
    page = open_lab(more=sections.REMOVAL)
    page = healthy(page.get_by_key("out").set_value(list(range(1, 11))).run())

    assert "any of the ten" in words(page)


@pytest.mark.parametrize(
    ("view", "charts"),
    [
        (
            sections.FIGURE,
            {"lab_kernels": sections.figure1_kernels, "lab_responses": sections.figure1_responses},
        ),
        (
            sections.BOUND,
            {"lab_bound": lambda: sections.bound_curve(Setting(), sections.NOISES[0])},
        ),
        (sections.REMOVAL, {"lab_posterior": lambda: sections.posterior_now(LeftOut(Setting()))}),
    ],
    ids=["figure", "bound", "removal"],
)
def test_every_chart_of_the_page_has_a_text(open_lab, view, charts):
    page = open_lab(more=view)
    captions = [c.value for c in page.caption]

    for key, build in {"lab_size": lambda: sections.size_lab(Setting()), **charts}.items():
        meta = drawn(page, key)["layout"]["meta"]
        assert len(meta["alt"]) > 20
        assert meta["caption"] == ""  # below the panel instead, where symbols can be set
        assert with_math(build()["layout"]["meta"]["caption"]) in captions
