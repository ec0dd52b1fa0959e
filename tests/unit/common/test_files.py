"""Atomic writes, and locks that one process holds and any process can ask about."""

import subprocess
import sys

import pytest

from bolt_core.common import files

HOLD = "import sys; from bolt_core.common import files\nfrom pathlib import Path\n" + (
    "with files.locked(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
)


def test_an_interrupted_write_leaves_the_old_file_and_no_temporary_one(tmp_path, monkeypatch):
    def interrupted(descriptor):
        raise KeyboardInterrupt

    path = tmp_path / "new" / "file"
    files.write_atomically(path, b"old")
    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        files.write_atomically(path, b"half")

    assert [p.name for p in path.parent.iterdir()] == ["file"]
    assert path.read_bytes() == b"old"


def test_a_file_filled_by_the_caller_appears_only_when_complete(tmp_path):
    path = tmp_path / "file"
    with files.atomic_path(path) as temporary:
        temporary.write_bytes(b"first half, ")
        assert not path.exists()
        with temporary.open("ab") as file:
            file.write(b"second half")
    assert path.read_bytes() == b"first half, second half"

    with pytest.raises(UnicodeEncodeError), files.atomic_path(path) as temporary:
        temporary.write_text("half \N{SNOWMAN}", encoding="ascii")
    assert path.read_bytes() == b"first half, second half"
    assert list(tmp_path.iterdir()) == [path]


def test_one_holder_excludes_others_until_it_releases(tmp_path):
    path = tmp_path / "lock"
    with files.locked(path):
        assert files.is_locked(path)
        with pytest.raises(BlockingIOError), files.locked(path, wait_seconds=0.05):
            pass
    assert not files.is_locked(path)
    with files.locked(path):
        pass


def test_asking_creates_nothing_and_two_askers_do_not_see_each_other(tmp_path):
    path = tmp_path / "lock"
    assert not files.is_locked(path)
    assert not path.exists()
    with files.locked(path):
        pass
    with path.open("rb") as asking:
        assert files._try_shared_lock(asking)
        assert not files.is_locked(path)


def test_a_killed_process_releases_its_lock(tmp_path):
    path = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout.readline() == b"held\n"
    assert files.is_locked(path)
    holder.kill()
    holder.communicate()

    assert not files.is_locked(path)


def test_a_file_that_cannot_be_read_is_not_locked(tmp_path):
    assert not files.is_locked(tmp_path / "no" / "such" / "folder")
    assert not files.is_locked(tmp_path)


def test_a_file_system_without_locks_still_works(tmp_path, monkeypatch):
    def unsupported(*_arguments, **_options):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("fcntl.flock", unsupported)
    path = tmp_path / "lock"
    with files.locked(path), files.locked(path), path.open("ab") as file:
        files.lock_record(file, path)
        assert not files.is_locked(path)
