"""Hostile inputs: only clear errors are accepted (BoltError, exit code 2, 4xx, a notice on a page).

Every case has a generator of its own, so that one case can be repeated alone:
`python -m tools.chaos.inputs KIND SEED CASE`.
"""

import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

from bolt_core.common import runtime
from tools.chaos.input_commands import commands
from tools.chaos.input_files import imports, saved_optimizers
from tools.chaos.input_pages import pages, parsers
from tools.chaos.input_requests import requests, websockets
from tools.chaos.processes import temporary_home
from tools.chaos.report import Check
from tools.chaos.web import Server, serving

Cases = Iterator[tuple[str, random.Random]]
KINDS: dict[str, tuple[Callable[[Check, Cases], None], int, int]] = {  # cases: short, long
    "imports": (imports, 80, 22_000),
    "saved optimizers": (saved_optimizers, 30, 6_000),
    "commands": (commands, 30, 5_000),
    "parsers": (parsers, 300, 20_000),
    "pages": (pages, 4, 1_000),
}
SERVER_KINDS: dict[str, tuple[Callable[[Check, Cases, Server], None], int, int]] = {
    "requests": (requests, 200, 45_000),
    "websockets": (websockets, 10, 1_000),
}


def run(seed: int, *, long: bool) -> list[Check]:
    """Give all kinds of input and return one check per kind."""
    kinds = {**KINDS, **SERVER_KINDS}
    numbers = {kind: range(many if long else few) for kind, (_, few, many) in kinds.items()}
    return [*give(numbers, seed, KINDS), *give(numbers, seed, SERVER_KINDS)]


def give(
    numbers: Mapping[str, range], seed: int, kinds: Mapping[str, tuple[Any, int, int]]
) -> Iterator[Check]:
    """Give the numbered cases of some kinds; what needs a server shares one."""
    chosen = {kind: numbers[kind] for kind in kinds if kind in numbers}
    with ExitStack() as stack:
        server: tuple[Server, ...] = ()
        if chosen and kinds is SERVER_KINDS:
            home = stack.enter_context(temporary_home())
            environment = {"BOLT_ADMIN_TOKEN": "the-operator"}
            server = (stack.enter_context(serving(home, **environment)),)
        for kind, which in chosen.items():
            check = Check("inputs", kind)
            kinds[kind][0](check, cases(kind, seed, which), *server)
            sys.stderr.write(f"{kind}: {check.cases} checks, {len(check.problems)} failed\n")
            yield check


def cases(kind: str, seed: int, numbers: range) -> Cases:
    """Yield the label and the generator of each case."""
    for number in numbers:
        yield f"{kind!r} {seed} {number}", random.Random(f"{kind} {seed} {number}")


def main() -> None:
    kind, seed, number = sys.argv[1:]
    one = {kind: range(int(number), int(number) + 1)}
    for kinds in (KINDS, SERVER_KINDS):
        for check in give(one, int(seed), kinds):
            sys.stdout.write(f"{check}\n")


if __name__ == "__main__":
    runtime.configure()
    main()
