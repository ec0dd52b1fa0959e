"""What killed processes left is removed at the next start, and nothing else."""

import os
import tempfile
from datetime import UTC, datetime

import pytest

from bolt_core.common import files
from bolt_core.store import sweep as sweeping
from bolt_core.store.sweep import sweep

NOW = datetime.now(UTC).timestamp()
OURS = [".import-0123456789abcdef.part", ".names.json.01234567.part"]
OTHERS = ["a.jsonl", ".import-x.part", "b.part", ".hidden", "names.json"]


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(folder))
    return folder


def old(path):
    os.utime(path, (NOW - 2 * sweeping.LEFT_ALONE_SECONDS,) * 2)


def test_only_old_files_of_ours_are_removed(tmp_path, temporary):
    for name in OURS + OTHERS:
        (tmp_path / name).write_text("x")
        old(tmp_path / name)
    young = tmp_path / ".import-fedcba9876543210.part"
    young.write_text("x")

    assert sweep(tmp_path, NOW) == len(OURS)
    assert {path.name for path in tmp_path.iterdir()} == {*OTHERS, young.name, "tmp"}


def test_a_folder_of_a_killed_worker_is_removed_unless_it_is_in_use(tmp_path, temporary):
    names = ["bolt-run-dead", "bolt-run-busy", "bolt-run-foreign", "bolt-mine"]
    for name in names:
        (temporary / name).mkdir()
        (temporary / name / sweeping.WORKER_RECORD).write_text("x")
    (temporary / "bolt-run-foreign" / "thesis.tex").write_text("x")
    for name in names:
        old(temporary / name)
    with (temporary / "bolt-run-busy" / sweeping.WORKER_RECORD).open("ab") as file:
        files.lock_record(file, temporary)
        assert sweep(tmp_path, NOW) == 1

    assert {path.name for path in temporary.iterdir()} == set(names[1:])
