"""Which processes of a session are alive."""

import os
from pathlib import Path


def alive_in_session(session):
    """Return the ids of the processes of a session: a campaign's and its workers'."""
    pids = [int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit()]
    return [pid for pid in pids if _is_alive_in(session, pid)]


def _is_alive_in(session, pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return os.getsid(pid) == session and state != "Z"
    except (FileNotFoundError, ProcessLookupError):  # gone before it was opened, or read
        return False
