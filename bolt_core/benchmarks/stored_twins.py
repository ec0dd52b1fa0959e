"""Twins of logs on disk: one JSON file each, `BOLT_HOME/twins/<key>.json`.

The key is a hash of the content (`twin.py`), so a file is never changed once it is written, and a
file whose content has another hash is damaged: it is left out and listed with the reason, as a bad
plug-in is. A key that is not `twin-` and 12 hexadecimal digits names no file.
"""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from bolt_core.benchmarks.spec import BenchmarkSpec
from bolt_core.benchmarks.twin import TwinDefinition, is_twin, spec_of
from bolt_core.common import files, paths
from bolt_core.common.errors import (
    BoltError,
    ConfigError,
    DataError,
    MissingPackageError,
    TwinNotStoredError,
)
from bolt_core.common.registry import PluginProblem
from bolt_core.common.text import shortened

SUFFIX = ".json"
MAX_BYTES = 4 * 1024 * 1024  # of a file
MAX_TWINS = 200  # stored


@dataclass(frozen=True)
class Stored:
    """The twins of a directory, as they were when it last changed."""

    specs: Mapping[str, BenchmarkSpec]
    problems: tuple[PluginProblem, ...]


EMPTY = Stored(MappingProxyType({}), ())
_lock = threading.Lock()
_known: tuple[tuple[Path, int], Stored] | None = None  # the directory and its time of change
_read: dict[tuple[Path, int, int], BenchmarkSpec] = {}  # by file, its time of change and its size


def stored() -> Stored:
    """Return the stored twins; the directory is read again when a file came or went."""
    global _known
    try:
        directory = paths.twins()
        version = (directory, directory.stat().st_mtime_ns)
    except (OSError, MissingPackageError):  # nothing was stored, or nothing can be
        return EMPTY
    with _lock:
        if _known is None or _known[0] != version:
            _known = (version, _scanned(directory))
        return _known[1]


def save(definition: TwinDefinition) -> str:
    """Store a twin unless it is stored, and return its key; it must be a usable function."""
    path = _path_of(definition.key)
    if path.exists():
        return definition.key
    check_usable(definition)
    if len(stored().specs) >= MAX_TWINS:
        raise ConfigError(
            f"{MAX_TWINS} twins are stored, which is the limit; delete one first "
            "(`bolt list KEY --delete`)"
        )
    files.write_atomically(path, json.dumps(definition.to_json()).encode())
    _forget()
    return definition.key


def load(key: str) -> TwinDefinition:
    """Return the stored twin of a key.

    Raise a TwinNotStoredError if there is none, a DataError if its file is damaged.
    """
    path = _path_of(key)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise TwinNotStoredError(key) from None
    except OSError as problem:
        raise DataError(f"cannot read {path.name}: {problem.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise DataError(f"{path.name} is larger than {MAX_BYTES / 1e6:.0f} MB")
    try:
        definition = TwinDefinition.from_json(json.loads(raw))
    except (BoltError, ValueError, RecursionError) as problem:
        raise DataError(f"{path.name} is no twin of a log: {shortened(problem)}") from None
    if definition.key != key:
        raise DataError(f"{path.name} is damaged: its content has the key {definition.key}")
    return definition


def find(key: str) -> BenchmarkSpec | None:
    """Return the benchmark of a key, stored a moment ago by another process perhaps, or None."""
    if key in (specs := stored().specs):
        return specs[key]
    if not is_twin(key) or not _path_of(key).exists():
        return None
    return spec_of(load(key))


def delete(key: str) -> None:
    """Delete a stored twin, or its damaged file; records of runs on it are kept."""
    try:
        _path_of(key).unlink()
    except FileNotFoundError:
        raise ConfigError(f"no twin {key} is stored; `bolt list` shows those that are") from None
    except OSError as problem:
        raise ConfigError(f"cannot delete {key}: {problem.strerror}") from None
    _forget()


def check_usable(definition: TwinDefinition) -> None:
    """Raise a ConfigError if the sampled function cannot be computed."""
    middle = np.full(definition.dimension, 0.5)
    with np.errstate(all="ignore"):
        values = definition.path().f(middle, np.linspace(0.0, definition.horizon, 5))
    if not np.isfinite(values).all():
        raise ConfigError(f"the twin {definition.name!r} has values that are not finite")


def _path_of(key: str) -> Path:
    """Return the file of a key; a key of another form is refused, a path among them."""
    if not is_twin(key):
        raise ConfigError(
            f"the key of a twin is twin- and 12 hexadecimal digits, got {shortened(repr(key), 60)}"
        )
    return paths.twins() / f"{key}{SUFFIX}"


def _forget() -> None:
    global _known
    with _lock:
        _known = None


def _scanned(directory: Path) -> Stored:
    """Read what is new in the directory."""
    specs: dict[str, BenchmarkSpec] = {}
    problems = []
    found = sorted(path for path in directory.glob(f"*{SUFFIX}") if not path.name.startswith("."))
    before = dict(_read)
    _read.clear()
    for path in found[: 2 * MAX_TWINS]:
        try:
            status = path.stat()
            version = (path, status.st_mtime_ns, status.st_size)
            spec = before.get(version) or spec_of(load(path.stem))
        except (BoltError, OSError) as problem:
            problems.append(PluginProblem(f"the file {path.name} in twins", shortened(problem)))
        else:
            specs[spec.key] = _read[version] = spec
    return Stored(MappingProxyType(specs), tuple(problems))
