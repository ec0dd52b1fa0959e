"""Whether the dashboard can start here: packages, data directory, port; without Streamlit."""

import errno
import os
import socket
from importlib.metadata import version

from bolt_core.common import packages, paths

MODULES = ("streamlit", "plotly")  # what the dashboard needs besides the core
DEFAULT_ADDRESS, DEFAULT_PORT = "localhost", 8501
LAST_PORT = 65_535
PORTS_TRIED = 20  # above one in use, to suggest one that is free


def facts() -> dict[str, str]:
    """Return the lines of `bolt doctor` about the dashboard."""
    if problem := start_problem(DEFAULT_ADDRESS, DEFAULT_PORT):
        return {"dashboard": f"cannot start: {problem}"}
    installed = ", ".join(f"{name} {version(name)}" for name in MODULES)
    return {
        "dashboard": f"`bolt ui` can start it ({installed}; port {DEFAULT_PORT} is free; the data "
        "directory is writable; any browser will do)"
    }


def start_problem(address: str, port: int) -> str | None:
    """Return why the dashboard cannot start, with the remedy; None if it can."""
    if names := packages.missing(*MODULES):
        return f"it needs {' and '.join(names)}; {packages.how_to_install(names)}"
    return paths.home_problem() or port_problem(address, port)


def port_problem(address: str, port: int) -> str | None:
    """Return why a server cannot listen there, with the remedy; None if it can."""
    problem = _bind_problem(address, port)
    if problem is None:
        return None
    if problem.errno == errno.EADDRINUSE:
        return f"port {port} is in use, perhaps by another dashboard; {_other_port(address, port)}"
    if problem.errno == errno.EACCES:
        return f"this user may not listen on port {port}; choose one above 1023 with --port"
    return (
        f"cannot listen on the address {address!r} ({problem.strerror or problem}); give "
        "localhost, 0.0.0.0 (all addresses), or an address of this machine"
    )


def _other_port(address: str, port: int) -> str:
    candidates = range(port + 1, min(port + PORTS_TRIED, LAST_PORT) + 1)
    free = next((other for other in candidates if _bind_problem(address, other) is None), None)
    choice = "choose another with --port" if free is None else f"try: bolt ui --port {free}"
    return f"stop that program, or {choice}"


def _bind_problem(address: str, port: int) -> OSError | None:
    try:
        family, kind, _, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            if os.name == "posix":  # a port that was in use a moment ago can be used again
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except (OSError, UnicodeError) as problem:  # UnicodeError: not a host name
        return problem if isinstance(problem, OSError) else OSError(str(problem))
    return None
