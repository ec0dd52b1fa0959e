"""The sections of the Guide that show the pages of the folder docs."""

import re

import pytest

from bolt_ui.guide import doc_pages
from tests.support.page_kit import browse

ANCHORS = {"reference", "promises"}
PAGES = doc_pages.REFERENCE + doc_pages.PROMISES


def anchors(page):
    return {heading.proto.anchor for heading in page.header}


def test_the_guide_shows_each_page_in_an_expander():
    page = browse("guide")
    labels = [expander.label.lower() for expander in page.expander]

    assert anchors(page) >= ANCHORS
    assert set(PAGES) <= set(labels)


def test_without_the_folder_the_sections_are_left_out(monkeypatch, tmp_path):
    monkeypatch.setattr(doc_pages, "DOCS", tmp_path)
    page = browse("guide")

    assert not ANCHORS & anchors(page)
    assert not page.expander


@pytest.mark.parametrize("name", PAGES)
def test_on_screen_a_page_names_no_test_and_keeps_its_statements(name):
    text = (doc_pages.DOCS / f"{name}.md").read_text()
    shown = doc_pages.for_screen(text)

    assert "tests/" not in shown
    assert ".md)" not in shown
    assert "`bolt_core." not in "".join(re.findall(r"^\|.*$", shown, re.MULTILINE))
    assert shown.count("\n### ") + shown.startswith("### ") == text.count("\n## ")
    tables = re.findall(r"(?:^\|.*\n)+", shown + "\n", re.MULTILINE)
    assert len(tables) == len(re.findall(r"^\|---", text, re.MULTILINE))
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
