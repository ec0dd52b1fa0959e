"""`bolt ui`: start the dashboard. Streamlit is imported when it starts, not before."""

import os
from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from bolt_core.common.errors import ConfigError
from bolt_ui import readiness

VARIABLES = {
    "home": "BOLT_HOME",
    "shared": "BOLT_SHARED",
    "admin_token": "BOLT_ADMIN_TOKEN",
    "allowed_hosts": "BOLT_ALLOWED_HOSTS",
}


def ui(
    port: Annotated[
        int, Option(min=1, max=readiness.LAST_PORT, help="Where the server listens.")
    ] = readiness.DEFAULT_PORT,
    address: Annotated[
        str, Option(help="localhost: this machine only. 0.0.0.0: every machine of the network.")
    ] = readiness.DEFAULT_ADDRESS,
    home: Annotated[
        Path | None, Option(envvar=VARIABLES["home"], help="The data directory.")
    ] = None,
    shared: Annotated[
        bool, Option("--shared", help="Let every visitor change every stored race.")
    ] = False,
    admin_token: Annotated[
        str | None,
        Option(
            envvar=VARIABLES["admin_token"],
            help="The operator's token. Other users of this machine can see options, but not the "
            "variable.",
        ),
    ] = None,
    allowed_hosts: Annotated[
        str | None,
        Option(
            envvar=VARIABLES["allowed_hosts"],
            help="Further names of this server, separated by commas, as behind a proxy.",
        ),
    ] = None,
    browser: Annotated[
        bool, Option("--browser/--no-browser", help="Open the dashboard in the browser.")
    ] = True,
) -> None:
    """Start the dashboard and open it in the browser; Ctrl-C ends it."""
    if allowed_hosts and ("/" in allowed_hosts or " " in allowed_hosts.strip()):
        raise ConfigError(
            f"--allowed-hosts takes names separated by commas, such as a.example,b.example; "
            f"got {allowed_hosts!r}"
        )
    choices = {
        "home": str(home) if home else None,
        "shared": "1" if shared else None,
        "admin_token": admin_token,
        "allowed_hosts": allowed_hosts,
    }
    for name, value in choices.items():
        if value:
            os.environ[VARIABLES[name]] = value
    if problem := readiness.start_problem(address, port):
        raise ConfigError(f"the dashboard cannot start: {problem}")
    typer.echo("Starting the dashboard ...")
    from bolt_ui import dashboard  # imports Streamlit

    dashboard.run(address, port, open_browser=browser)
