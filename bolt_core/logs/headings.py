"""Headings of columns: names and units, made unique."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bolt_core.common.text import shortened

MAX_CHARACTERS = 100
UNIT = re.compile(r"^(?P<name>.*?\S)\s*[(\[](?P<unit>[^()\[\]]*)[)\]]$")
SLASH_UNIT = re.compile(r"^(?P<name>.*?\S)\s+/\s+(?P<unit>\S+)$")  # feed / l, as in tables


def words(text: str) -> frozenset[str]:
    """Return the words of a text that are divided by spaces."""
    return frozenset(text.split())


def unique_headings(names: Sequence[str], line: int, notes: list[str]) -> list[str]:
    """Return headings that are printable and differ; what was changed is noted."""
    headings: list[str] = []
    for k, raw in enumerate(names):
        text = "".join(c if c.isprintable() else " " for c in raw)
        name = shortened(text, MAX_CHARACTERS) or f"column {k + 1}"
        if not text.strip():
            notes.append(f"Line {line}: column {k + 1} has no name; it is called {name!r}.")
        again, base = 2, name
        while name in headings:
            name, again = f"{base[: MAX_CHARACTERS - 4]} {again}", again + 1
        if name != base:
            notes.append(f"Line {line}: two columns are called {base!r}; one is {name!r} now.")
        headings.append(name)
    return headings


def name_and_unit(heading: str) -> tuple[str, str]:
    """Return the name and the unit of a heading such as feed (l/min), feed [l/min] or feed / l."""
    match = UNIT.match(heading) or SLASH_UNIT.match(heading)
    if match is None:
        return heading, ""
    return match["name"].strip(), match["unit"].strip()
