"""Count the code lines of the product: Python, JavaScript and CSS, without blanks and comments.

Docstrings are counted apart. Run it in a checkout, or give the root of another one:

    python tools/count_code_lines.py [ROOT]
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PRODUCT = ("app.py", "bolt_core", "bolt_ui", "ui", "pages")  # `ui` in older checkouts
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)


def count_python(source: str) -> tuple[int, int]:
    """Return the lines that hold code, and the lines of docstrings."""
    docstrings = set(_docstring_lines(ast.parse(source)))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE and token.string:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - docstrings), len(docstrings)


def _docstring_lines(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first = node.body[0] if node.body else None
        if (
            isinstance(first, ast.Expr)
            and isinstance(first.value, ast.Constant)
            and isinstance(first.value.value, str)
        ):
            yield from range(first.lineno, (first.end_lineno or first.lineno) + 1)


def count_script(source: str) -> int:
    """Return the lines of JavaScript or CSS that hold code."""
    return sum(bool(line.strip()) for line in COMMENT.sub("", source).splitlines())


def count_tree(root: Path) -> tuple[Counter[str], int]:
    """Return the code lines by file type, and the docstring lines, of a checkout."""
    code: Counter[str] = Counter()
    docstrings = 0
    for path in (path for name in PRODUCT for path in _files(root / name)):
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            lines, documented = count_python(source)
            docstrings += documented
        else:
            lines = count_script(source)
        code[path.suffix] += lines
    return code, docstrings


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(p for p in path.rglob("*") if p.suffix in (".py", ".js", ".css"))


def main() -> None:
    """Print the counts."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    code, docstrings = count_tree(root)
    for suffix, lines in sorted(code.items()):
        print(f"{suffix:5}{lines:8,}")  # noqa: T201 - a script
    print(f"total{sum(code.values()):8,} lines of code")  # noqa: T201
    share = docstrings / (code[".py"] + docstrings)
    print(f"docstrings {docstrings:,} lines, {share:.1%} of Python")  # noqa: T201


if __name__ == "__main__":
    main()
