"""What git says of the checkout: which commits contain a change."""

import subprocess

import pytest

from bolt_core.common import checkout
from bolt_core.common.errors import ConfigError

HISTORY = ["aaaa", "bbbb", "cccc"]  # oldest first


def git(command, **_):
    """Answer as git does in a checkout with this history."""
    verb, *words = command[3:]
    code = 128
    if verb == "rev-parse":
        code = 0 if words[-1].removesuffix("^{commit}") in HISTORY else 1
    elif verb == "merge-base" and set(words[1:]) <= set(HISTORY):
        ancestor, commit = map(HISTORY.index, words[1:])
        code = 0 if ancestor <= commit else 1
    return subprocess.CompletedProcess(command, code, " M bolt_core/x.py\n", "")


@pytest.fixture
def history(monkeypatch):
    monkeypatch.setattr(subprocess, "run", git)


def test_a_commit_contains_itself_and_what_came_before(history):
    commits = [*HISTORY, None, "dddd", "--all"]

    assert [c for c in commits if checkout.contains(c, "bbbb")] == ["bbbb", "cccc"]


@pytest.mark.parametrize("change", ["dddd", "", "--help", "a b", "x" * 200])
def test_a_commit_that_is_not_here_is_refused(history, change):
    checkout.check_revision("aaaa")
    with pytest.raises(ConfigError, match="no commit"):
        checkout.check_revision(change)


def test_without_git_nothing_is_known(monkeypatch):
    def missing(*_, **__):
        raise FileNotFoundError("git")

    monkeypatch.setattr(subprocess, "run", missing)

    assert not checkout.contains("aaaa", "aaaa")
    assert not checkout.has_uncommitted_changes()
    with pytest.raises(ConfigError):
        checkout.check_revision("aaaa")


def test_changes_are_only_reported_in_a_checkout(history, monkeypatch):
    for commit, changed in (("aaaa", True), (None, False)):
        monkeypatch.setattr(checkout, "COMMIT", commit)
        assert checkout.has_uncommitted_changes() is changed
