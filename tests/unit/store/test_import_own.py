"""Imports of files that `opt.save` wrote."""

import pytest

from bolt_core.common.errors import RecordError
from bolt_core.online.optimizer import Bolt
from bolt_core.store import importing
from bolt_core.store.library import Library


@pytest.fixture
def opt():
    return Bolt(bounds=[(0.0, 5.0)], warmup=3, name="kiln")


def test_a_file_without_a_measurement_is_refused(opt, tmp_path):
    opt.save(tmp_path / "kiln.jsonl")
    with pytest.raises(RecordError, match="no measurement"):
        importing.import_records((tmp_path / "kiln.jsonl").read_bytes(), tmp_path / "runs")

    assert Library(tmp_path / "runs").races() == []


def test_a_file_that_is_here_already_brings_no_new_record(opt, tmp_path):
    opt.tell(opt.ask(0.0), 0.0, 1.0)
    opt.save(tmp_path / "kiln.jsonl")
    data = (tmp_path / "kiln.jsonl").read_bytes()
    first = importing.store_records(data, tmp_path / "runs")
    again = importing.store_records(data, tmp_path / "runs")

    assert (first.new_records, again.new_records) == (1, 0)
    assert first.race_ids == again.race_ids
