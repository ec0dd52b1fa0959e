"""Questions about the checkout that the code runs from, answered by the command `git`."""

import re
import subprocess

from bolt_core.common.errors import ConfigError
from bolt_core.common.runtime import CHECKOUT, COMMIT

GIT_SECONDS = 20.0
REVISION = re.compile(r"[0-9A-Za-z][0-9A-Za-z._/~^-]{0,99}")  # never an option of git


def has_uncommitted_changes() -> bool:
    """Whether files of the package differ from the commit; False where git cannot tell."""
    return bool(COMMIT and _git("status", "--porcelain", "--", "bolt_core").stdout.strip())


def contains(commit: str | None, change: str) -> bool:
    """Whether a commit is `change` or came after it; False for a commit that is not known here."""
    if commit is None or not REVISION.fullmatch(commit):
        return False
    return _git("merge-base", "--is-ancestor", change, commit).returncode == 0


def check_revision(change: str) -> None:
    """Raise a ConfigError unless the checkout has that commit."""
    if (
        not REVISION.fullmatch(change)
        or _git("rev-parse", "--verify", "--quiet", f"{change}^{{commit}}").returncode
    ):
        raise ConfigError(
            f"there is no commit {change!r} here; give one of `git log` in the checkout that BOLT "
            "runs from"
        )


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of git in the checkout; outside of one, and without git, it fails."""
    command = ["git", "-C", str(CHECKOUT), *words]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=GIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return subprocess.CompletedProcess(command, 127, "", "")
