"""Names and tags of races, in one small file beside the records."""

import json
import threading
from collections.abc import Iterable
from pathlib import Path

from bolt_core.common import files
from bolt_core.common.errors import BoltError, RecordError

MAX_NAME_LENGTH, MAX_TAGS = 80, 8
NAMES_FILE, LOCK = "names.json", ".names.lock"
LOCK_SECONDS = 20.0  # for which an update waits for those of other processes

_updating = threading.Lock()  # the threads of this process queue here, without polling


class RaceNames:
    """The names and tags of the races of a folder. Any thread and process may change them."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def read(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Return (name, tags) by race id; what is not a name or a tag is left out."""
        try:
            content = json.loads((self._directory / NAMES_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        names = content.items() if isinstance(content, dict) else ()
        return {race_id: _parsed(given) for race_id, given in names if isinstance(given, dict)}

    def write(self, race_id: str, name: str, tags: Iterable[str]) -> None:
        """Set the name and the tags of a race; an empty name removes it."""
        kept = tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
        if len(name) > MAX_NAME_LENGTH or any(len(tag) > MAX_NAME_LENGTH for tag in kept):
            raise BoltError(f"a name or tag has at most {MAX_NAME_LENGTH} characters; shorten it")
        if len(kept) > MAX_TAGS:
            raise BoltError(f"a race has at most {MAX_TAGS} tags, got {len(kept)}; drop some")
        target = self._directory / NAMES_FILE
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with _updating, files.locked(self._directory / LOCK, LOCK_SECONDS):
                names = self.read() | {race_id: (name.strip(), kept)}
                content = {
                    key: {"name": name, "tags": list(tags)}
                    for key, (name, tags) in names.items()
                    if name or tags
                }
                files.write_atomically(target, json.dumps(content, indent=1).encode())
        except BlockingIOError:
            raise RecordError(f"{target} is being changed by another process; try again") from None
        except OSError as problem:
            raise RecordError(f"cannot write {target}: {problem.strerror}") from None


def _parsed(given: dict[str, object]) -> tuple[str, tuple[str, ...]]:
    tags = given.get("tags")
    named = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    return str(given.get("name") or ""), tuple(named)
