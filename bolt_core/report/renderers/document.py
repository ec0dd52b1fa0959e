"""The frame of an HTML file that needs no other file: data and plotly.js are part of it."""

import json
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bolt_core.common.packages import require


def page(title: str, style: str, body: str) -> str:
    """Return the whole file; `title` is plain text, `style` is CSS and `body` is HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{body}</body>\n</html>\n"
    )


def embedded(name: str, data: Any, kind: str = "application/json") -> str:  # noqa: ANN401 - JSON
    """Return data for the scripts of the page, escaped so that it cannot end its element."""
    text = json.dumps(data, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="{kind}" id="{name}">{text}</script>\n'


def plotly_file() -> Path:
    """Return the path of plotly.js in the installed package, which is not imported itself."""
    require("an HTML file, for plotly.js,", "plotly")
    package = find_spec("plotly")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "package_data" / "plotly.min.js"


def plotly() -> str:
    """Return a script element that holds plotly.js."""
    return f"<script>{plotly_file().read_text(encoding='utf-8')}</script>\n"
