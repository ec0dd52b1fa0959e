"""Links from one page to another that carry settings: keys in, what the widgets' URLs say out."""

from __future__ import annotations

from collections.abc import Sequence

from bolt_core import algorithms, benchmarks

ARENA, INSIDE = "../../pages/arena.py", "../../pages/inside.py"
BENCHMARKS, GUIDE = "../../pages/benchmarks.py", "../../pages/guide.py"

Query = dict[str, str | list[str]]


def race(benchmark: str, runners: Sequence[str] = (), **settings: str) -> Query:
    """The Arena's toolbar with these settings; a bound widget's URL has labels, not keys."""
    query: Query = {"bench": benchmarks.get(benchmark).label}
    if runners:
        query["algos"] = [algorithms.get(key).label for key in runners]
    return query | settings
