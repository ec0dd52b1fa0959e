"""Ask and tell from a shell: commands for a problem file, with the state in a file beside it.

Each command is a process of its own and is called once per measurement, so nothing heavy is
imported before a command runs.
"""

import typer

COMMANDS = ("new", "ask", "tell", "status", "best", "log", "undo", "skip", "change", "correct")
PANEL = "Your own problem, from a shell"


def add_commands(app: typer.Typer) -> None:
    """Add the commands to a program."""
    from bolt_core.cli.own_problem.ask import ask
    from bolt_core.cli.own_problem.change import change
    from bolt_core.cli.own_problem.correct import correct
    from bolt_core.cli.own_problem.new import new
    from bolt_core.cli.own_problem.tell import tell
    from bolt_core.cli.own_problem.views import best, log, status
    from bolt_core.cli.own_problem.withdraw import skip, undo

    for command in (new, ask, status, best, log, undo, skip, change):
        app.command(rich_help_panel=PANEL)(command)
    negative = {"ignore_unknown_options": True}  # so that a value may begin with a minus
    app.command(rich_help_panel=PANEL, context_settings=negative)(tell)
    app.command(rich_help_panel=PANEL, context_settings=negative)(correct)
