"""The dashboard as `bolt ui` starts it, without `streamlit run`.

Its settings are those of `.streamlit/config.toml`. As in a checkout, a variable of the environment
(`STREAMLIT_...`) wins over the file, and an option of the command over both.
"""

import os
import re
import socket
import sys
import threading
import tomllib
import webbrowser
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
import typer

from bolt_core.common import paths
from bolt_ui.allowed_hosts import is_loopback
from bolt_ui.launch import MIDDLEWARE, lifespan
from bolt_ui.project_files import ENTRY, SETTINGS
from bolt_ui.routes import ROUTES

ALL_ADDRESSES = ("0.0.0.0", "::")


def run(address: str, port: int, *, open_browser: bool) -> None:
    """Serve the dashboard until Ctrl-C."""
    link = f"http://{'localhost' if address in ALL_ADDRESSES else _in_url(address)}:{port}"

    @asynccontextmanager
    async def announced(app: object) -> AsyncIterator[None]:
        """Print where the dashboard is, once it has started, and open it."""
        async with lifespan(app):
            typer.echo(announcement(link, address, port))
            if open_browser and has_display():
                threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
            yield

    app = st.App(ENTRY, lifespan=announced, routes=ROUTES, middleware=MIDDLEWARE)
    app.run(config=settings(address, port))


def settings(
    address: str, port: int, environment: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """Return the settings of the server by their dotted names."""
    file = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    defaults = {k: v for k, v in _flat(file) if _variable(k) not in environment}
    welcome = {"logger.hideWelcomeMessage": True}  # `announcement` is printed in its place
    return defaults | welcome | {"server.address": address, "server.port": port}


def announcement(link: str, address: str, port: int) -> str:
    """Return the link, the data directory, and what it means that others can reach the server."""
    lines = ["", f"  Dashboard:       {link}", f"  Data directory:  {paths.home()}"]
    if not is_loopback(address):
        everywhere = address in ALL_ADDRESSES
        reached = "every address of this machine" if everywhere else f"the address {address}"
        others = f"http://{socket.gethostname() if everywhere else _in_url(address)}:{port}"
        lines += [
            "",
            f"  It listens on {reached}: everyone who can reach it may open",
            f"  {others}, watch all races and start some.",
            "  There are no accounts, and nothing is encrypted: use it only on a network that you",
            "  trust. Only a browser that has opened the operator's link may stop and delete all.",
        ]
    return "\n".join([*lines, "", "  Ctrl-C ends it.", ""])


def has_display() -> bool:
    """Whether a browser can open a window here: on a server it would take over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of nested tables under their dotted names."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _variable(name: str) -> str:
    """Return the environment variable of a setting: server.fileWatcherType, for example."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace(".", "_"))
    return f"STREAMLIT_{words.upper()}"
