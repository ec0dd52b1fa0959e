"""A problem file with comments that explain its keys."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bolt_core.common.types import WARMUP

if TYPE_CHECKING:
    from bolt_core.online.problem_spec import ProblemSpec

COMMENTS = {  # after the first value of a key
    "maximize": "the outcome that is measured; or minimize",
    "minimize": "the outcome that is measured; or maximize",
    "type": "integer or choice; real without a type",
    "scale": "for values over several decades, above 0",
    "max_step": "the largest change between two settings; a factor with scale = log",
    "values": "settings without an order",
}
OPTIONS = {  # key: (example, comment); commented out unless the problem has them
    "warmup": (str(WARMUP), "random settings before the first that is chosen"),
    "think_within": ("1.0", "seconds of computing per setting"),
    "seed": ("0", "of all random numbers"),
}
COLUMN = 26  # of comments


def commented(spec: ProblemSpec, path: Path) -> str:
    """Return the problem as TOML with comments."""
    general, *tables = spec.to_toml().split("\n\n")
    keys = [line.partition(" = ")[0] for line in general.splitlines()]
    options = [
        _with_comment(f"# {key} = {value}", comment)
        for key, (value, comment) in OPTIONS.items()
        if key not in keys
    ]
    seen: set[str] = set()
    parts = ["\n".join(_explained(part, seen)) for part in (general, *tables)]
    parts[0] = "\n".join([*_heading(path), parts[0], *options])
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _heading(path: Path) -> list[str]:
    return [
        "# A problem for `bolt`. Ranges, units and steps may be edited at any time; the next",
        "# command applies them. Other knobs are another problem: use another file.",
        f"#   bolt ask {path.name}          prints the next setting",
        f"#   bolt tell {path.name} VALUE   tells what was measured there",
        f"#   bolt best {path.name}         prints the best setting now",
    ]


def _explained(part: str, seen: set[str]) -> list[str]:
    """Return the lines of a table; the first with a key has a comment."""
    lines = []
    for line in part.splitlines():
        key = line.partition(" = ")[0]
        is_new = key in COMMENTS and key not in seen
        lines.append(_with_comment(line, COMMENTS[key]) if is_new else line)
        seen.add(key)
    return lines


def _with_comment(line: str, comment: str) -> str:
    return f"{line:<{COLUMN}} # {comment}"
