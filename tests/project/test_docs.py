"""The pages in docs/ stay true: the tests that they name exist, the numbers are the constants."""

import ast
import importlib
import re
from dataclasses import fields
from functools import cache

import pytest

from bolt_core.common.types import IterationRecord, Observation
from bolt_ui.guide import doc_pages
from tests.support.project import ROOT

PAGES = {path.name: path.read_text() for path in sorted((ROOT / "docs").glob("*.md"))}
REFERENCE = {f"{name}.md" for name in doc_pages.REFERENCE}  # their tests are listed in claims.md
WITH_TESTS = sorted(set(PAGES) - REFERENCE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
CONSTANT = re.compile(r"`((?:bolt_core|bolt_ui)\.[\w.]+\.[A-Z_]+)`")
VALUE = re.compile(r"([\d.]+)(?: (s|MiB))?")
UNITS = {None: 1, "s": 1, "MiB": 2**20}
SECONDS = re.compile(r"`([A-Z_]+)` = ([\d.]+) s")
SAVING = ("line_file", "records", "sweep", "trash")  # modules with the constants of durability.md


def tables(text):
    """Return the rows of each table as lists of cells; the first row is the heading."""
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    rows = [[line.strip("|").split("|") for line in block.splitlines()] for block in blocks]
    return [[[cell.strip() for cell in row] for row in table] for table in rows]


def limits():
    return [
        row
        for table in tables(PAGES["limits.md"])
        if table[0] == ["limit", "value", "constant", "test"]
        for row in table[2:]
    ]


@cache
def functions(path):
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("page", WITH_TESTS)
def test_every_test_that_a_page_names_exists(page):
    named = TEST.findall(PAGES[page])
    missing = [f"{path}::{name}" for path, name in named if name not in functions(path)]

    assert missing == []
    assert len(named) == PAGES[page].count("`tests/") > 5


@pytest.mark.parametrize("page", WITH_TESTS)
def test_every_row_about_a_test_names_one(page):
    with_tests = [table for table in tables(PAGES[page]) if table[0][-1] == "test"]
    without = [row for table in with_tests for row in table[2:] if not TEST.search(row[-1])]

    assert with_tests
    assert without == []


def test_every_limit_is_the_constant_it_names():
    wrong = {}
    for what, value, named, _ in limits():
        number, unit = VALUE.fullmatch(value).groups()
        module, _, name = CONSTANT.fullmatch(named)[1].rpartition(".")
        constant = getattr(importlib.import_module(module), name)
        if float(number) * UNITS[unit] != constant:
            wrong[what] = (value, constant)

    assert wrong == {}
    assert len(limits()) == PAGES["limits.md"].count("| `bolt_") > 20


def test_every_time_of_durability_is_its_constant():
    modules = [importlib.import_module(f"bolt_core.store.{name}") for name in SAVING]
    for name, value in SECONDS.findall(PAGES["durability.md"]):
        assert {getattr(m, name) for m in modules if hasattr(m, name)} == {float(value)}, name
    assert len(SECONDS.findall(PAGES["durability.md"])) >= 4


def test_every_reference_page_has_claims_with_tests():
    assert [name for name in REFERENCE if f"`docs/{name}`" not in PAGES["claims.md"]] == []


def test_the_page_on_records_lists_every_field():
    (table,) = [t for t in tables(PAGES["records.md"]) if t[0][0] == "field"]
    listed = {name for row in table[2:] for name in re.findall(r"`(\w+)`", row[0])}
    names = {field.name for kind in (IterationRecord, Observation) for field in fields(kind)}

    assert listed == names - {"observation"}


def test_every_name_of_the_notation_is_in_the_code():
    (table,) = tables(PAGES["notation.md"])
    names = {name for row in table[2:] for name in re.findall(r"`(\w+)(?:\(\))?`", row[1])}
    code = "\n".join(path.read_text() for path in (ROOT / "bolt_core").rglob("*.py"))

    assert len(names) > 15
    assert [n for n in names if not re.search(rf"(def|class) {n}\b|\b{n}: |\b{n} = ", code)] == []


def test_links_between_the_pages_and_from_the_readme_lead_somewhere():
    readme = (ROOT / "README.md").read_text()
    shown = {f"{name}.md" for name in doc_pages.REFERENCE + doc_pages.PROMISES}
    assert set(PAGES) == shown | {"claims.md"}
    for name, text in PAGES.items():
        assert f"(docs/{name})" in readme
        assert set(re.findall(r"\]\((\w+\.md)\)", text)) <= set(PAGES)
