"""Records whose words are numbers and whose numbers are none: refused, and the list goes on."""

import json

import pytest

from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import RunStatus
from bolt_core.live.resume import take_up
from bolt_core.store import importing
from bolt_core.store.library import Library
from tests.support.helpers import write


@pytest.fixture
def lines(tmp_path):
    write(tmp_path / "a.jsonl", 20, status=RunStatus.STOPPED)
    return [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]


def as_file(lines):
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.mark.parametrize(
    ("where", "name", "value", "words"),
    [
        ("header", "place", float("inf"), "torn or not JSON|is not a BOLT record|whole number"),
        ("header", "place", "x", "place must be a whole number"),
        ("header", "horizon", "abc", "horizon must be a finite number"),
        ("config", "algorithm", ["x"], "algorithm must be a word"),
        ("config", "benchmark", 3, "benchmark must be a word"),
        ("config", "seed", 1.5, "seed must be a whole number"),
    ],
)
def test_a_header_of_the_wrong_kind_is_refused(lines, tmp_path, where, name, value, words):
    header = lines[0] if where == "header" else lines[0]["config"]
    header[name] = value
    with pytest.raises(RecordError, match=words):
        importing.import_records(as_file(lines), tmp_path / "runs")

    assert Library(tmp_path / "runs").races() == []


@pytest.mark.parametrize("y", [float("nan"), float("inf")])
def test_a_pass_without_a_number_is_refused(lines, tmp_path, y):
    lines[1]["y"] = y
    with pytest.raises(RecordError, match="line 2"):
        importing.import_records(as_file(lines), tmp_path / "runs")


@pytest.mark.parametrize("summary", [[1], {"iterations": "x"}, {"iterations": 3, "n": "y"}, 7])
def test_a_strange_summary_counts_as_none(lines, tmp_path, summary):
    lines[-1]["summary"] = summary
    importing.import_records(as_file(lines), tmp_path / "runs")

    assert Library(tmp_path / "runs").races()[0].runs[0].summary == {}


def test_a_record_without_a_state_is_never_cut(lines, tmp_path):
    lines[0]["started"] = "2026-01-01T00:00:00+00:00"  # not a run killed in its first second
    whole = as_file([line for line in lines if line["kind"] != "state"])
    (race_id,) = importing.import_records(whole, tmp_path / "runs")
    with pytest.raises(ConfigError, match="no saved state"):
        take_up(race_id, tmp_path / "runs")

    assert next((tmp_path / "runs").glob("*.jsonl")).read_bytes() == whole


def test_a_record_that_names_a_file_does_not_go_on(lines, tmp_path):
    lines[0]["config"]["options"] = {"path": "/dev/zero"}
    (race_id,) = importing.import_records(as_file(lines), tmp_path / "runs")
    with pytest.raises(ConfigError, match="own data file"):
        take_up(race_id, tmp_path / "runs")
