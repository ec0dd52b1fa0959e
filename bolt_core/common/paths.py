"""Where files live: a per-user data directory, or BOLT_HOME."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

DATA = Path(__file__).resolve().parents[1] / "data"  # what the package itself brings


def home() -> Path:
    """The data directory; it need not exist yet."""
    chosen = os.environ.get("BOLT_HOME")
    return Path(chosen).expanduser() if chosen else platformdirs.user_data_path("bolt", False)


def runs() -> Path:
    return home() / "runs"


def campaigns() -> Path:
    return home() / "campaigns"


def recordings() -> Path:
    """Downloaded data of benchmarks."""
    return home() / "recordings"
