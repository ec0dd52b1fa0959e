"""`bolt campaign`: plan, run and resume many runs, and report their results."""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from bolt_core import report
from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns import parent_watch, pools, presets, results
from bolt_core.campaigns import plan as plans
from bolt_core.campaigns.campaign import State
from bolt_core.campaigns.selection import Selection
from bolt_core.cli._campaign_bar import Bars
from bolt_core.cli._campaign_words import (
    counts,
    counts_or_error,
    print_commits,
    print_plan,
    print_progress,
    progress_table,
)
from bolt_core.cli._parts import (
    ENGINE_HELP,
    AsJson,
    ChosenAlgorithms,
    ChosenBenchmarks,
    Device,
    FirstSeeds,
    PluginLimit,
    console,
    notes,
    print_json,
)
from bolt_core.common import checkout, paths
from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.options import split_words
from bolt_core.runs.timed_call import TIME_LIMIT_SECONDS

campaign = typer.Typer(
    help="Many runs: algorithms x benchmarks x seeds, resumable, with a report.",
    no_args_is_help=True,
)
MAX_WORKERS = 256
PRESET_HELP = ", ".join(presets.PRESETS)
Name = Annotated[str, Argument(help=f"Name of the campaign, or a preset: {PRESET_HELP}.")]


@campaign.command()
def plan(
    context: typer.Context,
    name: Name,
    preset: Annotated[str | None, Option(help=f"Start from {PRESET_HELP}.")] = None,
    file: Annotated[
        Path | None, Option(help=r"A TOML file with \[\[grid]] tables; see the Guide, Campaigns.")
    ] = None,
    algorithms: Annotated[
        str | None, Option(help="Keys separated by commas, or table2, paper, all.")
    ] = None,
    benchmarks: Annotated[
        str | None, Option(help="Keys separated by commas, or paper, all.")
    ] = None,
    seeds: Annotated[int, Option(help="Runs per cell: seeds 0, 1, ...")] = 1,
    clock: Annotated[str, Option(help="model, cpu, wall; several separated by commas.")] = "model",
    device: Device = "paper",
    speed: Annotated[str, Option(help="Speed of the device; several separated by commas.")] = "1",
    noise: Annotated[str, Option(help="paper, 1pct; several separated by commas.")] = "paper",
    engine: Annotated[str, Option(help=ENGINE_HELP + " Several separated by commas.")] = "exact",
    horizon: Annotated[float | None, Option(help="Cut every run at this time, in seconds.")] = None,
    replace: Annotated[bool, Option(help="Overwrite another plan of that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Store what to run; show how many runs and hours that is. Nothing is run yet."""
    grid = {"seeds": seeds, "clock": clock, "device": device, "speed": speed, "noise": noise}
    grid |= {"engine": engine, "horizon": horizon}
    flags = None
    if algorithms is not None or benchmarks is not None:
        keys = {"algorithms": algorithms or "paper", "benchmarks": benchmarks or "paper"}
        flags = plans.grid_from(keys | grid)
    else:
        _refuse_ignored_flags(context, grid)
    planned = campaigns.create(_chosen(name, preset, file, flags), replace=replace)
    print_plan(planned, as_json)


@campaign.command()
def run(
    name: Name,
    workers: Annotated[
        int | None, Option(help="Local processes, one thread each; 0: this process.")
    ] = None,
    scheduler: Annotated[
        str | None, Option(help="Address of a Dask scheduler instead, tcp://host:8786.")
    ] = None,
    algorithms: ChosenAlgorithms = None,
    benchmarks: ChosenBenchmarks = None,
    seeds: FirstSeeds = None,
    plugin_limit: PluginLimit = TIME_LIMIT_SECONDS,
    cpu_minutes: Annotated[
        float | None,
        Option(min=0.01, help="Cut a run that takes more CPU minutes; it counts as failed."),
    ] = None,
) -> None:
    """Run what is left of a campaign. Stop it at any time: the same command continues.

    Seed by seed, the quickest runs first. Runs on the cpu clock run one at a time, with no other
    run beside them. A part of the plan can be run first (--seeds 5), and the rest later.
    """
    parent_watch.watch()
    loaded = campaigns.load(name, presets=True)
    chosen = Selection.from_words(algorithms, benchmarks, seeds)
    count = (os.cpu_count() or 1) if workers is None else workers
    if not 0 <= count <= MAX_WORKERS:
        raise ConfigError(f"workers must be 0 to {MAX_WORKERS}, got {count}")
    pending = loaded.pending(chosen)
    if any(c.clock.kind == "wall" for c in pending) and (scheduler or count > 1):
        raise ConfigError("runs on the wall clock must not share the machine; add --workers 1")
    if pending:
        _warn_of_uncommitted_changes()
        limits = pools.Limits(plugin_limit, None if cpu_minutes is None else 60.0 * cpu_minutes)
        pool, slots = (
            pools.cluster(scheduler, limits)
            if scheduler
            else (pools.local(count, limits), count or 1)
        )
        try:
            with Bars(len(chosen.of(loaded.configs.values())), pending, slots) as bars:
                loaded.run(pool, bars.ended, chosen)
        except KeyboardInterrupt:
            notes.print(f"stopped; `bolt campaign run {name}` continues")
            print_progress(loaded)
            raise
    print_progress(loaded)
    if loaded.pending(chosen):
        raise typer.Exit(1)
    if loaded.pending():
        notes.print(f"`bolt campaign run {name}` runs the rest")
    notes.print(f"`bolt campaign report {name}` makes its tables and figures")


@campaign.command()
def status(
    name: Annotated[str | None, Argument(help="Name of the campaign; default: all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the progress of a campaign by benchmark, which runs failed, and commits of the code."""
    if name is None:
        rows = [counts_or_error(each) for each in campaigns.names()]
        if as_json:
            print_json(rows)
            return
        for row in rows:
            state = row.get("broken") or f"{row['finished']} of {row['runs']} runs finished"
            console.print(f"{row['name']}: {state}", soft_wrap=True)
        if not rows:
            console.print("no campaign yet; start one with `bolt campaign run tiny`")
        return
    loaded = campaigns.load(name)
    if as_json:
        print_json(counts(loaded))
        return
    console.print(progress_table(loaded))
    print_progress(loaded)
    print_commits(loaded)


@campaign.command("report")
def make_report(
    name: Annotated[str | None, Argument(help="Name of the campaign.")] = None,
    source: Annotated[
        Path | None, Option("--from", help=f"A {results.FILE} instead of records.")
    ] = None,
    out: Annotated[Path | None, Option(help="The folder to write into.")] = None,
    only: Annotated[str | None, Option(help="One section: table-2, figure-3, ...")] = None,
    formats: Annotated[
        str, Option("--format", help="md, tex, html, separated by commas.")
    ] = "md,tex,html",
) -> None:
    """Write tables and figures from a campaign's records, or from its results file."""
    if (name is None) == (source is None):
        raise ConfigError("give a campaign's name, or --from a results file")
    if source is None and not _has_finished_run(str(name)) and _is_built_in(str(name)):
        source = results.BUNDLED
        notes.print(f"{name} has no finished run here; using the built-in results")
    if source is not None:
        summary = results.load(source)
        folder = out or Path(f"{summary.name}-report")
    else:
        summary = results.gather(campaigns.load(str(name)))
        folder = out or paths.campaigns() / str(name) / "report"
    files = report.write(summary, folder, formats=split_words(formats), only=only)
    if source is None and only is None:
        results.save(summary, folder / results.FILE)
        files.append(folder / results.FILE)
    for file in files:
        if file.parent == folder:
            console.print(str(file), soft_wrap=True)


@campaign.command()
def adopt(
    name: Name, files: Annotated[list[Path], Argument(help="Records of runs that are in the plan.")]
) -> None:
    """Copy finished records into a campaign, if they are runs of its plan."""
    loaded = campaigns.load(name, presets=True)
    count: Counter[str] = Counter()
    for file in files:
        try:
            count["adopted" if loaded.adopt(file) else "already here"] += 1
        except BoltError as problem:
            notes.print(f"refused: {problem}", soft_wrap=True)
            count["refused"] += 1
    console.print(", ".join(f"{number} {result}" for result, number in count.items()))
    if count["refused"]:
        raise typer.Exit(2)


def _warn_of_uncommitted_changes() -> None:
    """Say that the commit which records name is not all of the code."""
    if checkout.has_uncommitted_changes():
        notes.print(
            "this checkout has uncommitted changes: these runs name a commit that lacks them",
            soft_wrap=True,
        )


def _refuse_ignored_flags(context: typer.Context, flags: Iterable[str]) -> None:
    """Refuse flags that have no effect, as a preset or a file decides about all of them."""
    ignored = [
        f"--{flag}"
        for flag in flags
        if (source := context.get_parameter_source(flag)) and source.name == "COMMANDLINE"
    ]
    if ignored:
        raise ConfigError(
            f"{', '.join(ignored)} would change nothing: a preset or a file decides about it; use "
            "such flags with --algorithms and --benchmarks"
        )


def _chosen(
    name: str, preset: str | None, file: Path | None, flags: plans.Grid | None
) -> plans.Plan:
    if sum(source is not None for source in (preset, file, flags)) > 1:
        raise ConfigError("give only one of --preset, --file, or --algorithms and --benchmarks")
    if file is not None:
        return plans.read_toml(file, name)
    if flags is not None:
        return plans.Plan(name, (flags,))
    if preset is None and name not in presets.PRESETS:
        raise ConfigError(
            f"there is no preset {name!r}. Give --preset ({PRESET_HELP}), --file plan.toml, "
            "or --algorithms and --benchmarks"
        )
    return presets.preset(preset or name, name)


def _has_finished_run(name: str) -> bool:
    return name in campaigns.names() and State.FINISHED in campaigns.load(name).states().values()


def _is_built_in(name: str) -> bool:
    return results.BUNDLED.exists() and results.load(results.BUNDLED).name == name
