"""`bolt campaign pack`, `unpack` and `drop`: carry runs to another machine, or run some again."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns import packing, packs, presets
from bolt_core.campaigns.campaign import run_name
from bolt_core.campaigns.selection import Selection
from bolt_core.cli._campaign_words import print_progress
from bolt_core.cli._parts import ChosenAlgorithms, ChosenBenchmarks, FirstSeeds, console, notes
from bolt_core.common.errors import ConfigError
from bolt_core.common.text import counted

Name = Annotated[str, Argument(help="Name of the campaign.")]


def pack(
    name: Name,
    out: Annotated[
        Path | None, Option(help=f"The file to write; default: NAME{packs.SUFFIX} here.")
    ] = None,
    replace: Annotated[
        bool,
        Option(
            help="Overwrite any file, also one with other runs, and summarise every record again."
        ),
    ] = False,
) -> None:
    """Write the results of all finished runs to one small file, which `unpack` reads elsewhere.

    The campaign may be running. A pack of the same name grows: what it has is not computed again.
    """
    path = out or Path(f"{name}{packs.SUFFIX}")
    loaded = campaigns.load(name)
    packed = packing.pack(loaded, path, replace=replace)
    size = path.stat().st_size
    for key, reason in packed.damaged.items():
        notes.print(f"left out: {run_name(loaded.configs[key])}: {reason}", soft_wrap=True)
    console.print(f"{path}: {counted(packed.runs, 'run')}, {size:,} bytes", soft_wrap=True)


def unpack(
    file: Annotated[Path, Argument(help="A file that `bolt campaign pack` wrote.")],
    name: Annotated[
        str | None, Option(help="Campaign to add the runs to; default: that of the pack.")
    ] = None,
    replace: Annotated[
        bool, Option(help="Where both have a run with different results, take the newer.")
    ] = False,
) -> None:
    """Add the finished runs of a pack to a campaign: they count as finished and are not run again.

    Without a campaign of that name, one is planned as in the pack. Several packs may be added.
    """
    unpacked = packing.unpack(file, name, replace=replace)
    loaded = unpacked.campaign
    counts = {
        "new": unpacked.new,
        "replaced": unpacked.replaced,
        "already here": unpacked.present,
        "not in the plan": unpacked.unplanned,
    }
    words = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    console.print(f"{loaded.plan.name}: {words or 'the pack is empty'}", soft_wrap=True)
    if loaded.plan.name in presets.PRESETS and loaded.plan != presets.preset(loaded.plan.name):
        notes.print(
            "its plan is not that of the preset, which `bolt campaign plan "
            f"{loaded.plan.name} --replace` takes; runs that are in both plans still count",
            soft_wrap=True,
        )
    print_progress(loaded)


def drop(
    name: Name,
    algorithms: ChosenAlgorithms = None,
    benchmarks: ChosenBenchmarks = None,
    seeds: FirstSeeds = None,
    before: Annotated[
        str | None, Option(help="Only runs of code that does not contain this commit.")
    ] = None,
) -> None:
    """Make runs count no longer, so that `run` makes them again, as after a change of the code.

    Their records are moved to the folder `dropped` of the campaign, from where `adopt` takes them
    back; a pack that has them still has them.
    """
    if all(choice is None for choice in (algorithms, benchmarks, seeds, before)):
        raise ConfigError(
            "choose the runs to drop with --algorithms, --benchmarks, --seeds or --before"
        )
    loaded = campaigns.load(name)
    selection = Selection.from_words(algorithms, benchmarks, seeds)
    count = packing.drop(loaded, selection, before)
    console.print(f"{counted(count, 'run')} dropped")
    print_progress(loaded)
