"""The wheel holds the core, the dashboard with pages, scripts, settings and texts, and all data."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from bolt_core import __version__
from tests.support.project import ROOT

SOURCES = ("bolt_core", "bolt_ui", "pages", "docs", ".streamlit")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
MAPPED = {  # folders of the checkout that are part of bolt_ui in the wheel
    "pages/": "bolt_ui/page_files/",
    "docs/": "bolt_ui/doc_files/",
    ".streamlit/": "bolt_ui/settings_files/",
}
LEFT_OUT = ("docs/images/",)  # of the README, not of the Guide
VISIT = """
import sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
import bolt_ui
package = Path(bolt_ui.__file__).parent
pages = sorted(package.glob("page_files/*.py"))
for page in pages:
    app = AppTest.from_file(str(package / "entry" / "main.py"), default_timeout=60).run()
    shown = app.switch_page(str(page)).run()
    assert not shown.exception, (page, shown.exception)
foreign = {m.__file__ for n, m in sys.modules.items() if n.partition(".")[0].startswith("bolt_")}
assert all(Path(file).is_relative_to(package.parent) for file in foreign if file), foreign
print(*(page.stem for page in pages))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel built from a copy of the checkout, opened."""
    copy = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "."]
    subprocess.run([*command, *options], cwd=copy, check=True)
    (path,) = (copy / "dist").glob("*.whl")
    with zipfile.ZipFile(path) as opened:
        yield opened


def in_wheel(name):
    for folder, mapped in MAPPED.items():
        if name.startswith(folder):
            return mapped + name.removeprefix(folder)
    return name


def test_every_file_of_ours_is_in_the_wheel_and_nothing_else(wheel):
    paths = [p for name in SOURCES for p in (ROOT / name).rglob("*") if p.is_file()]
    names = (str(path.relative_to(ROOT)) for path in paths if "__pycache__" not in path.parts)
    expected = {in_wheel(name) for name in names if not name.startswith(LEFT_OUT)}
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert held == expected
    assert len(held) > 350


def test_no_folder_named_pages_stands_beside_the_entry_script(wheel):
    """Streamlit would skip the entry script when the first request is a link to a page."""
    assert "bolt_ui/entry/main.py" in wheel.namelist()
    assert not [name for name in wheel.namelist() if "pages" in name.split("/")[:-1]]


@pytest.mark.long
def test_every_page_is_shown_from_the_wheel(wheel, tmp_path):
    wheel.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", VISIT],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site"), "BOLT_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def test_the_version_is_that_of_the_package_and_commands_are_declared(wheel):
    texts = {
        name.rpartition("/")[2]: wheel.read(name).decode()
        for name in wheel.namelist()
        if ".dist-info/" in name and not name.endswith("LICENSE")
    }

    assert f"\nVersion: {__version__}\n" in texts["METADATA"]
    assert "[bolt.commands]\nui = bolt_ui.command:ui\n" in texts["entry_points.txt"]
    assert "bolt = bolt_core.cli:main" in texts["entry_points.txt"]
