"""The twin of a log in the header of a record: its definition, checked before it is stored.

A run on a twin can only be repeated where the twin is stored. Its record therefore carries the
definition, and an import stores it. It is data of someone else: every value is checked, and its
hash must be the key of the benchmark that the run names.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from bolt_core.benchmarks import stored_twins
from bolt_core.benchmarks.twin import TwinDefinition
from bolt_core.common.errors import BoltError, RecordError
from bolt_core.common.text import shortened

FIELD = "twin"  # of a header
MAX_TWINS_PER_FILE = 10


def twin_in(header: Mapping[str, Any]) -> TwinDefinition | None:
    """Return the twin of a checked header, or None; a RecordError says what is wrong with it."""
    if header.get(FIELD) is None:
        return None
    try:
        definition = TwinDefinition.from_json(header[FIELD])
    except BoltError as problem:
        raise RecordError(f"its twin is not valid: {shortened(problem)}") from None
    named = header["config"]["benchmark"]
    if definition.key != named:
        raise RecordError(
            f"its twin has the key {definition.key}, and the run is on {shortened(named, 40)!r}"
        )
    if definition.dimension != header["dimension"]:
        raise RecordError(
            f"its twin has {definition.dimension} knobs instead of {header['dimension']}"
        )
    return definition


def store_twins(definitions: Iterable[TwinDefinition]) -> None:
    """Store the twins of an import; a RecordError says which cannot be."""
    for definition in definitions:
        try:
            stored_twins.save(definition)
        except BoltError as problem:
            raise RecordError(f"its twin cannot be stored: {problem}") from None


def without_twin(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a header for lists of many records: without the rows of a twin."""
    return {name: value for name, value in header.items() if name != FIELD}
