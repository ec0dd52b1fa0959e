"""No file is longer than 300 lines, and no page is longer than 80."""

from tests.support.project import ROOT

FOLDERS = ("bolt_core", "bolt_ui", "pages", "tests", "tools")
FILES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]


def test_files_are_short_enough():
    limits = {path: 80 if path.parent == ROOT / "pages" else 300 for path in FILES}
    lengths = {path: len(path.read_text().splitlines()) for path in FILES}
    too_long = {
        str(path.relative_to(ROOT)): length
        for path, length in lengths.items()
        if length > limits[path]
    }

    assert len(FILES) > 300
    assert too_long == {}
