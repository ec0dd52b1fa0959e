"""What a file describes: a problem alone, or a record with everything that was told.

The content decides, not the name: a line of JSON with the kind `header` begins a record; then
come JSON and TOML, and at last yaml, in which VOCS files are written.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate
from pathlib import PurePath
from typing import Any

from bolt_core.common.bounded_read import read_bounded
from bolt_core.common.document_size import check_size
from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.text import shortened
from bolt_core.online import problem_toml, vocs
from bolt_core.online.problem_spec import MAX_NAME, ProblemSpec

MAX_NODES = 20_000  # values in a document
MAX_DEPTH = 20  # levels of a document
MAX_YAML = 100_000  # characters of a VOCS


def is_record(data: bytes) -> bool:
    """Whether a file is a record: the state of a shell, a journal, or a file of `opt.save`."""
    first = data.partition(b"\n")[0]
    try:
        line = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(line, dict) and line.get("kind") == "header"


def observations(record: bytes) -> int:
    """Return how many observations a record has, at least; it is not read for this."""
    return len(re.findall(rb'"kind"\s*:\s*"iteration"', record))


def unpacked(data: bytes, max_bytes: int) -> bytes:
    """Return the content of a file, decompressed; a ConfigError if there is too much of it."""
    try:
        return read_bounded(data, max_bytes)
    except (OSError, EOFError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ConfigError(f"the file cannot be read: {reason}") from None


def read_spec(data: bytes, name: str) -> ProblemSpec:
    """Return the problem of a TOML, JSON or VOCS file; the error names the file."""
    return problem_toml.named(shortened(name, 80), lambda: _spec(data, name))


def _spec(data: bytes, name: str) -> ProblemSpec:
    if len(data) > problem_toml.MAX_FILE_BYTES:
        raise ConfigError(f"it has more than {problem_toml.MAX_FILE_BYTES // 2**20} MiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(
            "it is neither a problem (TOML, JSON or VOCS) nor a record of `opt.save`"
        ) from None
    document, reason = _document(text)
    if document is None:
        raise ConfigError(f"it is not a problem in TOML, JSON or VOCS yaml: {reason}")
    if "variables" not in document and "vocs" not in document:
        return ProblemSpec.from_json(document)
    spec = ProblemSpec.from_vocs(document)
    title = PurePath(name).stem[:MAX_NAME].strip()
    try:
        return replace(spec, name=title)
    except BoltError:
        return spec  # a VOCS has no name, and that of the file cannot be one


def _document(text: str) -> tuple[Mapping[str, Any] | None, str]:
    """Return the table in a text, or why there is none."""
    reason = "it is empty"
    parsers: list[Callable[[str], Any]] = [json.loads, tomllib.loads]
    if len(text) <= MAX_YAML and not _is_deep(text):  # it is slow
        parsers.append(vocs.from_yaml)
    for parse in parsers:
        try:
            document = parse(text)
        except (ValueError, RecursionError) as problem:
            reason = shortened(problem, 200) or reason
            continue
        if isinstance(document, Mapping):
            check_size(document, MAX_NODES, MAX_DEPTH)
            return document, ""
    return None, reason


def _is_deep(text: str) -> bool:
    """Whether brackets are nested deeply, for which a parser of yaml takes minutes."""
    opened = accumulate((c in "[{") - (c in "]}") for c in text)
    return max(opened, default=0) > MAX_DEPTH
