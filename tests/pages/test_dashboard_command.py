"""`bolt ui`: what it sets, prints and refuses, and a server that it starts."""

import contextlib
import errno
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
import streamlit as st
from streamlit import config as streamlit_config

from bolt_core.common import paths
from bolt_ui import command, dashboard, project_files, readiness
from tests.support.project import ROOT
from tests.support.wording import in_order, in_text

START_SECONDS = 90  # on a busy machine


@pytest.fixture
def started(monkeypatch):
    """What `bolt ui` would start: the arguments of dashboard.run, and the environment by then."""
    calls = []

    def run(address, port, *, open_browser):
        names = command.VARIABLES.values()
        environment = {name: os.environ[name] for name in names if name in os.environ}
        calls.append((address, port, open_browser, environment))

    monkeypatch.setattr(dashboard, "run", run)
    for name in command.VARIABLES.values():
        monkeypatch.setenv(name, "")  # restored at the end, also where the command sets it
    return calls


@pytest.fixture
def used_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_options_reach_the_server(bolt, started, tmp_path, free_port):
    options = ["--shared", "--admin-token", "secret", "--allowed-hosts", "a.example,b.example"]
    code, _, err = bolt("ui", "--port", free_port, "--home", tmp_path, "--no-browser", *options)

    assert (code, err) == (0, "")
    address, port, opens, environment = started[0]
    assert (address, port, opens) == ("localhost", free_port, False)
    assert environment == {
        "BOLT_HOME": str(tmp_path),
        "BOLT_SHARED": "1",
        "BOLT_ADMIN_TOKEN": "secret",
        "BOLT_ALLOWED_HOSTS": "a.example,b.example",
    }


def test_a_port_in_use_is_named_with_one_that_is_free(bolt, started, used_port):
    code, _, err = bolt("ui", "--port", used_port, "--address", "127.0.0.1", "--no-browser")

    assert code == 2
    assert started == []
    assert f"port {used_port} " in err
    suggested = int(re.search(r"bolt ui --port (\d+)", err)[1])
    assert readiness.port_problem("127.0.0.1", suggested) is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--address", "not an address"], ["'not an address'", "0.0.0.0"]),
        (["--address", "192.0.2.1"], ["'192.0.2.1'", "localhost"]),
        (["--home", str(ROOT / "LICENSE")], ["LICENSE", "BOLT_HOME"]),
        (["--allowed-hosts", "https://a.example"], ["--allowed-hosts", "https://a.example"]),
        (["--port", "70000"], ["--port", "70000"]),
    ],
)
def test_what_cannot_be_used_is_named_with_the_remedy(bolt, started, free_port, options, words):
    code, _, err = bolt("ui", "--port", free_port, *options)

    assert (code, started) == (2, [])
    assert len(err.strip().splitlines()) == 1
    assert all(word in err for word in words)


def test_a_port_for_the_administrator_is_named(monkeypatch):
    refusal = OSError(errno.EACCES, "Permission denied")
    monkeypatch.setattr(readiness, "_bind_problem", lambda *_: refusal)

    assert in_order(readiness.port_problem("localhost", 80), "port 80", "above 1023", "--port")


def test_its_settings_are_those_of_a_checkout():
    values = dashboard.settings("localhost", 8501, {})
    names = [name for name in values if name != "logger.hideWelcomeMessage"]

    assert len(names) > 20
    assert values["theme.light.primaryColor"] == st.get_option("theme.light.primaryColor")
    read_by_streamlit = {name: st.get_option(name) for name in names}
    assert {name: values[name] for name in names} == read_by_streamlit


def test_a_variable_of_streamlit_wins_over_the_file():
    options = streamlit_config._config_options_template
    names = [name for name in dashboard.settings("localhost", 1, {}) if "." in name]

    assert [dashboard._variable(name) for name in names] == [options[n].env_var for n in names]
    chosen = dashboard.settings("localhost", 8501, {"STREAMLIT_CLIENT_TOOLBAR_MODE": "minimal"})
    assert "client.toolbarMode" not in chosen


def test_a_server_that_others_can_reach_says_so():
    alone = dashboard.announcement("http://localhost:1", "localhost", 1)
    reachable = dashboard.announcement("http://localhost:1", "0.0.0.0", 1)

    for text in (alone, reachable):
        assert in_text(text, "http://localhost:1", str(paths.home()))
    assert "network" not in alone
    assert in_text(reachable, socket.gethostname(), "no accounts", "network", "operator")


def test_without_a_display_no_browser_is_opened(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not dashboard.has_display()

    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert dashboard.has_display()


def test_folders_of_the_wheel_are_preferred(monkeypatch, tmp_path):
    (tmp_path / "bolt_ui" / "page_files").mkdir(parents=True)
    (tmp_path / "pages").mkdir()
    monkeypatch.setattr(project_files, "PACKAGE", tmp_path / "bolt_ui")

    assert project_files._folder("page_files", "pages") == tmp_path / "bolt_ui" / "page_files"
    assert project_files._folder("doc_files", "docs") == tmp_path / "docs"


@pytest.mark.long
def test_it_serves_pages_and_scripts_from_another_folder(tmp_path, free_port):
    options = [f"--port={free_port}", "--no-browser", f"--home={tmp_path / 'home'}"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bolt_core", "ui", *options],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    url = f"http://localhost:{free_port}"
    try:
        assert fetched(process, f"{url}/_stcore/health") == b"ok"
        assert b"Plotly" in fetched(process, f"{url}/bolt-assets/plotly.min.js")[:2000]
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=START_SECONDS)
    finally:
        process.kill()
    assert in_text(output, url, str(tmp_path / "home"))
    assert "Traceback" not in output


def fetched(process, url):
    """Return the answer of a server that may still be starting."""
    for _ in range(4 * START_SECONDS):
        assert process.poll() is None, process.stdout.read()
        with contextlib.suppress(OSError), urllib.request.urlopen(url) as reply:
            return reply.read()
        time.sleep(0.25)
    pytest.fail(f"no answer from {url}")
