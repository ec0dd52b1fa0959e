"""The frame of an HTML file that needs nothing else: one page, data in it, plotly.js inlined."""

from __future__ import annotations

import json
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bolt_core.common.errors import ConfigError


def page(title: str, style: str, body: str) -> str:
    """The whole file; `title` is text, `style` and `body` are CSS and HTML of ours."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{body}</body>\n</html>\n"
    )


def embedded(name: str, data: Any, kind: str = "application/json") -> str:  # noqa: ANN401 - JSON
    """Data for the scripts of the page. No word in it can end the element or open another."""
    text = json.dumps(data, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="{kind}" id="{name}">{text}</script>\n'


def plotly() -> str:
    """plotly.js as the installed package brings it; the package itself is not imported."""
    found = find_spec("plotly")
    file = (
        Path(found.origin).parent / "package_data" / "plotly.min.js"
        if found and found.origin
        else None
    )
    if file is None or not file.exists():
        raise ConfigError("the HTML file needs plotly.js: pip install plotly")
    return f"<script>{file.read_text(encoding='utf-8')}</script>\n"
