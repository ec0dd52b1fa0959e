"""The fields of an iteration record as columns and as JSON.

Everything here is derived from the dataclasses `IterationRecord`, `Observation` and
`Hyperparameters` in `common/types`. To add a column to records, add a field to `IterationRecord`:
its type decides how it is stored, and columns (`runs/snapshot`), data frames, CSV files and the
JSON lines of record files (`store/record_format`) follow.

    int, float, bool      one column
    int | None, ...       one column, NaN where the value is None
    float | tuple         a lengthscale, or one per knob: see `runs/snapshot`
    tuple[float, ...]     a point of the unit cube, one column per coordinate
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, replace
from operator import attrgetter
from typing import Any, NamedTuple, get_origin, get_type_hints

from bolt_core.common.types import MAY_BE_NAN, Hyperparameters, IterationRecord, Observation


class Column(NamedTuple):
    """A number per pass: its name, its path in an IterationRecord and its Python type."""

    name: str
    path: str
    type: type
    optional: bool

    def parse(self, cell: float) -> float | None:
        """Return the value of a cell, in the column's type; None for NaN where None is allowed."""
        if self.optional and math.isnan(cell):
            return None
        value: float = self.type(cell)
        return value


class JsonField(NamedTuple):
    """A member of the JSON object of a pass."""

    name: str
    default: Any  # not written, and assumed where the member is missing; MISSING if required
    may_be_nan: bool  # NaN is not written, and assumed where the member is missing
    decode: Callable[[Any], Any]  # from the JSON value to the field's value


def _columns(owner: type, prefix: str = "", *, optional: bool = False) -> list[Column]:
    """Return the columns of a dataclass in the order of its fields."""
    return [
        Column(name, prefix + name, kind, optional or hint != kind)
        for name, hint in get_type_hints(owner).items()
        for kind in (int, float, bool)
        if hint in (kind, kind | None, kind | tuple[float, ...])
    ]


def _points(owner: type, prefix: str = "") -> list[str]:
    """Return the paths of the points of a dataclass."""
    return [prefix + n for n, hint in get_type_hints(owner).items() if hint == tuple[float, ...]]


def _json_field(field: Field[Any], hint: object) -> JsonField:
    default = field.default if field.default_factory is MISSING else field.default_factory()
    decode: Callable[[Any], Any] = tuple if get_origin(hint) is tuple else _unchanged
    if field.name == "theta":
        decode = _theta
    return JsonField(field.name, default, field.metadata == MAY_BE_NAN, decode)


def _unchanged(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    return value


def _theta(members: Mapping[str, Any] | None) -> Hyperparameters | None:
    return None if members is None else Hyperparameters.from_json(members)


# Plain numbers come first, then flags, then numbers that may be None: the order of a data frame.
PASS_COLUMNS = sorted(
    [*_columns(Observation, "observation."), *_columns(IterationRecord)],
    key=lambda column: (column.optional, column.type is bool),
)
THETA_COLUMNS = _columns(Hyperparameters, "theta.", optional=True)
COLUMNS = (*PASS_COLUMNS, *THETA_COLUMNS)
SCALARS = tuple(column.name for column in COLUMNS)
THETA = tuple(column.name for column in THETA_COLUMNS)
POINT_PATHS = (*_points(Observation, "observation."), *_points(IterationRecord))
POINTS = tuple(path.rpartition(".")[2] for path in POINT_PATHS)
OBSERVATION = tuple(field.name for field in fields(Observation))  # members of the JSON object, too
JSON_FIELDS = tuple(
    _json_field(field, get_type_hints(IterationRecord)[field.name])
    for field in fields(IterationRecord)
    if field.name != "observation"
)

# Each reads several attributes at once; `append` and `to_json` are called in every pass.
read_pass = attrgetter(*(column.path for column in PASS_COLUMNS))
read_theta = attrgetter(*THETA)
read_points = attrgetter(*POINT_PATHS)
read_observation = attrgetter(*OBSERVATION)

UNKNOWN_THETA = (math.nan,) * len(THETA)  # of a pass before the first inference


def read_theta_cells(theta: Hyperparameters) -> tuple[float | None, ...]:
    """Return one number per column of theta; the geometric mean of lengthscales per knob."""
    cells: tuple[float | None, ...] = read_theta(theta)
    if not isinstance(theta.lengthscale_space, tuple):
        return cells
    mean = math.exp(math.fsum(map(math.log, theta.per_knob)) / len(theta.per_knob))
    return read_theta(replace(theta, lengthscale_space=mean))
