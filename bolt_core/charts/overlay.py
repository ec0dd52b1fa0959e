"""Races laid over each other as one, to compare them.

They are compared on one benchmark, up to the time that all of them have reached, and on the seeds
that all of them have. What is left out for that is said in `RaceSnapshot.notes`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, count

from bolt_core.common.text import listed, seed_numbers
from bolt_core.runs.own_problem import is_own_problem
from bolt_core.runs.race_snapshot import RaceSnapshot, disturbance, race_status
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.listing import benchmark_label


def overlay_races(
    race_id: str, races: Sequence[RaceSnapshot], names: Sequence[str] = ()
) -> RaceSnapshot:
    """Return races as one.

    Only races on the benchmark of the first are taken. `names` are those of the races; a race
    without a name is called "race 2" by its place.
    """
    by_title = dict(zip(_titles(races, names), races, strict=True))
    benchmark = races[0].runs[0].config.benchmark
    fitting = {
        title: race
        for title, race in by_title.items()
        if race.runs[0].config.benchmark == benchmark
    }
    notes = [_left_out(title, race) for title, race in by_title.items() if title not in fitting]
    if len(fitting) == 1:
        return replace(races[0], race_id=race_id, notes=tuple(notes))
    seeds = _common_seeds(fitting)
    notes += _seed_notes(fitting, seeds)
    runs = tuple(
        replace(run, race=title)
        for title, race in fitting.items()
        for run in race.runs
        if not seeds or run.config.seed in seeds
    )
    t = min(race.t for race in fitting.values())
    return RaceSnapshot(
        race_id,
        race_status({race.status for race in fitting.values()}),
        runs,
        t,
        max(race.horizon or 0.0 for race in fitting.values()) or None,
        disturbed=disturbance(runs),
        common_horizon=t if any(race.horizon == t for race in fitting.values()) else None,
        notes=tuple(notes),
    )


def _titles(races: Sequence[RaceSnapshot], names: Sequence[str]) -> list[str]:
    """Return a title for each race that no other has: its name, or its place."""
    titles: list[str] = []
    for i in range(len(races)):
        name = names[i] if i < len(names) else ""
        with_place = (f"{name} race {place}".strip() for place in count(i + 1))
        choices = chain([name] if name else [], with_place)
        titles.append(next(title for title in choices if title not in titles))
    return titles


def _left_out(title: str, race: RaceSnapshot) -> str:
    first = race.runs[0]
    label = benchmark_label(first.config, first.header)
    on = f"your own problem {label}" if is_own_problem(first) else label
    return (
        f"Left out: {title}, because it is on {on}, and races on different benchmarks cannot "
        "share a chart."
    )


def _seeds(runs: Sequence[RunSnapshot]) -> frozenset[int]:
    return frozenset(run.config.seed for run in runs)


def _common_seeds(races: Mapping[str, RaceSnapshot]) -> frozenset[int]:
    return frozenset.intersection(*(_seeds(race.runs) for race in races.values()))


def _seed_notes(races: Mapping[str, RaceSnapshot], common: frozenset[int]) -> list[str]:
    """Return a sentence on races whose seeds differ, in a list; empty if they do not."""
    if all(_seeds(race.runs) == common for race in races.values()):
        return []
    own = listed(
        [f"{title} has {seed_numbers(_seeds(race.runs))}" for title, race in races.items()]
    )
    if not common:
        return [f"The seeds differ: {own}. No seed is common to all, so all seeds are shown."]
    return [f"The seeds differ: {own}. The comparison uses only {seed_numbers(common)}."]
