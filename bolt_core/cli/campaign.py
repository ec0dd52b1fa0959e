"""`bolt campaign`: many runs, planned, resumed, reported."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from bolt_core import report
from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns import plan as plans
from bolt_core.campaigns import pools, presets, results
from bolt_core.campaigns.campaign import State
from bolt_core.cli._campaign_bar import Bars
from bolt_core.cli._campaign_words import counts, counts_or_trouble, table, tell_plan, tell_states
from bolt_core.cli._parts import DEVICE_HELP, ENGINE_HELP, console, notes, print_json
from bolt_core.common import paths
from bolt_core.common.errors import BoltError, ConfigError

campaign = typer.Typer(
    help="Many runs: algorithms x benchmarks x seeds, resumable, with a report.",
    no_args_is_help=True,
)
MOST_WORKERS = 256
PRESET_HELP = ", ".join(presets.PRESETS)
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Name = Annotated[str, typer.Argument(help=f"Of the campaign; a preset: {PRESET_HELP}.")]


@campaign.command()
def plan(
    context: typer.Context,
    name: Name,
    preset: Annotated[str | None, typer.Option(help=f"Start from {PRESET_HELP}.")] = None,
    file: Annotated[
        Path | None, typer.Option(help=r"A TOML file with \[\[grid]] tables; see the README.")
    ] = None,
    algorithms: Annotated[
        str | None, typer.Option(help="Keys, by commas; or: table2, paper, all.")
    ] = None,
    benchmarks: Annotated[str | None, typer.Option(help="Keys, by commas; or: paper, all.")] = None,
    seeds: Annotated[int, typer.Option(help="Runs a cell: seeds 0, 1, ...")] = 1,
    clock: Annotated[str, typer.Option(help="model, cpu, wall; several by commas.")] = "model",
    device: Annotated[str, typer.Option(help=DEVICE_HELP)] = "paper",
    speed: Annotated[str, typer.Option(help="Times as fast a device; several by commas.")] = "1",
    noise: Annotated[str, typer.Option(help="paper, 1pct; several by commas.")] = "paper",
    engine: Annotated[str, typer.Option(help=ENGINE_HELP + " Several by commas.")] = "exact",
    horizon: Annotated[float | None, typer.Option(help="Cut every run at these seconds.")] = None,
    replace: Annotated[bool, typer.Option(help="Overwrite another plan of that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write down what to run; say how many runs and hours that is. Nothing is run yet."""
    flags = None
    if algorithms is not None or benchmarks is not None:
        flags = plans.grid_from(
            {
                "algorithms": algorithms or "paper",
                "benchmarks": benchmarks or "paper",
                "seeds": seeds,
                "clock": _words(clock),
                "device": device,
                "speed": _numbers(speed),
                "noise": _words(noise),
                "engine": _words(engine),
                "horizon": horizon,
            }
        )
    else:
        _refuse_lost_flags(context)
    found = campaigns.create(_chosen(name, preset, file, flags), replace=replace)
    tell_plan(found, as_json)


@campaign.command()
def run(
    name: Name,
    workers: Annotated[
        int | None, typer.Option(help="Processes here, one thread each; 0: this one.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="A Dask scheduler's address instead, tcp://host:8786.")
    ] = None,
) -> None:
    """Do what is left of a campaign. Stop it at any time: the same command goes on."""
    found = campaigns.load(name, presets=True)
    count = (os.cpu_count() or 1) if workers is None else workers
    if not 0 <= count <= MOST_WORKERS:
        raise ConfigError(f"workers must be 0 to {MOST_WORKERS}, got {count}")
    waiting = found.pending()
    if any(c.clock.kind == "wall" for c in waiting) and (scheduler or count > 1):
        raise ConfigError("runs on the wall clock need the machine for themselves; --workers 1")
    if waiting:
        pool, many = pools.cluster(scheduler) if scheduler else (pools.local(count), count or 1)
        try:
            with Bars(len(found.configs), waiting, many) as bars:
                found.run(pool, bars.ended)
        except KeyboardInterrupt:
            notes.print(f"stopped; `bolt campaign run {name}` goes on from here")
            tell_states(found)
            raise
    tell_states(found)
    if found.pending():
        raise typer.Exit(1)
    notes.print(f"`bolt campaign report {name}` makes its tables and figures")


@campaign.command()
def status(
    name: Annotated[str | None, typer.Argument(help="Of the campaign; default: all.")] = None,
    as_json: AsJson = False,
) -> None:
    """How far a campaign is, by benchmark, and what failed."""
    if name is None:
        rows = [counts_or_trouble(each) for each in campaigns.names()]
        if as_json:
            print_json(rows)
            return
        for row in rows:
            told = row.get("broken") or f"{row['finished']} of {row['runs']} runs finished"
            console.print(f"{row['name']}: {told}", soft_wrap=True)
        if not rows:
            console.print("no campaign yet; begin with `bolt campaign run tiny`")
        return
    found = campaigns.load(name)
    if as_json:
        print_json(counts(found))
        return
    console.print(table(found))
    tell_states(found)


@campaign.command("report")
def make_report(
    name: Annotated[str | None, typer.Argument(help="Of the campaign.")] = None,
    source: Annotated[
        Path | None, typer.Option("--from", help=f"A {results.FILE} instead of records.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write into.")] = None,
    only: Annotated[str | None, typer.Option(help="One section: table-2, figure-3, ...")] = None,
    formats: Annotated[
        str, typer.Option("--format", help="md, tex, html by commas.")
    ] = "md,tex,html",
) -> None:
    """Tables and figures from a campaign's records, or from its results file."""
    if (name is None) == (source is None):
        raise ConfigError("give a campaign's name, or --from a results file")
    if source is None and not _begun(str(name)) and _bundled(str(name)):
        source = results.BUNDLED
        notes.print(f"{name} has no finished run here; using the built-in results")
    if source is not None:
        found = results.load(source)
        folder = out or Path(f"{found.name}-report")
    else:
        found = results.gather(campaigns.load(str(name)))
        folder = out or paths.campaigns() / str(name) / "report"
    files = report.write(found, folder, formats=_words(formats), only=only)
    if source is None and only is None:
        results.save(found, folder / results.FILE)
        files.append(folder / results.FILE)
    for file in files:
        if file.parent == folder:
            console.print(str(file), soft_wrap=True)


@campaign.command()
def adopt(
    name: Name,
    files: Annotated[list[Path], typer.Argument(help="Records of runs that are in the plan.")],
) -> None:
    """Copy in finished records made elsewhere, if they are runs of the plan."""
    found = campaigns.load(name, presets=True)
    many: Counter[str] = Counter()
    for file in files:
        try:
            many["adopted" if found.adopt(file) else "already here"] += 1
        except BoltError as problem:
            notes.print(f"refused: {problem}", soft_wrap=True)
            many["refused"] += 1
    console.print(", ".join(f"{count} {what}" for what, count in many.items()))
    if many["refused"]:
        raise typer.Exit(2)


def _refuse_lost_flags(context: typer.Context) -> None:
    """A preset and a file say it all: a flag that would be overlooked is refused."""
    said = [
        f"--{flag}"
        for flag in ("seeds", "clock", "device", "speed", "noise", "engine", "horizon")
        if (source := context.get_parameter_source(flag)) and source.name == "COMMANDLINE"
    ]
    if said:
        raise ConfigError(
            f"{', '.join(said)} would change nothing: a preset or a file says all of it; give "
            "--algorithms and --benchmarks beside such flags"
        )


def _chosen(
    name: str, preset: str | None, file: Path | None, flags: plans.Grid | None
) -> plans.Plan:
    if sum(given is not None for given in (preset, file, flags)) > 1:
        raise ConfigError(
            "give a --preset, a --file, or --algorithms and --benchmarks: one of them"
        )
    if file is not None:
        return plans.read_toml(file, name)
    if flags is not None:
        return plans.Plan(name, (flags,))
    if preset is None and name not in presets.PRESETS:
        raise ConfigError(
            f"what shall {name!r} run? Give --preset ({PRESET_HELP}), --file plan.toml, "
            "or --algorithms and --benchmarks"
        )
    return presets.preset(preset or name, name)


def _begun(name: str) -> bool:
    return name in campaigns.names() and State.FINISHED in campaigns.load(name).states().values()


def _bundled(name: str) -> bool:
    return results.BUNDLED.exists() and results.load(results.BUNDLED).name == name


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in _words(text)]
    except ValueError:
        raise ConfigError(f"speed takes numbers by commas, got {text!r}") from None
