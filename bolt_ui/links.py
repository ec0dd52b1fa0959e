"""Links between pages with settings: keys are turned into the labels that widget URLs use."""

from collections.abc import Sequence

from bolt_core import algorithms, benchmarks
from bolt_ui.project_files import PAGES

ARENA, INSIDE = str(PAGES / "arena.py"), str(PAGES / "inside.py")
BENCHMARKS, GUIDE = str(PAGES / "benchmarks.py"), str(PAGES / "guide.py")
LAB, SCOREBOARD = str(PAGES / "lab.py"), str(PAGES / "scoreboard.py")
PROBLEM = str(PAGES / "problem.py")

Query = dict[str, str | list[str]]


def race(benchmark: str, runners: Sequence[str] = (), **settings: str) -> Query:
    """Return the query of a link to the Arena with these settings in its toolbar."""
    query: Query = {"bench": benchmarks.get(benchmark).label}
    if runners:
        query["algos"] = [algorithms.get(key).label for key in runners]
    return query | settings
