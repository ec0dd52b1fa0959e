"""Tests of a campaign's tables: values, marks, what stands beside them, and the browser's form."""

import pytest

from bolt_core.report import campaign_tables
from bolt_core.report.builders import pairs
from bolt_core.report.campaign_tables import for_browser
from bolt_core.report.model.cases import Cases
from tests.support.scoreboards import results

LOST = {
    "eggholder": {"gpucb": 500.0, "w-dbo": 277.0, "bolt": 131.0},
    "griewank": {"gpucb": 130.0, "w-dbo": 120.0, "bolt": 121.0},
}


@pytest.fixture
def cases():
    return Cases(results(LOST))


def table2(cases):
    return for_browser(campaign_tables.table2(cases), "")


def cell(table, row, name):
    at = [column["name"] for column in table["columns"]].index(name)
    chosen = next(r for r in table["rows"] if r["cells"][0]["text"].startswith(row))
    return chosen["cells"][at]


def test_the_papers_value_and_the_difference_stand_below_ours(cases):
    table = table2(cases)

    # the paper's Eggholder: BOLT 262, W-DBO 277; ours here are half of it, and the same
    assert cell(table, "Eggholder", "BOLT")["beside"] == "262 ± 7.1, \N{MINUS SIGN}50 %"
    assert cell(table, "Eggholder", "W-DBO")["beside"].endswith(", 0 %")


def test_the_lowest_is_bold_and_overlapping_values_are_underlined(cases):
    table = table2(cases)

    assert cell(table, "Eggholder", "BOLT")["mark"] == "best"
    assert cell(table, "Eggholder", "GPUCB")["mark"] == ""
    assert cell(table, "Griewank", "W-DBO")["mark"] == "best"
    assert cell(table, "Griewank", "BOLT")["mark"] == "overlap"


def test_a_row_that_cannot_be_compared_is_marked_and_has_no_difference(cases):
    table = table2(cases)
    row = next(r for r in table["rows"] if r["cells"][0]["text"].startswith("Griewank"))

    assert row["cells"][0]["beside"] == "not comparable"
    assert cell(table, "Griewank", "BOLT")["beside"] == "0.58 ± 0.02"


def test_runs_that_were_cut_short_have_no_value_of_the_paper_beside_them():
    table = table2(Cases(results(LOST, horizon=60.0)))

    assert {c["beside"] for row in table["rows"] for c in row["cells"]} == {""}


def test_a_cell_without_runs_has_no_link(cases):
    one = {"eggholder": LOST["eggholder"], "powell": {"bolt": 500.0}}
    table = table2(Cases(results(one)))

    assert cell(table, "Eggholder", "BOLT")["press"] == "eggholder/bolt"
    assert "press" not in cell(table, "Powell", "GPUCB")
    assert cell(table, "Powell", "GPUCB")["text"] == "\N{EN DASH}"
    assert campaign_tables.linked_cell("eggholder/bolt", cases) == ("eggholder", "bolt")
    assert campaign_tables.linked_cell("eggholder/abo", cases) is None
    assert campaign_tables.linked_cell(None, cases) is None


def test_standings_come_with_the_best_first_and_the_keys_of_the_algorithms(cases):
    rows = for_browser(campaign_tables.standings(cases), "")["rows"]

    assert [row["key"] for row in rows] == ["bolt", "w-dbo", "gpucb"]
    assert [row["cells"][0] for row in rows] == ["BOLT", "W-DBO", "GPUCB"]
    assert [row["cells"][2]["text"] for row in rows] == ["1.50", "1.50", "3.00"]


def test_equal_algorithms_are_all_counted_as_first():
    table = campaign_tables.standings(
        Cases(results({"eggholder": {"bolt": 1.0, "w-dbo": 1.0, "gpucb": 2.0}}))
    )

    assert {row[0].text: row[3].text for row in table.rows} == {
        "BOLT": "1", "W-DBO": "1", "GPUCB": "0",
    }  # fmt: skip


def test_a_difference_has_its_interval_below_and_is_marked_by_its_sign():
    cases = Cases(results(LOST, seeds=5))
    table = for_browser(pairs.against(cases).tables[1], "")
    clear, close = cell(table, "Eggholder", "GPUCB"), cell(table, "Griewank", "W-DBO")

    assert clear["text"] == "\N{MINUS SIGN}369"
    assert clear["beside"].startswith("[\N{MINUS SIGN}37")
    assert (clear["mark"], close["mark"]) == ("best", "worse")  # on every seed


def test_hyphens_in_names_are_no_minus_signs():
    table = campaign_tables.plain_table(("benchmark", "algorithm"), [("Shekel", "W-DBO")])

    assert for_browser(table, "")["rows"][0]["cells"][1]["text"] == "W-DBO"


def test_the_seeds_of_a_cell_are_listed(cases):
    table = for_browser(campaign_tables.seeds(cases.runs("eggholder", "bolt")), "a caption")

    assert [[c["text"] for c in row["cells"][:2]] for row in table["rows"]] == [
        ["0", "130"], ["1", "131"], ["2", "132"],
    ]  # fmt: skip
    assert table["caption"] == "a caption"
    assert table["alt"]
