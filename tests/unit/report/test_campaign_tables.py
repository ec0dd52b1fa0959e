"""The Scoreboard's tables and charts: what is printed, how it is marked, what stands beside it."""

import pytest

from bolt_core.charts.chart_registry import inked
from bolt_core.report import campaign_charts, campaign_tables
from bolt_core.report.model.cases import Cases
from tests.support.arena import valid
from tests.support.scoreboards import results

LOST = {
    "eggholder": {"gpucb": 500.0, "w-dbo": 277.0, "bolt": 131.0},
    "griewank": {"gpucb": 130.0, "w-dbo": 120.0, "bolt": 121.0},
}


@pytest.fixture
def cases():
    return Cases(results(LOST))


def cell(table, row, name):
    at = [column["name"] for column in table["columns"]].index(name)
    found = next(r for r in table["rows"] if r["cells"][0]["text"].startswith(row))
    return found["cells"][at]


def test_the_papers_value_and_the_difference_stand_below_ours(cases):
    table = campaign_tables.table2(cases)

    # the paper's Eggholder: BOLT 262, W-DBO 277; ours here are half of it, and the same
    assert cell(table, "Eggholder", "BOLT")["beside"] == "262 ± 7.1, \N{MINUS SIGN}50 %"
    assert cell(table, "Eggholder", "W-DBO")["beside"].endswith(", 0 %")


def test_the_best_is_bold_and_who_meets_it_underlined(cases):
    table = campaign_tables.table2(cases)

    assert cell(table, "Eggholder", "BOLT")["mark"] == "best"
    assert cell(table, "Eggholder", "GPUCB")["mark"] == ""
    assert cell(table, "Griewank", "W-DBO")["mark"] == "best"
    assert cell(table, "Griewank", "BOLT")["mark"] == "overlap"


def test_a_row_that_cannot_be_compared_says_so_and_states_no_difference(cases):
    table = campaign_tables.table2(cases)
    row = next(r for r in table["rows"] if r["cells"][0]["text"].startswith("Griewank"))

    assert row["cells"][0]["beside"] == "not comparable"
    assert cell(table, "Griewank", "BOLT")["beside"] == "0.58 ± 0.02"
    assert any("Griewank" in note for note in campaign_tables.notes(cases))


def test_beside_runs_that_were_cut_short_the_paper_is_silent():
    table = campaign_tables.table2(Cases(results(LOST, horizon=60.0)))

    assert {c["beside"] for row in table["rows"] for c in row["cells"]} == {""}


def test_a_cell_without_runs_cannot_be_pressed(cases):
    one = {"eggholder": LOST["eggholder"], "powell": {"bolt": 500.0}}
    table = campaign_tables.table2(Cases(results(one)))

    assert cell(table, "Eggholder", "BOLT")["press"] == "eggholder/bolt"
    assert "press" not in cell(table, "Powell", "GPUCB")
    assert cell(table, "Powell", "GPUCB")["text"] == "\N{EN DASH}"
    assert campaign_tables.cell_of("eggholder/bolt", cases) == ("eggholder", "bolt")
    assert campaign_tables.cell_of("eggholder/abo", cases) is None
    assert campaign_tables.cell_of(None, cases) is None


def test_ranks_come_with_the_best_first_and_their_keys(cases):
    table = campaign_tables.standings(cases)

    assert [row["key"] for row in table["rows"]] == ["bolt", "w-dbo", "gpucb"]
    assert [row["cells"][2] for row in table["rows"]] == ["1.5", "1.5", "3.0"]


def test_a_pair_has_its_interval_below_and_is_bold_when_that_lies_below_zero(cases):
    table = campaign_tables.pairs(cases)
    clear, close = cell(table, "Eggholder", "GPUCB"), cell(table, "Griewank", "W-DBO")

    assert clear["text"] == "\N{MINUS SIGN}369"
    assert clear["beside"].startswith("[\N{MINUS SIGN}37")
    assert (clear["mark"], close["mark"]) == ("best", "worse")  # on every seed


def test_without_bolt_there_are_no_pairs():
    lone = Cases(results({"eggholder": {"gpucb": 1.0}}))

    assert campaign_tables.pairs(lone)["kind"] == "text"
    assert campaign_charts.pairs(lone, "eggholder")["kind"] == "text"


@pytest.mark.parametrize("seeds", [1, 2, 10])
@pytest.mark.parametrize("name", ["regret", "sizes", "response", "pairs"])
def test_every_chart_of_a_benchmark_is_plotlys_whatever_the_seeds(name, seeds):
    chart = getattr(campaign_charts, name)(Cases(results(LOST, seeds)), "eggholder")

    assert valid(chart)["kind"] == "plot"
    assert {"bolt", "gpucb"} & set(inked(chart)["inks"])


def test_every_seed_is_there_as_a_dot_or_a_faint_line(cases):
    found = campaign_charts.response(cases, "eggholder")["data"]
    dots = next(t for t in found if t["meta"] == "bolt" and len(t["x"]) == 3)
    lines = next(
        t for t in campaign_charts.regret(cases, "eggholder")["data"] if t["name"] == "BOLT, seeds"
    )

    assert sorted(dots["y"]) == pytest.approx([129.69, 131.0, 132.31])
    assert lines["x"].count(None) == 3


def test_figure_2_needs_a_benchmark_with_everybody_and_sets_the_paper_beside(cases):
    chart = valid(campaign_charts.figure2(cases))
    bars = {t["name"]: t["y"] for t in chart["data"] if t["type"] == "bar"}

    assert bars["GPUCB"] == [1.0]
    assert bars["BOLT"] == [pytest.approx(0.05, abs=1e-4)]  # 0 on Eggholder, 0.1 on Griewank
    assert len(bars["the paper"]) == 3
    lonely = {"eggholder": {"gpucb": 1.0}, "powell": {"bolt": 1.0}}
    assert campaign_charts.figure2(Cases(results(lonely)))["kind"] == "text"


def test_the_seeds_of_a_cell_are_listed_and_drawn(cases):
    runs = cases.of("eggholder", "bolt")

    assert [row["cells"][:2] for row in valid(campaign_tables.seeds(runs))["rows"]] == [
        ["0", "130"], ["1", "131"], ["2", "132"],
    ]  # fmt: skip
    for what in ("regret", "size"):
        assert [t["name"] for t in valid(campaign_charts.of_cell(runs, what))["data"]] == [
            "seed 0", "seed 1", "seed 2",
        ]  # fmt: skip


def test_a_regret_of_zero_or_below_is_drawn_on_a_plain_axis():
    chart = campaign_charts.response(
        Cases(results({"eggholder": {"bolt": 0.0, "gpucb": -1.0}})), "eggholder"
    )

    assert "type" not in valid(chart)["layout"]["yaxis"]
