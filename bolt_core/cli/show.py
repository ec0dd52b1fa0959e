"""`bolt show`: the outcome and the last passes of a recorded run, or the runs of a race."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from rich.box import SIMPLE_HEAD
from rich.table import Column, Table
from typer import Argument, Option

from bolt_core.analysis.run_outcome import NO_LATE_QUERY, STOPPED_ASKING
from bolt_core.cli._parts import console, number_text, print_facts, print_json, summary
from bolt_core.common import paths
from bolt_core.common.text import percent
from bolt_core.runs.own_problem import (
    clock_in_words,
    coordinates,
    is_own_problem,
    known_seconds,
    own_y,
)
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import race_file, records
from bolt_core.store.ids import is_valid_id
from bolt_core.store.race_file import RaceFile

COLUMNS = ("i", "t (s)", "x", "y", "f(x, t)", "best f", "regret", "n", "R(n) (s)", "n*")
SHORT_SECONDS = 10.0  # a shorter run has more decimals in its times
OF_BENCHMARKS = ("f(x, t)", "best f", "regret")  # columns that an own problem has not


def show(
    file: Annotated[
        Path, Argument(help="A record, or the id of a run or of a race in the data directory.")
    ],
    rows: Annotated[int, Option(help="How many of the last iterations to list.", min=0)] = 5,
    as_json: Annotated[bool, Option("--json", help="Print one JSON summary instead.")] = False,
) -> None:
    """Show a recorded run: its settings, its outcome and its last iterations.

    Of a race, its runs are listed with their ids.
    """
    if (race := _stored(file, race_file.SUFFIX)) is not None:
        _show_race(race_file.read(race), as_json=as_json)
        return
    file = _stored(file, records.SUFFIX) or file
    snapshot = records.read(file)
    if as_json:
        print_json({**summary(snapshot), "file": str(file)})
        return
    _facts(snapshot)
    if rows and len(snapshot):
        console.print(_last(snapshot, rows))


def _stored(name: Path, suffix: str) -> Path | None:
    """Return the file of the data directory that an id names, if there is one."""
    if not is_valid_id(str(name)) or name.exists():
        return None
    path = paths.runs() / f"{name}{suffix}"
    return path if path.is_file() else None


def _show_race(race: RaceFile, *, as_json: bool) -> None:
    """Show the runs of a race with their ids; one whose record is missing has no outcome."""
    rows: list[dict[str, Any]] = []
    for planned in race.runs:
        path = paths.runs() / f"{planned.run_id}{records.SUFFIX}"
        row: dict[str, Any] = {
            "run_id": planned.run_id,
            "algorithm": planned.config.algorithm,
            "seed": planned.config.seed,
            "status": "no record",
            "average_regret": None,
        }
        rows.append(row | (summary(records.read(path)) if path.is_file() else {}))
    if as_json:
        print_json({"race_id": race.race_id, "runs": rows})
        return
    headings = (Column("run", no_wrap=True), "algorithm", "seed", "status", "average\nregret")
    table = Table(*headings, "queries", box=SIMPLE_HEAD)
    for row in rows:
        regret = (row["average_regret"] or {}).get("over_queries")
        words = (str(row[name]) for name in ("run_id", "algorithm", "seed", "status"))
        table.add_row(*words, number_text(regret), number_text(row.get("iterations")))
    console.print(table)


def _facts(snapshot: RunSnapshot) -> None:
    outcome, header = summary(snapshot), snapshot.header or {}
    regret = outcome["average_regret"]
    lines = {
        "run": f"{outcome['run_id']}, started {header.get('started')}",
        "status": outcome["status"] + (f": {outcome['error']}" if outcome["error"] else ""),
        "benchmark": f"{header.get('label')} ({outcome['source']})",
        "algorithm": f"{outcome['algorithm']}, seed {outcome['seed']}",
        "clock": clock_in_words(snapshot.config, header),
        "noise variance": number_text(outcome["noise_variance"]),
        "iterations": f"{outcome['iterations']} in {number_text(outcome['seconds'])} s",
        "average regret": f"{number_text(regret['over_queries'])} over queries, "
        f"{number_text(regret['over_time'])} over time (without warm-up)",
        "with warm-up": f"{number_text(regret['over_queries_with_warmup'])} over queries, "
        f"{number_text(regret['over_time_with_warmup'])} over time",
        "held regret": _held(snapshot, outcome),
        "dataset at the end": f"n = {outcome['n']}, n* = {outcome['n_star'] or 'none'}",
        "in space": _in_space(outcome),
        "machine": f"{header.get('cpu')}, {header.get('blas_threads')} BLAS thread",
    }
    if is_own_problem(snapshot):
        lines["status"] = "saved by opt.save"
    print_facts(lines)


def _held(snapshot: RunSnapshot, outcome: Mapping[str, Any]) -> str:
    """Return the held regret as text, or why there is none, and whether the run stopped asking."""
    value = outcome["held_regret"]
    stopped = f"; {STOPPED_ASKING}: {NO_LATE_QUERY}" if outcome["stopped_asking"] else ""
    if value is not None:
        return f"{number_text(value)} over time, each setting held until the next query{stopped}"
    known = outcome["average_regret"]["over_queries_with_warmup"] is not None
    reason = "warm-up not over, or unknown benchmark" if known else "no known optimum"
    return f"- ({reason if len(snapshot) else 'no query'}){stopped}"


def _in_space(outcome: Mapping[str, Any]) -> str:
    """Return how often the run queried corners and saw no structure in space, as text."""
    corners, blind = outcome["corner_share"], outcome["no_structure_share"]
    if corners is None:
        return "- (no query after the warm-up)"
    passes = "" if blind is None else f"; l_S > sqrt(d) in {percent(blind)} of passes"
    return f"{percent(corners)} of queries at corners{passes}"


def _last(snapshot: RunSnapshot, rows: int) -> Table:
    own = is_own_problem(snapshot)
    table = Table(*(name for name in COLUMNS if not (own and name in OF_BENCHMARKS)))
    decimals = 2 if snapshot.end >= SHORT_SECONDS else 4
    measured = own_y(snapshot)[-rows:].tolist()
    for record, y in zip(snapshot.records[-rows:], measured, strict=True):
        o = record.observation
        truth = () if own else (record.value, record.best, record.regret)
        table.add_row(
            str(o.i),
            f"{o.t:,.{decimals}f}",
            " ".join(coordinates(snapshot, o.x, 3)),
            *(number_text(v) for v in (y, *truth)),
            str(record.n),
            number_text(known_seconds(snapshot, record)),
            number_text(record.n_star),
        )
    return table
