"""Directories for data: a per-user data directory, or BOLT_HOME."""

import os
from pathlib import Path
from tempfile import TemporaryFile

from bolt_core.common.packages import require

DATA = Path(__file__).resolve().parents[1] / "data"  # data files of the package itself


def home() -> Path:
    """Return the data directory; it need not exist yet."""
    if chosen := os.environ.get("BOLT_HOME"):
        return Path(chosen).expanduser()
    require("the data directory, unless BOLT_HOME names one,", "platformdirs")
    import platformdirs

    return platformdirs.user_data_path("bolt", False)


def home_problem() -> str | None:
    """Return why nothing can be written to the data directory, or None. It is not created."""
    directory = home()
    existing = next(path for path in (directory, *directory.absolute().parents) if path.exists())
    try:
        with TemporaryFile(dir=existing):
            return None
    except OSError as problem:
        reason = problem.strerror or str(problem)
        return (
            f"cannot write to the data directory {directory} ({reason}); set BOLT_HOME to another"
        )


def runs() -> Path:
    """Return the directory of the records of live races."""
    return home() / "runs"


def campaigns() -> Path:
    """Return the directory that holds one directory per campaign."""
    return home() / "campaigns"


def recordings() -> Path:
    """Return the directory of downloaded benchmark data."""
    return home() / "recordings"


def problems() -> Path:
    """Return the directory that holds one directory per problem of the users' own."""
    return home() / "problems"


def twins() -> Path:
    """Return the directory of the twins of logs."""
    return home() / "twins"
