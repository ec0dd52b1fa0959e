"""Links between pages with settings: keys are turned into the labels that widget URLs use."""

from collections.abc import Sequence

from bolt_core import algorithms, benchmarks

ARENA, INSIDE = "../../pages/arena.py", "../../pages/inside.py"
BENCHMARKS, GUIDE = "../../pages/benchmarks.py", "../../pages/guide.py"
LAB, SCOREBOARD = "../../pages/lab.py", "../../pages/scoreboard.py"

Query = dict[str, str | list[str]]


def race(benchmark: str, runners: Sequence[str] = (), **settings: str) -> Query:
    """Return the query of a link to the Arena with these settings in its toolbar."""
    query: Query = {"bench": benchmarks.get(benchmark).label}
    if runners:
        query["algos"] = [algorithms.get(key).label for key in runners]
    return query | settings
