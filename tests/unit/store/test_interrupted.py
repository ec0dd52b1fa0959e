"""Imports and deletions that are interrupted are completed by doing them again."""

from pathlib import Path

import pytest

from bolt_core.common.errors import RecordError
from bolt_core.store import importing, trash
from bolt_core.store.library import Library
from tests.support.stored_races import write_race


@pytest.fixture
def interrupt(monkeypatch):
    """interrupt(): the second file that is moved ends the process, once."""
    move = Path.replace

    def arm():
        moved = []

        def replace(path, target):
            moved.append(path)
            if len(moved) == 2:
                monkeypatch.setattr(Path, "replace", move)
                raise KeyboardInterrupt
            return move(path, target)

        monkeypatch.setattr(Path, "replace", replace)

    return arm


def records(library):
    return {path.name: path.read_bytes() for path in library.directory.glob("*.jsonl")}


def exported(library):
    return b"".join(data for _, data in sorted(records(library).items()))


def test_an_interrupted_import_is_completed_by_importing_again(library, tmp_path, interrupt):
    write_race(library, "r1", seeds=3)
    other = Library(tmp_path / "other")
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        importing.import_records(exported(library), other.directory)
    assert len(records(other)) == 1

    assert importing.import_records(exported(library), other.directory) == ["r1"]
    assert records(other) == records(library)


def test_an_interrupted_deletion_is_completed_by_deleting_again(library, interrupt):
    write_race(library, "r1", seeds=3)
    before = records(library)
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        trash.delete(library, "r1")
    assert len(records(library)) == 2

    trash.delete(library, "r1")
    assert records(library) == {}
    trash.restore(library, "r1")
    assert records(library) == before


def test_a_file_with_too_many_runs_or_too_long_a_line_is_refused(library, tmp_path, monkeypatch):
    write_race(library, "r1", seeds=3)
    monkeypatch.setattr(importing, "MAX_RUNS", 2)
    with pytest.raises(RecordError, match="more than 2 runs"):
        importing.import_records(exported(library), tmp_path / "other")
    monkeypatch.setattr(importing, "MAX_LINE_BYTES", 100)
    with pytest.raises(RecordError, match="has a line of"):
        importing.import_records(exported(library), tmp_path / "other")

    assert records(Library(tmp_path / "other")) == {}
