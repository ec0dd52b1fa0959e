"""The command line, `bolt`: one module per command; an error is one line and exit code 2."""

import logging
import sys
from typing import Annotated, NoReturn, TypeGuard

import typer
from rich.console import Console
from typer.exceptions import TyperException

from bolt_core import __version__
from bolt_core.cli._plugin_commands import add_to
from bolt_core.cli.bench import bench
from bolt_core.cli.calibrate import calibrate
from bolt_core.cli.campaign import campaign
from bolt_core.cli.campaign_packs import drop, pack, unpack
from bolt_core.cli.catalog import list_all
from bolt_core.cli.compare import compare
from bolt_core.cli.data import data
from bolt_core.cli.doctor import doctor
from bolt_core.cli.run import run
from bolt_core.cli.show import show
from bolt_core.common.errors import BoltError
from bolt_core.common.text import shortened

app = typer.Typer(
    name="bolt",
    help="Time-varying Bayesian optimization without a metronome.",
    no_args_is_help=True,
)
app.command("list")(list_all)
app.command()(run)
app.command()(compare)
app.command()(show)
app.add_typer(data, name="data")
for command in (pack, unpack, drop):
    campaign.command()(command)
app.add_typer(campaign, name="campaign")
app.add_typer(bench, name="bench")
app.command()(calibrate)
app.command()(doctor)
add_to(app)  # last: a command of ours keeps its name

Version = Annotated[bool, typer.Option("--version", help="Print the version and leave.")]
Verbose = Annotated[
    bool, typer.Option("-v", "--verbose", help="Log more, and give errors their traceback.")
]


@app.callback(invoke_without_command=True)
def options(version: Version = False, verbose: Verbose = False) -> None:
    """Time-varying Bayesian optimization without a metronome."""
    if version:
        typer.echo(f"bolt {__version__}")
        raise typer.Exit
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING)
    if verbose:
        logging.getLogger("bolt").setLevel(logging.DEBUG)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 success, 1 internal error, 2 bad request, 130 Ctrl-C."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = app(words, prog_name="bolt", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:  # `bolt show FILE | head`
        code = 0
    except Exception as error:
        if {"-v", "--verbose"} & set(words):
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
