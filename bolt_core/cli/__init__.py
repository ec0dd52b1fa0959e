"""The command line, `bolt`: one module per command; an error is one line and exit code 2.

The commands for a problem of the user's own (`bolt ask`, `bolt tell`, ...) are called once per
measurement, so they are found without importing the others. `bolt_core.cli.app` has all commands.
"""

import sys
from typing import NoReturn, TypeGuard

import typer
from typer.exceptions import TyperException

from bolt_core.cli import own_problem
from bolt_core.cli._program import program
from bolt_core.common.errors import BoltError
from bolt_core.common.text import shortened


def __getattr__(name: str) -> object:
    """Return `app`, the whole command line, when it is first used."""
    if name == "app":
        from bolt_core.cli._all_commands import app

        return app
    raise AttributeError(f"module 'bolt_core.cli' has no attribute {name!r}")


def _app_for(words: list[str]) -> typer.Typer:
    """Return a program with the command that is called: one of few, or all."""
    command = next((word for word in words if not word.startswith("-")), None)
    if command not in own_problem.COMMANDS:
        from bolt_core.cli._all_commands import app

        return app
    small = program()
    own_problem.add_commands(small)
    return small


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 success, 1 internal error, 2 bad request, 130 Ctrl-C."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = _app_for(words)(words, prog_name="bolt", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:  # `bolt show FILE | head`
        code = 0
    except Exception as error:
        if {"-v", "--verbose"} & set(words):
            from rich.console import Console

            Console(stderr=True).print_exception()
        if words:  # without arguments the help has been printed already
            typer.echo(f"bolt: {_reason(error, words)}", err=True)
        code = 2 if isinstance(error, BoltError | TyperException) or _names_a_file(error) else 1
    sys.exit(code if isinstance(code, int) else 0)


def _names_a_file(error: Exception) -> TypeGuard[OSError]:
    """Return whether the operating system refused a file."""
    return isinstance(error, OSError) and error.filename is not None and bool(error.strerror)


def _reason(error: Exception, arguments: list[str]) -> str:
    """Return one line that says what to change."""
    if isinstance(error, BoltError):
        return " ".join(str(error).split())
    if isinstance(error, TyperException):
        message = " ".join(error.format_message().split()).rstrip(".")
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "bolt"
        return f"{message}{_offending(error, arguments)}; see `{command} --help`"
    if _names_a_file(error):
        return f"cannot use the file {shortened(error.filename)}: {error.strerror}; choose another"
    return f"unexpected {type(error).__name__}: {error} (bolt -v ... shows where)"


def _offending(error: TyperException, arguments: list[str]) -> str:
    """Return the value of the option an error is about: the parser does not always name it."""
    for name in getattr(getattr(error, "param", None), "opts", ()):
        for word, following in reversed(list(zip(arguments, [*arguments[1:], ""], strict=True))):
            if word == name and following:
                return f", got {following!r}"
            if word.startswith(f"{name}="):
                return f", got {word.partition('=')[2]!r}"
    return ""
