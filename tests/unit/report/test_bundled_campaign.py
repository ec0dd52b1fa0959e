"""The campaign that comes with BOLT: its page, and a report that cannot drift from its results.

Whatever is not committed yet is made up here, so that the same lines hold before and after.
"""

import json

import pytest

from bolt_core.campaigns import results
from bolt_core.report import campaign_charts, campaign_tables
from bolt_core.report.model.cases import Cases
from tests.support.project import ROOT
from tests.support.reports import invented

REPORT = ROOT / "reports" / "paper-quick"
FEW = 5e6  # bytes


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The committed results, or made-up ones of the same shape."""
    if results.BUNDLED.exists():
        return results.BUNDLED
    file = tmp_path_factory.mktemp("bundled") / results.FILE
    results.save(invented(points=results.POINTS), file)
    return file


def test_the_scoreboard_draws_it(stored):
    cases = Cases(results.load(stored))
    boards = [
        make(cases, b)
        for b in cases.benchmarks
        for make in (campaign_charts.regret, campaign_charts.sizes)
    ]
    boards += [
        make(cases, b)
        for b in cases.benchmarks
        for make in (campaign_charts.response, campaign_charts.pairs)
    ]
    shown = [
        campaign_tables.table2(cases),
        campaign_tables.standings(cases),
        campaign_tables.pairs(cases),
    ]

    assert {chart["kind"] for chart in boards} <= {"plot", "text"}
    json.dumps([*boards, *shown, campaign_charts.figure2(cases)], allow_nan=False)
    assert stored.stat().st_size < FEW


def test_the_committed_report_is_what_the_command_makes(stored, bolt, tmp_path):
    code, _, told = bolt("campaign", "report", "--from", stored, "--out", tmp_path / "again")
    made = {f.relative_to(tmp_path / "again") for f in (tmp_path / "again").rglob("*.*")}
    committed = {f.relative_to(REPORT) for f in REPORT.rglob("*.*")}

    assert (code, told) == (0, "")
    assert REPORT.exists() == results.BUNDLED.exists(), "results and report are committed together"
    assert not committed or committed == made
    for name in committed:
        assert (REPORT / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name
    assert sum((tmp_path / "again" / name).stat().st_size for name in made) < FEW


def test_the_command_a_report_names_needs_no_records(stored, bolt, tmp_path, monkeypatch):
    monkeypatch.setattr(results, "BUNDLED", stored)
    name = results.load(stored).name
    code, _, told = bolt(
        "campaign", "report", name, "--only", "table-2", "--format", "md", "--out", tmp_path
    )

    assert code == 0
    assert "comes with BOLT" in told
    assert "## Table 2" in (tmp_path / "table-2.md").read_text()
