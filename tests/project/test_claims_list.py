"""docs/claims.md stays true: its phrases stand in their files, and its commands exist."""

import ast
import re
from functools import cache

import pytest
import typer

from bolt_core.cli import app
from tests.project.test_docs import PAGES, tables
from tests.support.project import ROOT

FIELD = "{...}"  # stands for a field of an f-string
HOLDERS = ("test", "command")  # the last column of a table says what holds its claims
PLACES = {
    *("Arena", "Inside", "n* lab", "Benchmarks", "Scoreboard and report", "Lessons", "Guide"),
    *("Runs and Compare", "Your problem", "README, docs and installation"),
}


def claims():
    """Return the rows of all tables as (phrase, file, what holds it, "test" or "command")."""
    return [
        (row[0], row[1].strip("`"), row[2], table[0][2])
        for table in tables(PAGES["claims.md"])
        for row in table[2:]
    ]


def folded(text):
    return " ".join(text.split())


def literal(node):
    """Return a string of Python source with its fields as FIELD; None if it is something else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or FIELD for part in node.values)
    return None


@cache
def texts(path):
    """Return the texts of a file: its string literals if it is Python, else its whole content."""
    source = (ROOT / path).read_text()
    if not path.endswith(".py"):
        return [folded(source)]
    return [folded(text) for node in ast.walk(ast.parse(source)) if (text := literal(node))]


def has_phrase(path, phrase):
    return any(phrase in text for text in texts(path))


def is_command(words):
    """Tell whether `bolt ...`, `python -m tools...` or `make ...` names something that exists."""
    first, *rest = words.split()
    if first == "bolt":
        command = typer.main.get_command(app)
        for name in rest:
            if not hasattr(command, "commands"):
                break
            command = command.commands.get(name)
        return command is not None and not hasattr(command, "commands")
    if first == "make":
        return f"\n{rest[0]}:" in (ROOT / "Makefile").read_text()
    module = ROOT / rest[1].replace(".", "/")
    return (first, rest[0]) == ("python", "-m") and (
        module.with_suffix(".py").is_file() or (module / "__main__.py").is_file()
    )


def test_each_claim_is_a_phrase_of_its_file():
    wrong = [
        (claim, path)
        for claim, path, _, _ in claims()
        if not (ROOT / path).is_file() or not has_phrase(path, claim.strip('"'))
    ]

    assert wrong == []
    assert len(claims()) == PAGES["claims.md"].count('\n| "') > 150


def test_a_claim_is_quoted_once_in_three_to_twelve_words():
    phrases = [claim for claim, _, _, _ in claims()]
    odd = [p for p in phrases if not re.fullmatch('"[^"]+"', p) or not 3 <= len(p.split()) <= 12]

    assert odd == []
    assert len({row[:2] for row in claims()}) == len(phrases)


def test_every_place_has_its_claims_and_what_holds_them():
    headings = [table[0] for table in tables(PAGES["claims.md"])]

    assert set(re.findall(r"^## (.+)$", PAGES["claims.md"], re.MULTILINE)) >= PLACES
    assert {tuple(heading) for heading in headings} == {("claim", "file", h) for h in HOLDERS}


def test_every_command_exists():
    named = [holder for _, _, holder, kind in claims() if kind == "command"]

    assert named
    assert [words for words in named if not is_command(words.strip("`"))] == []


@pytest.mark.parametrize(
    "words", ["bolt nothing", "bolt campaign nothing", "bolt bench", "python -m tools.no", "make x"]
)
def test_a_wrong_command_is_found(words):
    assert not is_command(words)


def test_a_wrong_phrase_is_found():
    assert has_phrase("bolt_ui/toolbar.py", "the same random numbers")
    assert not has_phrase("bolt_ui/toolbar.py", "the same other numbers")
    assert has_phrase("bolt_ui/race_buttons.py", "the optimizer: {...}")
