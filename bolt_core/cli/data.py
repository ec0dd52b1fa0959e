"""`bolt data`: recordings that benchmarks can use instead of the embedded data."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn
from typer import Option

from bolt_core.benchmarks import temperature as lab
from bolt_core.benchmarks._lab_summary import SUMMARY_DAY
from bolt_core.cli._parts import AsJson, console, notes, number_text, print_facts, print_json

data = typer.Typer(help="Recordings for benchmarks.", no_args_is_help=True)


@data.callback()
def options() -> None: ...


@data.command()
def temperature(
    path: Annotated[
        Path | None, Option(help="A data.txt or data.txt.gz you have; default: download it.")
    ] = None,
    day: Annotated[str, Option(help="The day to look at.")] = SUMMARY_DAY,
    as_json: AsJson = False,
) -> None:
    """Check a recording of the Intel Lab, or download the published one, and print its contents.

    Without a recording the benchmark uses an embedded rank-4 summary of one day.
    """
    report = lab.inspect(path or _downloaded(), day)
    if as_json:
        print_json({**asdict(report), "file": str(report.file)})
        return
    lines = {
        "file": str(report.file),
        "checksum": report.verdict,
        "rows": f"{report.rows:,}",
        "days": f"{report.days[0]} to {report.days[-1]} ({len(report.days)})",
        "day": report.day,
        "sensors": f"{len(report.sensors)} used"
        + (f", absent: {', '.join(map(str, report.absent))}" if report.absent else ""),
        "10-minute bins filled": f"{report.gaps}, of which {report.spikes} dropped as spikes",
        "RMSE of the summary": "-" if report.rmse is None else f"{number_text(report.rmse)} C",
    }
    print_facts(lines)
    use = f"bolt run --benchmark temperature --option path={report.file} --option day={day} ..."
    console.print(f"Use it: {use}", soft_wrap=True)


def _downloaded() -> Path:
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notes, disable=not notes.is_terminal) as bar:
        task = bar.add_task("downloading", total=None)
        return lab.download(lambda done, total: bar.update(task, completed=done, total=total))
