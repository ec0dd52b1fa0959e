"""A small file cannot fill memory: what is decompressed has a limit, and so has a line."""

import gzip
import tracemalloc

import pytest

from bolt_core.campaigns import results
from bolt_core.common import bounded_read
from bolt_core.common.errors import RecordError
from bolt_core.store import records
from tests.support.runs import write_run

BOMB = gzip.compress(b"0" * 200_000_000, compresslevel=1)  # 1 MB on disk
MEMORY_BYTES = 70_000_000


@pytest.fixture
def peak():
    """peak(): the most memory that Python held since the start of the test."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


@pytest.mark.parametrize("reader", [records.read, records.read_header])
def test_a_record_that_decompresses_to_one_endless_line_is_refused(tmp_path, reader, peak):
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(BOMB)
    with pytest.raises(RecordError, match=r"bomb\.jsonl\.gz.* 16 MiB"):
        reader(path)

    assert peak() < MEMORY_BYTES


def test_show_refuses_it_with_one_line(tmp_path, bolt, peak):
    (tmp_path / "bomb.jsonl.gz").write_bytes(BOMB)
    code, _, error = bolt("show", tmp_path / "bomb.jsonl.gz")

    assert code == 2
    assert "16 MiB" in error
    assert peak() < MEMORY_BYTES


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_record_with_endless_lines_is_refused(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(bounded_read, "MAX_BYTES", 2**20)
    write_run(tmp_path / "a.jsonl", 5)
    data = (tmp_path / "a.jsonl").read_bytes() + b'{"kind": "event", "name": "x"}\n' * 40_000
    path = tmp_path / f"b.jsonl{suffix}"
    path.write_bytes(gzip.compress(data) if suffix else data)

    with pytest.raises(RecordError, match="more than 1 MiB"):
        records.read(path)


def test_results_that_decompress_to_too_much_are_refused(tmp_path, monkeypatch, peak):
    monkeypatch.setattr(bounded_read, "MAX_BYTES", 2**20)
    (tmp_path / "results.json.gz").write_bytes(BOMB)
    with pytest.raises(RecordError, match="more than 1 MiB"):
        results.load(tmp_path / "results.json.gz")

    assert peak() < MEMORY_BYTES


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_is_within_the_limit_is_read_unchanged(pack):
    assert bounded_read.read_bounded(pack(b"x" * 100), max_bytes=100) == b"x" * 100
    with pytest.raises(OSError, match="more than"):
        bounded_read.read_bounded(pack(b"x" * 101), max_bytes=100)
