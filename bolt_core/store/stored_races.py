"""Changes of stored races by the visitors of a server: import, rename, delete, restore.

A race belongs to the visitor who announced or imported it: its race file holds a salted hash of the
token. Other races, such as records of `bolt run`, belong to the operator. In a shared server every
visitor may change them all.
"""

from collections.abc import Iterable
from typing import IO

from bolt_core.common.errors import NotYoursError, RecordError
from bolt_core.common.permissions import Permissions
from bolt_core.store import importing, race_file, trash
from bolt_core.store.importing import Imported
from bolt_core.store.library import Library, StoredRace
from bolt_core.store.race_file import RaceFile


class StoredRaces:
    """A library with permissions. Every method may be called from any thread.

    `by` is the token of the visitor who asks; a `NotYoursError` is raised for others' races.
    """

    def __init__(self, library: Library, permissions: Permissions) -> None:
        self._library = library
        self._permissions = permissions

    def may_change(self, race_id: str, by: str | None) -> bool:
        """Whether this visitor may continue, rename, delete and restore a race."""
        if self._permissions.may_change_all(by):
            return True
        here = self._library.find(race_id) is not None
        folder = self._library.directory if here else trash.folder(self._library, race_id)
        return race_file.belongs_to(folder, race_id, by)

    def check(self, race_id: str, by: str | None) -> None:
        """Raise a `NotYoursError` unless this visitor may change the race."""
        if not self.may_change(race_id, by):
            raise NotYoursError(
                f"race {race_id} belongs to another user; only its owner or the operator of this "
                "server may change it. You can start a copy of it"
            )

    def import_records(self, data: bytes | IO[bytes], name: str, by: str | None) -> Imported:
        """Store the records of a file and return its races and the number of new records.

        A race that was here already keeps its owner.
        """
        known = {race.race_id for race in self._library.races()}
        imported = importing.store_records(data, self._library.directory, name=name)
        for race_id in imported.race_ids:
            if race_id not in known and by is not None:
                self._note_importer(race_id, by)
        return imported

    def _note_importer(self, race_id: str, by: str) -> None:
        """Write a race file that announces no run and names the importer as the owner."""
        try:
            race_file.write(self._library.directory, RaceFile.announce(race_id, (), by))
        except OSError as problem:
            raise RecordError(
                f"race {race_id} was imported, but not that it is yours: {problem.strerror}; only "
                "the operator may rename or delete it"
            ) from None

    def rename(self, race_id: str, name: str, tags: Iterable[str], by: str | None) -> None:
        """Set the name and the tags of a race."""
        self.check(race_id, by)
        self._library.rename(race_id, name, tags)

    def delete(self, race_id: str, by: str | None) -> None:
        """Move a race into the trash."""
        self.check(race_id, by)
        trash.delete(self._library, race_id)

    def restore(self, race_id: str, by: str | None) -> None:
        """Move a race back from the trash."""
        self.check(race_id, by)
        trash.restore(self._library, race_id)

    def deleted(self, by: str | None) -> list[StoredRace]:
        """Return the races in the trash that this visitor may restore, the last deleted first."""
        races = trash.deleted(self._library)
        return [race for race in races if self.may_change(race.race_id, by)]

    def old(self, keep: int, by: str | None, busy: frozenset[str]) -> list[str]:
        """Return the ids of the races of this visitor but the `keep` last changed ones.

        Races of others do not count, and `busy` ones are never among them.
        """
        own = [race.race_id for race in self._library.races() if self.may_change(race.race_id, by)]
        return [race_id for race_id in own[keep:] if race_id not in busy]
