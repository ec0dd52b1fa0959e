"""The whole command line; it imports everything, so `main` loads it only when it is needed."""

from bolt_core.cli._plugin_commands import add_to
from bolt_core.cli._program import program
from bolt_core.cli.analyse import analyse
from bolt_core.cli.bench import bench
from bolt_core.cli.calibrate import calibrate
from bolt_core.cli.campaign import campaign
from bolt_core.cli.campaign_packs import drop, pack, unpack
from bolt_core.cli.catalog import list_all
from bolt_core.cli.compare import compare
from bolt_core.cli.data import data
from bolt_core.cli.doctor import doctor
from bolt_core.cli.own_problem import PANEL, add_commands
from bolt_core.cli.run import run
from bolt_core.cli.show import show

app = program()
app.command("list")(list_all)
app.command()(run)
app.command()(compare)
app.command()(show)
add_commands(app)
app.command(rich_help_panel=PANEL)(analyse)
app.add_typer(data, name="data")
for command in (pack, unpack, drop):
    campaign.command()(command)
app.add_typer(campaign, name="campaign")
app.add_typer(bench, name="bench")
app.command()(calibrate)
app.command()(doctor)
add_to(app)  # last: a command of ours keeps its name
