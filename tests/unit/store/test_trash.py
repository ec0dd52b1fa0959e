"""Races are moved to the trash, restored, and deleted for good after a day."""

import os

import pytest

from bolt_core.common.errors import RecordError
from bolt_core.store import trash
from tests.support.stored_races import write_race


def test_a_deleted_race_is_restored_byte_for_byte(library):
    write_race(library, "r1")
    before = {p.name: p.read_bytes() for p in library.directory.glob("*.jsonl")}
    trash.delete(library, "r1")
    assert library.find("r1") is None
    trash.restore(library, "r1")

    assert {p.name: p.read_bytes() for p in library.directory.glob("*.jsonl")} == before
    with pytest.raises(RecordError, match="cannot be restored"):
        trash.restore(library, "r1")


@pytest.mark.parametrize("race_id", ["../r1", "..", "/tmp/x", "a/b"])
def test_an_id_that_is_a_path_moves_nothing(library, tmp_path, race_id):
    write_race(library, "r1")
    for path in library.directory.glob("*.jsonl"):
        path.write_text(path.read_text().replace('"race_id": "r1"', f'"race_id": "{race_id}"'))
    before = sorted(tmp_path.rglob("*"))
    for act in (trash.delete, trash.restore):
        with pytest.raises(RecordError, match="not a valid id"):
            act(library, race_id)

    assert sorted(tmp_path.rglob("*")) == before
    assert all(race.broken and not race.runs for race in library.races())
    for race in library.races():
        trash.delete(library, race.race_id)
    assert library.races() == []


def test_restoring_moves_all_files_or_none(library):
    write_race(library, "r1")
    trash.delete(library, "r1")
    (library.directory / "r1-1.jsonl").write_text("another")
    with pytest.raises(RecordError, match="exists again"):
        trash.restore(library, "r1")

    assert len(list((library.directory / "trash" / "r1").iterdir())) == 2


def test_deleting_an_unknown_race_is_an_error(library):
    with pytest.raises(RecordError, match="r9"):
        trash.delete(library, "r9")


def test_the_trash_is_emptied_after_a_day(library):
    write_race(library, "r1")
    trash.delete(library, "r1")
    stamp = (library.directory / "trash" / "r1").stat().st_mtime

    assert trash.empty_trash(library.directory, stamp + 3600) == 0
    assert trash.empty_trash(library.directory, stamp + 90_000) == 1
    with pytest.raises(RecordError):
        trash.restore(library, "r1")


def test_a_deletion_that_was_cut_off_is_undone_at_the_next_start(library):
    write_race(library, "r1")
    before = {p.name: p.read_bytes() for p in library.directory.glob("*.jsonl")}
    half = library.directory / "trash" / "r1"
    half.mkdir(parents=True)
    first = sorted(library.directory.glob("*.jsonl"))[0]
    first.replace(half / first.name)
    stamp = half.stat().st_mtime
    trash.tidy(library, stamp + 1)
    assert half.is_dir()
    trash.tidy(library, stamp + 61)

    assert {p.name: p.read_bytes() for p in library.directory.glob("*.jsonl")} == before
    assert not half.exists()


def test_tidying_leaves_recent_deletions_and_removes_old_ones(library):
    for race_id in ("r1", "r2"):
        write_race(library, race_id)
        trash.delete(library, race_id)
    stamp = (library.directory / "trash" / "r1").stat().st_mtime
    os.utime(library.directory / "trash" / "r2", (0, 0))
    trash.tidy(library, stamp + 3600)

    assert [path.name for path in (library.directory / "trash").iterdir()] == ["r1"]
    assert library.races() == []


def test_the_races_in_the_trash_are_listed_the_last_deleted_first(library):
    for race_id, stamp in (("r1", 10.0), ("r2", 20.0)):
        write_race(library, race_id)
        trash.delete(library, race_id)
        os.utime(library.directory / "trash" / race_id, (stamp, stamp))

    assert [race.race_id for race in trash.deleted(library)] == ["r2", "r1"]
    trash.restore(library, "r2")
    assert [race.race_id for race in trash.deleted(library)] == ["r1"]
