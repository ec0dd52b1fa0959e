"""`bolt list`: the benchmarks and algorithms, or the details of one of them."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Annotated, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from typer import Argument
from typer import Option as Flag

from bolt_core import algorithms, benchmarks
from bolt_core.algorithms.spec import SHARED_DIFFERENCES, AlgorithmSpec
from bolt_core.benchmarks import stored_twins
from bolt_core.benchmarks.spec import COMMON_OPTIONS, BenchmarkSpec, near_constant, quasi_static
from bolt_core.benchmarks.twin import is_twin
from bolt_core.cli._parts import AsJson, add_lines, console, number_text, print_facts, print_json
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.options import Option, options_of
from bolt_core.common.types import NOMINAL_DEVICE


def list_all(
    key: Annotated[
        str | None, Argument(help="Key of a benchmark or an algorithm, to show its details.")
    ] = None,
    verbose: Annotated[
        bool, Flag("--verbose", help="Show where the algorithms differ from their sources.")
    ] = False,
    delete: Annotated[
        bool, Flag("--delete", help="Delete the twin of a log; records of runs on it are kept.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the benchmarks (Table 3) and the algorithms (Table 1), or show one of them.

    The twins of logs that `bolt analyse FILE --twin NAME` stored are benchmarks, too.
    """
    if delete:
        _delete(key)
        return
    moving, solving = benchmarks.catalog(), algorithms.catalog()
    if key is None:
        rows = {
            "benchmarks": [_benchmark(spec) for spec in moving.values()],
            "algorithms": [_algorithm(spec) for spec in solving.values()],
        }
        if verbose:
            rows["differences"] = [
                {"key": spec.key, "where it differs from its source": sentence}
                for spec in solving.values()
                for sentence in spec.differs
            ]
        _tables(rows, as_json)
        if verbose and not as_json:
            console.print("\n".join(SHARED_DIFFERENCES))
    elif key in moving:
        benchmark = moving[key]
        options = (*COMMON_OPTIONS, *benchmark.options)
        _show(_benchmark(benchmark), options, benchmark.notes, as_json)
    elif key in solving:
        algorithm = solving[key]
        facts = {"label": algorithm.label, **_algorithm(algorithm)}
        _show(facts, options_of(algorithm.params), algorithm.differs, as_json)
    else:
        raise UnknownNameError("benchmark or algorithm", key, [*moving, *solving])


def _delete(key: str | None) -> None:
    """Delete a stored twin; nothing else can be deleted here."""
    if key is None or not is_twin(key):
        raise ConfigError(f"only twins of logs can be deleted; give the key of one, got {key}")
    stored_twins.delete(key)
    console.print(f"deleted {key}")


def _tables(rows_by_kind: Mapping[str, list[dict[str, Any]]], as_json: bool) -> None:
    if as_json:
        print_json(rows_by_kind)
        return
    for kind, rows in rows_by_kind.items():
        title = kind.capitalize()
        table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
        add_lines(table, list(rows[0]), [[_word(cell) for cell in row.values()] for row in rows])
        console.print(table)
    for problem in (*benchmarks.problems(), *algorithms.problems()):
        console.print(str(problem), markup=False)
    console.print("bolt list KEY shows the options and notes of one of them.")


def _show(
    facts: dict[str, Any], options: Sequence[Option], notes: Sequence[str], as_json: bool
) -> None:
    if as_json:
        print_json({**facts, "options": [option.name for option in options], "notes": list(notes)})
        return
    print_facts({name: _word(value) for name, value in facts.items()})
    table = Table("option", "default", "may be", "what it is", box=SIMPLE_HEAD)
    for option in options:
        table.add_row(option.name, _word(option.default), _range(option), option.help)
    if options:
        console.print(table)
    for note in notes:
        console.print(f"- {note}")


def _benchmark(spec: BenchmarkSpec) -> dict[str, Any]:
    row = spec.row
    return {
        "key": spec.key,
        "d": spec.dimension,
        "noise": row.noise_variance,
        "R(0) s": row.cost,
        "H s": row.horizon,
        "l_T s": row.lengthscale_time,
        "quasi static": _verdict(row.quasi_static, quasi_static(row, NOMINAL_DEVICE)),
        "near const.": _verdict(row.near_constant, near_constant(row, NOMINAL_DEVICE)),
        "paper": spec.in_paper,
    }


def _algorithm(spec: AlgorithmSpec) -> dict[str, Any]:
    return {
        "key": spec.key,
        "kind": spec.kind,
        "assumes of f": spec.assumes_objective,
        "of R(n)": spec.assumes_response_time,
        "stale data": spec.stale_data,
        "guarantee": spec.guarantee,
    }


def _verdict(printed: bool | None, computed: bool) -> bool:
    """As the paper prints it; computed for the nominal device where the paper says nothing."""
    return computed if printed is None else printed


def _range(option: Option) -> str:
    if option.choices:
        return ", ".join(option.choices)
    if option.low == -option.high:
        return "true, false" if isinstance(option.default, bool) else "any"
    span = f"{option.low:g} or more" if option.high == inf else f"{option.low:g} to {option.high:g}"
    return f"{span} {option.unit}".strip()


def _word(value: Any) -> str:  # noqa: ANN401 - a cell
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in (None, ""):
        return "-"
    return number_text(value) if isinstance(value, float) else str(value)
