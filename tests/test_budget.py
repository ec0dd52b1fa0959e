"""A file is one idea: none longer than 300 lines, no page longer than 80."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("bolt_core", "ui", "pages", "tests")
FILES = [ROOT / "app.py", *(path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_file_is_short_enough(path):
    limit = 80 if path.parent.name == "pages" else 300

    assert len(path.read_text().splitlines()) <= limit
