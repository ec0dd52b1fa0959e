"""Create the problems of a server: from a declaration, rows of a log, a file, or a simulation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from bolt_core.common.errors import BoltError, ConfigError, LimitError
from bolt_core.common.text import sentence
from bolt_core.online.adopted_record import adopt_record
from bolt_core.online.optimizer import OnlineOptimizer
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.problems import importing, problem_file, simulated_plant, steps
from bolt_core.problems.caller import Caller
from bolt_core.problems.limits import MAX_FILE_BYTES, MAX_THINK_SECONDS, PLANT_MEASUREMENTS
from bolt_core.problems.open_problem import COMPUTING, JOURNAL
from bolt_core.problems.plant_driver import PERIOD, PlantDrivers
from bolt_core.problems.problem_file import ProblemFile, SaltedHash, SimulatedPlant, new_token
from bolt_core.problems.reading import StoredProblems
from bolt_core.problems.steps import MeasuredRow
from bolt_core.store.ids import new_id

SEEDS = 1000  # of simulated plants


class Created(NamedTuple):
    """A new problem, and the token that opens it over HTTP; the token is given only here."""

    id: str
    token: str


class NewProblems(StoredProblems):
    """The problems in one folder: create them, and let simulated plants measure."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as the base
        super().__init__(*arguments, **options)
        self._drivers = PlantDrivers(self._now)

    def create(
        self,
        spec: ProblemSpec,
        by: Caller,
        rows: Sequence[MeasuredRow] = (),
        notes: Sequence[str] = (),
    ) -> Created:
        """Create a problem, warm-started with `rows` if there are any; return id and token.

        `notes` are sentences about it that its page shows.
        """
        self._begin_creating(by)
        self._access.check_size(by, len(rows))
        return self._stored(by, lambda folder: [*self._begin(folder, spec, rows), *notes])

    def import_file(self, data: bytes, name: str, by: Caller) -> Created:
        """Create a problem from a file, by its content; `name` is the file's name.

        It is a problem file (TOML), a VOCS (yaml or JSON), a problem as JSON, the state of a shell
        (`problem.toml.state.jsonl`), or a record of `opt.save`.
        """
        self._begin_creating(by)
        if len(data) > MAX_FILE_BYTES:
            raise LimitError(f"the file has more than {MAX_FILE_BYTES // 2**20} MiB")
        content = importing.unpacked(data, MAX_FILE_BYTES)
        if importing.is_record(content):
            self._access.check_size(by, importing.observations(content))
            return self._stored(by, lambda folder: _adopt(folder, content))
        spec = importing.read_spec(content, name)
        return self._stored(by, lambda folder: self._begin(folder, spec, ()))

    def create_simulated(self, by: Caller) -> Created:
        """Create a problem with a simulated plant, and let it run for some 20 seconds.

        The plant is measured once per minute of its own time, two minutes per second. Its time
        begins so long ago that it reaches the present when the plant has been measured.
        """
        self._begin_creating(by)
        self._drivers.check_room()
        began = self._now() - (PLANT_MEASUREMENTS + 1) * PERIOD
        plant = SimulatedPlant(math.floor(began.timestamp()) % SEEDS, began)
        created = self._stored(
            by, lambda folder: self._begin(folder, simulated_plant.SPEC, ()), plant
        )
        self._drivers.start(self._open(created.id), plant)
        return created

    def start_plant(self, id: str, by: Caller) -> None:
        """Let the simulated plant measure about 40 settings, two per second.

        Its time goes on after the last measurement, and so may run ahead of the clock.
        """
        self.check(id, by)
        plant = self._file(id).plant
        if plant is None:
            raise ConfigError("this problem has no simulated plant")
        self._drivers.start(self._open(id), plant)

    def stop_plant(self, id: str, by: Caller) -> None:
        """Stop the simulated plant after its present measurement."""
        self.check(id, by)
        self._drivers.stop(id)

    def is_running(self, id: str) -> bool:
        """Whether the simulated plant of this problem is running."""
        return self._drivers.is_running(id)

    def delete(self, id: str, by: Caller) -> None:
        """Move the problem into the trash, where it stays for a day; its plant is stopped."""
        self.check(id, by)
        self._drivers.stop(id)
        super().delete(id, by)

    def shutdown(self) -> None:
        """Stop simulated plants, sync and release every journal."""
        self._drivers.shutdown()
        super().shutdown()

    def check_create(self, by: Caller) -> None:
        """Raise an error unless this caller may create a problem; it does not count as one."""
        self._access.check_create(by, self._files())

    def _begin_creating(self, by: Caller) -> None:
        self.check_create(by)
        self._access.count_new(by)

    def _files(self) -> Iterator[ProblemFile]:
        for id in self.ids():
            with suppress(BoltError):  # damaged, or deleted meanwhile
                yield self._file(id)

    def _begin(self, folder: Path, spec: ProblemSpec, rows: Sequence[MeasuredRow]) -> list[str]:
        opt = OnlineOptimizer(spec, journal=folder / JOURNAL)
        opt.max_think_seconds = MAX_THINK_SECONDS
        try:
            steps.tell_rows(opt, self._now(), rows)
        finally:
            opt.close()
        return []

    def _stored(
        self, by: Caller, begin: Callable[[Path], list[str]], plant: SimulatedPlant | None = None
    ) -> Created:
        """Create the folder of a problem, as a whole or not at all."""
        id, token = new_id(), new_token()
        owner = None if by.is_program or by.cookie is None else SaltedHash.of(by.cookie)
        with self._folder.creating(id) as folder:
            with COMPUTING:
                notes = begin(folder)
            problem = ProblemFile(
                id, self._now(), owner, SaltedHash.of(token), plant, tuple(map(sentence, notes))
            )
            problem_file.write(folder, problem)
        return Created(id, token)


def _adopt(folder: Path, content: bytes) -> list[str]:
    """Write the journal of a problem from a record; return remarks on what was assumed."""
    source = folder / "imported.jsonl"
    source.write_bytes(content)
    try:
        return adopt_record(source, folder / JOURNAL)
    except BoltError as problem:
        raise ConfigError(str(problem).replace(str(source), "the file")) from None
    finally:
        source.unlink()
