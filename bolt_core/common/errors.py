"""The exceptions of this package; all of them are subclasses of BoltError."""

import traceback
from collections.abc import Iterable
from difflib import get_close_matches


class BoltError(Exception):
    """Base class. Caught by pages, commands, workers and the conductor, never inside the core."""


class ConfigError(BoltError, ValueError):
    """A value chosen by the caller cannot be used; the message names it and what is accepted."""


class StateError(ConfigError):
    """What the caller wants is valid, but not possible in the present state."""


class ConflictError(ConfigError):
    """What was told before differs from what is told now under the same name."""


class UnknownNameError(BoltError, KeyError):
    """There is no algorithm, benchmark, option or parameter of that name."""

    def __init__(self, kind: str, name: str, available: Iterable[str]) -> None:
        """The message suggests the closest of the available names and lists all of them."""
        choices = sorted(available)
        close = get_close_matches(name, choices, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        remedy = f"choose one of {', '.join(choices)}" if choices else "none is available"
        super().__init__(f"unknown {kind} {name!r}; {hint}{remedy}")

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the repr


class TwinNotStoredError(UnknownNameError):
    """There is no such benchmark because the twin of a log is not stored on this machine."""

    def __init__(self, key: str) -> None:
        KeyError.__init__(
            self,
            f"the benchmark {key} is the twin of a log and is not stored here; import a record of "
            "a run on it, or analyse the log again (`bolt analyse FILE --twin NAME`)",
        )


class MissingPackageError(BoltError, ImportError):
    """A package that only a part of BOLT needs is not installed; the message says how to get it."""


class PluginError(BoltError, TypeError):
    """A module in algorithms/ or benchmarks/, or an entry point, defines no valid spec."""


class ObjectiveError(BoltError, RuntimeError):
    """The objective raised, or returned something that is not a finite number."""


class RecordError(BoltError, ValueError):
    """A record file cannot be read or written."""


class NotARecordError(RecordError):
    """A file is empty or of another kind; `reason` is the message without the remedy."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{reason}; give a file that `bolt run` wrote")


class FileAccessError(RecordError):
    """A file is missing, may not be used, or is in use; its content is not the reason."""


class DamagedProblemError(RecordError):
    """What is stored of a problem cannot be read; the same call does not succeed later."""


class FileInUseError(FileAccessError):
    """Another process uses a file; `holder` says which, if that is known."""

    def __init__(self, message: str, holder: str) -> None:
        self.holder = holder
        super().__init__(message)


class NotYoursError(BoltError, PermissionError):
    """The race belongs to another user; anyone with its link may only watch it."""


class UnknownProblemError(BoltError, LookupError):
    """No problem on this server has the requested id."""


class BusyError(BoltError, RuntimeError):
    """A server is busy or in use elsewhere at the moment; the same call may succeed later."""


class LimitError(BoltError, PermissionError):
    """A limit of this server would be exceeded; the message names the value and the limit."""


class RateError(LimitError):
    """A visitor makes too many calls; `retry_after` is the number of seconds to wait."""

    def __init__(self, message: str, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class ConfirmationError(LimitError):
    """A limit would be exceeded by the operator, who may confirm the request."""


class DataError(BoltError, ValueError):
    """A recording or a download is missing, incomplete or in another format."""


class FitError(BoltError, ArithmeticError):
    """A covariance matrix has no Cholesky factor, or a likelihood is not finite."""


def explain(problem: BaseException) -> str:
    """Return the reason on the first line and the traceback below, for any exception."""
    summary = "".join(traceback.format_exception_only(problem)).strip()
    first = str(problem) if isinstance(problem, BoltError) else summary
    return first + "\n\n" + "".join(traceback.format_exception(problem))
