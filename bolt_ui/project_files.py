"""Folders that stand beside bolt_ui in a checkout, and inside it where a wheel is installed."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def _folder(in_wheel: str, in_checkout: str) -> Path:
    """Return the folder of the wheel if there is one: beside it may be folders of others."""
    installed = PACKAGE / in_wheel
    return installed if installed.is_dir() else PACKAGE.parent / in_checkout


ENTRY = PACKAGE / "entry" / "main.py"
PAGES = _folder("page_files", "pages")
DOCS = _folder("doc_files", "docs")
SETTINGS = _folder("settings_files", ".streamlit") / "config.toml"
