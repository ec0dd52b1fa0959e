"""BOLT as a generator of gest-api, which Xopt, optimas and libEnsemble can drive.

    from gest_api.vocs import VOCS
    vocs = VOCS(variables={"feed": [0, 8]}, objectives={"yield": "MAXIMIZE"})
    generator = BoltGenerator(vocs, seed=1)
    points = generator.suggest(1)                  # [{"feed": 3.2, "_id": 1}]
    generator.ingest([{**points[0], "yield": 71.3}])

A VOCS with constraints, several objectives, contextual variables or arrays is refused. This module
needs gest-api (the extra `gest`) and is imported only by programs that use it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bolt_core.common.errors import ConfigError
from bolt_core.common.packages import require
from bolt_core.online.optimizer import Bolt
from bolt_core.online.problem_spec import ProblemSpec

require("BoltGenerator", "gest_api")
from gest_api.generator import Generator  # noqa: E402
from gest_api.vocs import VOCS  # noqa: E402

if TYPE_CHECKING:
    import pandas as pd

ID = "_id"  # gest-api's key for the number of a suggestion
FAILED = "xopt_error"  # Xopt's key for an evaluation that raised


def epoch_seconds() -> float:
    """Return seconds since 1970, the scale of `time.time`."""
    return datetime.now(UTC).timestamp()


class BoltGenerator(Generator):
    """BOLT behind `suggest` and `ingest`; `optimizer` is the `Bolt` that does the work.

    vocs      variables, one objective, constants and observables
    time      the name of a result with the time of the measurement, in seconds since 1970;
              without it a result was measured when it is ingested
    now       the time now on the scale of `time`, for times that are not those of this machine
    options   of `Bolt`, such as seed, warmup, ard or think_within
    """

    name = "bolt"
    returns_id = True

    def __init__(
        self,
        vocs: VOCS,
        *,
        time: str | None = None,
        now: Callable[[], float] = epoch_seconds,
        **options: Any,  # noqa: ANN401 - checked by Bolt
    ) -> None:
        super().__init__(vocs)
        if "journal" in options:
            raise ConfigError(
                "a generator has no journal, because the programs that use it copy it; "
                "save it with generator.optimizer.save(path)"
            )
        self.vocs = vocs
        self._time, self._now, self._options = time, now, options
        self._newest = -math.inf  # on the scale of `time`
        self.optimizer = Bolt(_spec_of(vocs), **options)

    def _validate_vocs(self, vocs: VOCS) -> None:
        """Raise a ConfigError, which is a ValueError, that names what is not supported."""
        _spec_of(vocs)

    def suggest(self, num_points: int | None = None) -> list[dict[str, Any]]:
        """Return so many settings (default: one), with the constants and a number under `_id`.

        Those without a result yet count as observed at their mean when the next one is chosen.
        """
        count = 1 if num_points is None else num_points
        if type(count) is not int or count < 0:
            raise ConfigError(f"num_points must be a whole number from 0, got {num_points!r}")
        constants = {name: constant.value for name, constant in self.vocs.constants.items()}
        return [{**self._ask(), **constants, ID: self.optimizer.last_id} for _ in range(count)]

    def ingest(self, results: Sequence[Mapping[str, Any]]) -> None:
        """Add results; those with an `_id` answer that suggestion, others are welcome too.

        A result that is not finite, or that Xopt marks as an error, counts as failed. All results
        are checked before the first one is added.
        """
        if not results:
            return
        names = list(self.vocs.variables)
        xs = [{name: _value(row, name) for name in names} for row in results]
        ids = [self._id(row) for row in results]
        times = [self._measured_at(row) for row in results]
        ys = [self._outcome(row) for row in results]
        stamps = [None if t is None else datetime.fromtimestamp(t, UTC) for t in times]
        self.optimizer.tell_all(xs, stamps, ys, ids=ids)
        self._newest = max([self._newest, *(t for t in times if t is not None)])

    def finalize(self) -> None:
        """Do nothing: every result is learned from when it is ingested."""

    def add_data(self, data: pd.DataFrame) -> None:
        """Ingest results of an earlier run: Xopt calls this with the data that it starts from."""
        if self._time is None:
            raise ConfigError(
                "earlier results need their times: BoltGenerator(vocs, time=NAME), "
                "where NAME is the column with seconds since 1970"
            )
        rows = data.drop(columns=ID, errors="ignore").to_dict("records")
        self.ingest([{str(name): value for name, value in row.items()} for row in rows])

    @property
    def data(self) -> pd.DataFrame:
        """The log of the optimizer; setting it to an empty frame starts again, as Xopt may ask."""
        return self.optimizer.log()

    @data.setter
    def data(self, frame: pd.DataFrame) -> None:
        if len(frame):
            raise ConfigError(
                "results cannot be replaced; take the last ones back with "
                "generator.optimizer.undo(), or begin with a new generator"
            )
        self.optimizer, self._newest = Bolt(_spec_of(self.vocs), **self._options), -math.inf

    def _ask(self) -> dict[str, Any]:
        if self._time is None:
            return dict(self.optimizer.ask())
        self._newest = max(self._now(), self._newest)
        return dict(self.optimizer.ask(datetime.fromtimestamp(self._newest, UTC)))

    def _id(self, row: Mapping[str, Any]) -> int | None:
        """Return the number of the suggestion; a table of several rows has NaN for none."""
        number = row.get(ID)
        if number is None or (isinstance(number, float) and math.isnan(number)):
            return None
        if number != int(number) or not 1 <= number <= self.optimizer.last_id:
            raise ConfigError(
                f"{ID} {number!r} was not suggested here; leave it out for a point of your own"
            )
        return int(number)

    def _measured_at(self, row: Mapping[str, Any]) -> float | None:
        if self._time is None:
            return None
        if row.get(FAILED):  # it raised before it could give a time
            return self._now()
        seconds = _value(row, self._time)
        if isinstance(seconds, int | float) and math.isfinite(seconds):
            return float(seconds)
        raise ConfigError(f"{self._time!r} must be finite seconds, got {seconds!r}")

    def _outcome(self, row: Mapping[str, Any]) -> float:
        (name,) = self.vocs.objectives
        if name not in row and row.get(FAILED):
            return math.nan
        value: float = _value(row, name)
        return value


def _spec_of(vocs: VOCS) -> ProblemSpec:
    return ProblemSpec.from_vocs(vocs.model_dump())


def _value(row: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401 - checked where it is used
    if name not in row:
        raise ConfigError(f"a result has no {name!r}; it has {', '.join(map(repr, row))}")
    return row[name]
