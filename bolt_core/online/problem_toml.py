"""Problem files in TOML: reading them with the standard library, writing them by hand."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from bolt_core.common.errors import ConfigError, UnknownNameError

MAX_FILE_BYTES = 2**20  # of a problem file
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")

T = TypeVar("T")


def read(path: str | Path) -> Mapping[str, Any]:
    """Return the document of a TOML file."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError(f"it is not valid TOML: {problem}") from None


def read_text(path: str | Path) -> str:
    """Return the text of a small file; a ConfigError says why it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
        if len(raw) > MAX_FILE_BYTES:
            raise ConfigError(f"it has more than {MAX_FILE_BYTES // 2**20} MiB")
        return raw.decode("utf-8-sig")
    except OSError as problem:
        raise ConfigError(f"it cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError("it is not UTF-8; save it with that encoding") from None


def named(path: str | Path, load: Callable[[], T]) -> T:
    """Return what `load` returns; put the file's name before the reason of an error."""
    try:
        return load()
    except (ConfigError, UnknownNameError) as problem:
        raise ConfigError(f"{path}: {problem}") from None


def dumps(document: Mapping[str, Any]) -> str:
    """Return a document of scalars, lists and tables as TOML; tables come last, as TOML asks."""
    lines: list[str] = []
    _write_table(document, (), lines)
    return "\n".join(lines) + "\n"


def _write_table(table: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    if path and (plain or not table):
        lines += ["", f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(key)} = {scalar(value)}" for key, value in plain.items()]
    for key, value in table.items():
        if isinstance(value, Mapping):
            _write_table(value, (*path, key), lines)


def _key(key: str) -> str:
    return key if BARE_KEY.match(key) else _text(key)


def _text(text: str) -> str:
    """Return a basic string; JSON's escapes are TOML's, except that TOML escapes DEL as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def scalar(value: object) -> str:
    """Return a value, or a list of values, as TOML."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(scalar, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return _text(str(value))
