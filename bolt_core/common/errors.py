"""Every exception this package raises on purpose descends from BoltError."""

import traceback
from collections.abc import Iterable
from difflib import get_close_matches


class BoltError(Exception):
    """Base class. Catch this at a border (page, CLI, worker, conductor), never inside the core."""


class ConfigError(BoltError, ValueError):
    """A value the caller chose cannot be used; the message names it and what would do."""


class UnknownNameError(BoltError, KeyError):
    """No algorithm, benchmark, option or parameter of that name."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(known)
        close = get_close_matches(name, choices, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        remedy = f"choose one of {', '.join(choices)}" if choices else "there is none to choose"
        super().__init__(f"unknown {kind} {name!r}; {hint}{remedy}")

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the repr


class PluginError(BoltError, TypeError):
    """A file in algorithms/ or benchmarks/, or an entry point, does not offer what it must."""


class ObjectiveError(BoltError, RuntimeError):
    """The objective raised, or returned something that is not a finite number."""


class RecordError(BoltError, ValueError):
    """A run file cannot be read back."""


class NotYoursError(BoltError, PermissionError):
    """Somebody else started this race; whoever has its link may watch it."""


class DataError(BoltError, ValueError):
    """A recording or download is not what it should be."""


class FitError(BoltError, ArithmeticError):
    """A covariance matrix has no Cholesky factor, or a likelihood is not finite."""


def explain(problem: BaseException) -> str:
    """The reason on the first line, the traceback below; safe for any exception there is."""
    told = "".join(traceback.format_exception_only(problem)).strip()
    first = str(problem) if isinstance(problem, BoltError) else told
    return first + "\n\n" + "".join(traceback.format_exception(problem))
