"""Tests of the results file of a campaign."""

import pytest

from bolt_core.campaigns import plan, results
from bolt_core.common.errors import RecordError
from tests.support.reports import invented


def test_results_survive_their_file_and_270_runs_are_small(tmp_path):
    written = invented((*plan.TABLE2, *plan.EXTRA), points=results.POINTS)
    file = tmp_path / "results.json.gz"

    results.save(written, file)

    assert len(written.runs) == 270
    assert results.load(file) == written
    assert file.stat().st_size < 5e6


def test_a_file_that_holds_no_results_is_refused(tmp_path):
    (tmp_path / "x.gz").write_bytes(b"\x1f\x8bnonsense")

    with pytest.raises(RecordError, match="not a campaign's results"):
        results.load(tmp_path / "x.gz")
