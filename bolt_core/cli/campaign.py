"""`bolt campaign`: many runs, planned, resumed, reported."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from bolt_core import campaign as campaigns
from bolt_core import executors, forecast, paths, plans, presets, report, results
from bolt_core.campaign import Campaign, State
from bolt_core.cli._campaign_bar import Bars
from bolt_core.cli._parts import DEVICE_HELP, ENGINE_HELP, console, notes, print_facts, print_json
from bolt_core.errors import BoltError, ConfigError
from bolt_core.forecast import duration

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
    _tell_plan(found, as_json)


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
        pool, many = (
            executors.cluster(scheduler) if scheduler else (executors.local(count), count or 1)
        )
        try:
            with Bars(len(found.configs), waiting, many) as bars:
                found.run(pool, bars.ended)
        except KeyboardInterrupt:
            notes.print(f"stopped; `bolt campaign run {name}` goes on from here")
            _tell_states(found)
            raise
    _tell_states(found)
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
        rows = [_counts_or_trouble(each) for each in campaigns.names()]
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
        print_json(_counts(found))
        return
    console.print(_table(found))
    _tell_states(found)


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
        notes.print(f"{name} has no finished run here: this is the one that comes with BOLT")
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
    counts: Counter[str] = Counter()
    for file in files:
        try:
            counts["adopted" if found.adopt(file) else "already here"] += 1
        except BoltError as problem:
            notes.print(f"refused: {problem}", soft_wrap=True)
            counts["refused"] += 1
    console.print(", ".join(f"{count} {what}" for what, count in counts.items()))
    if counts["refused"]:
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


def _tell_plan(found: Campaign, as_json: bool) -> None:
    hours, here = found.plan.hours(), os.cpu_count() or 1
    configs = found.configs.values()
    if as_json:
        print_json({**_counts(found), "core_hours": hours, "plan": found.plan.to_json()})
        return
    print_facts(
        {
            "runs": f"{len(found.configs)}: "
            + plans.counted(len({c.algorithm for c in configs}), "algorithm")
            + ", "
            + plans.counted(len({c.benchmark for c in configs}), "benchmark")
            + f", {plans.seeds_in_words(configs)}",
            "estimate": f"{duration(3600 * hours)} of one core, {duration(3600 * hours / here)} "
            f"on {here}; within a factor of two",
            "note": found.plan.note or "-",
            "folder": str(found.folder),
            "next": f"bolt campaign run {found.plan.name}",
        }
    )


def _counts(found: Campaign) -> dict[str, Any]:
    states = found.states()
    count = Counter(states.values())
    return {
        "name": found.plan.name,
        "runs": len(states),
        **{str(state): count[state] for state in State},
        "errors": {key: found.error(key) for key, s in states.items() if s == State.FAILED},
    }


def _counts_or_trouble(name: str) -> dict[str, Any]:
    try:
        return _counts(campaigns.load(name))
    except BoltError as problem:
        return {"name": name, "broken": f"broken: {problem}"}


def _begun(name: str) -> bool:
    return name in campaigns.names() and State.FINISHED in campaigns.load(name).states().values()


def _bundled(name: str) -> bool:
    return results.BUNDLED.exists() and results.load(results.BUNDLED).name == name


def _table(found: Campaign) -> Table:
    states = found.states()
    table = Table("benchmark", "runs", *map(str, State), "left, one core", box=SIMPLE_HEAD)
    for benchmark in dict.fromkeys(c.benchmark for c in found.configs.values()):
        own: Mapping[str, State] = {
            k: states[k] for k, c in found.configs.items() if c.benchmark == benchmark
        }
        count = Counter(own.values())
        rest = [found.configs[k] for k, s in own.items() if s != State.FINISHED]
        left = sum(map(forecast.cpu_seconds, rest))
        numbers = [str(count[state]) for state in State]
        table.add_row(benchmark, str(len(own)), *numbers, duration(left) if rest else "-")
    return table


def _tell_states(found: Campaign) -> None:
    counts = _counts(found)
    going = "; a process is at it" if found.running else ""
    notes.print(f"{counts['finished']} of {counts['runs']} runs finished{going}")
    for key, reason in counts["errors"].items():
        c = found.configs[key]
        notes.print(f"failed: {c.algorithm} on {c.benchmark}, seed {c.seed}: {reason}")


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in _words(text)]
    except ValueError:
        raise ConfigError(f"speed takes numbers by commas, got {text!r}") from None
