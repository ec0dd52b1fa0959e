"""Plain technical English: words that are not used, and tests that leave the wording free."""

import ast
import io
import re
import tokenize
from functools import cache

from tests.support.project import ROOT

PERSONS = re.compile(
    r"\b(somebody|someone else's|nobody|whoever|anybody|everybody|who left|who leaves)\b", re.I
)
REPLACED_PHRASES = (  # of the screen, each with a plainer one in its place
    "Run it live on this machine",
    "what is kept counts too",
    "answer about as fast",
    "by the code you are looking at",
    "Removed nobody",
    "loses its word",
    "promises no small regret",
    "the order turns round",
    "A look costs",
    "lengths of the box",
    "Take them in",
    "take that back for a day",
    "does it all work?",
    "Stored with BOLT",
    "A press on a value",
    "same luck for every lane",
    "It came out otherwise",
    "looks now",
    "The reason below is the usual's",
)
SENTENCE_CHARACTERS, SENTENCE_SPACES = 25, 3
THIS_FILE = "tests/project/test_language.py"
OLD_LINKS = "bolt_ui/toolbar.py"  # translates labels that older links carry


def test_programs_and_data_are_not_persons():
    assert [
        place for place, text in texts("bolt_core", "bolt_ui", "pages") if PERSONS.search(text)
    ] == []


def test_replaced_phrases_are_gone():
    remaining = [
        (place, phrase)
        for place, text in texts("bolt_core", "bolt_ui", "pages")
        for phrase in REPLACED_PHRASES
        if phrase in text and not place.startswith(OLD_LINKS)
    ]

    assert remaining == []


def test_tests_pin_no_sentence():
    pinned = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if str(path.relative_to(ROOT)) != THIS_FILE
        for node in ast.walk(ast.parse(path.read_text()))
        if any(map(is_sentence, compared_texts(node)))
    ]

    assert pinned == []


@cache
def texts(*folders):
    """Return (place, text) of every comment and string of the Python and JavaScript files."""
    return [pair for folder in folders for pair in _texts_of(ROOT / folder)]


def _texts_of(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".py":
            yield from _python_texts(path)
        elif path.suffix in (".js", ".css"):
            for number, line in enumerate(path.read_text().splitlines(), start=1):
                yield f"{path.relative_to(ROOT)}:{number}", line


def _python_texts(path):
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            yield f"{path.relative_to(ROOT)}:{token.start[0]}", token.string


def compared_texts(node):
    """Yield what a node compares with: all of an assertion, the pattern of an expected error."""
    if isinstance(node, ast.Assert):
        yield from ast.walk(node.test)
    elif isinstance(node, ast.Call):
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "match")


def is_sentence(node):
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and len(node.value) >= SENTENCE_CHARACTERS
        and node.value.count(" ") >= SENTENCE_SPACES
    )
