"""Hostile inputs: only clear errors are accepted (BoltError, exit code 2, 4xx, a notice on a page).

Every case has a generator of its own, so that one case can be repeated alone:
`python -m tools.chaos.inputs KIND SEED CASE`.
"""

import random
import sys
from collections.abc import Callable, Iterator

from bolt_core.common import runtime
from tools.chaos.input_commands import commands
from tools.chaos.input_files import imports, saved_optimizers
from tools.chaos.input_pages import pages, parsers
from tools.chaos.input_requests import requests, websockets
from tools.chaos.report import Check

Cases = Iterator[tuple[str, random.Random]]
KINDS: dict[str, tuple[Callable[[Check, Cases], None], int, int]] = {  # cases: short, long
    "imports": (imports, 120, 22_000),
    "saved optimizers": (saved_optimizers, 30, 6_000),
    "commands": (commands, 40, 5_000),
    "parsers": (parsers, 300, 20_000),
    "pages": (pages, 8, 1_000),
    "requests": (requests, 250, 45_000),
    "websockets": (websockets, 10, 1_000),
}


def run(seed: int, *, long: bool) -> list[Check]:
    """Give all kinds of input and return one check per kind."""
    checks = []
    for kind, (give, few, many) in KINDS.items():
        check = Check("inputs", kind)
        give(check, cases(kind, seed, range(many if long else few)))
        checks.append(check)
    return checks


def cases(kind: str, seed: int, numbers: range) -> Cases:
    """Yield the label and the generator of each case."""
    for number in numbers:
        yield f"{kind!r} {seed} {number}", random.Random(f"{kind} {seed} {number}")


def _repeat(kind: str, seed: str, number: str) -> None:
    check = Check("inputs", kind)
    KINDS[kind][0](check, cases(kind, int(seed), range(int(number), int(number) + 1)))
    sys.stdout.write(f"{check}\n")


if __name__ == "__main__":
    runtime.configure()
    _repeat(*sys.argv[1:])
