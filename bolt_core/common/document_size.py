"""Refuse documents (JSON, TOML, yaml) that are too large or too deep to be worked with."""

from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import Any

from bolt_core.common.errors import ConfigError


def check_size(document: object, max_values: int, max_depth: int) -> None:
    """Raise a ConfigError if a document has too many values or levels.

    A yaml document may be larger than its text, because it can repeat parts of itself.
    """
    count, layer = 0, [document]
    for _ in range(max_depth + 1):
        members = chain.from_iterable(_members(part) for part in layer)
        layer = list(islice(members, max_values - count + 1))
        count += len(layer)
        if not layer:
            return
        if count > max_values:
            raise ConfigError(f"it has more than {max_values:,} values")
    raise ConfigError(f"it has more than {max_depth} levels")


def _members(part: Any) -> Iterable[Any]:  # noqa: ANN401 - of a document
    if isinstance(part, Mapping):
        return part.values()
    return part if isinstance(part, list | tuple | set | frozenset) else ()
