"""Directories for data: a per-user data directory, or BOLT_HOME."""

import os
from pathlib import Path

import platformdirs

DATA = Path(__file__).resolve().parents[1] / "data"  # data files of the package itself


def home() -> Path:
    """Return the data directory; it need not exist yet."""
    chosen = os.environ.get("BOLT_HOME")
    return Path(chosen).expanduser() if chosen else platformdirs.user_data_path("bolt", False)


def runs() -> Path:
    """Return the directory of the records of live races."""
    return home() / "runs"


def campaigns() -> Path:
    """Return the directory that holds one directory per campaign."""
    return home() / "campaigns"


def recordings() -> Path:
    """Return the directory of downloaded benchmark data."""
    return home() / "recordings"
