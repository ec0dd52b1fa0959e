"""One BLAS thread, and the facts that go into every record."""

import subprocess
import sys
import types
from pathlib import Path

import pytest

from bolt_core.common import paths, runtime
from bolt_core.common.errors import ConfigError


def test_configure_limits_every_pool_and_verifies_it():
    runtime.configure()

    assert runtime.blas_threads() == 1


def test_a_pool_that_cannot_be_limited_is_an_error(monkeypatch):
    monkeypatch.setattr(runtime, "blas_threads", lambda: 2)

    with pytest.raises(ConfigError, match="still uses 2 threads"):
        runtime.configure()


@pytest.mark.long
def test_torch_imported_afterwards_has_one_thread_too():
    script = (
        "from bolt_core.common import runtime; runtime.configure(); import torch; "
        "print(torch.get_num_threads(), runtime.blas_threads())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout

    assert printed.split() == ["1", "1"]


def test_facts_name_the_machine_and_what_runs_on_it():
    facts = runtime.facts()

    assert facts["cpu"]
    assert facts["blas_threads"] == 1
    assert facts["versions"]["numpy"]
    assert facts["commit"] == runtime.COMMIT


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"HEAD": "ref: refs/heads/main", "refs/heads/main": "abc"}, "abc"),
        ({"HEAD": "ref: refs/heads/main", "packed-refs": "# pack\ndef refs/heads/main"}, "def"),
        ({"HEAD": "0123"}, "0123"),
        ({}, None),
    ],
)
def test_the_commit_is_read_from_gits_own_files(tmp_path, files, expected):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")

    assert runtime._commit(tmp_path) == expected


def test_the_commit_of_a_linked_worktree_is_read_from_the_main_checkout(tmp_path):
    linked = tmp_path / "main" / ".git" / "worktrees" / "second"
    branch = tmp_path / "main" / ".git" / "refs" / "heads" / "topic"
    for folder in (linked, branch.parent, tmp_path / "second"):
        folder.mkdir(parents=True)
    (linked / "HEAD").write_text("ref: refs/heads/topic\n")
    (linked / "commondir").write_text("../..\n")
    branch.write_text("abc\n")
    (tmp_path / "second" / ".git").write_text(f"gitdir: {linked}\n")

    assert runtime._commit(tmp_path / "second" / ".git") == "abc"


def test_files_live_where_bolt_home_says(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLT_HOME", str(tmp_path))

    assert paths.runs() == tmp_path / "runs"


def test_without_bolt_home_files_live_in_the_users_data_directory(monkeypatch):
    monkeypatch.delenv("BOLT_HOME")

    assert paths.home().name == "bolt"
    assert paths.home().is_relative_to(Path.home())


def test_a_page_may_be_opened_while_another_thread_imports_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))  # without its functions
    runtime.configure()

    assert runtime.blas_threads() == 1
