"""The versions of the record format, of which a version of this package reads some.

Schema 2 has what readers of schema 1 would misread: one lengthscale per knob, knobs with levels, or
knobs on a logarithmic scale.
Any other record has schema 1, so that older versions read it.
"""

from collections.abc import Mapping
from typing import Any

from bolt_core.common.types import RunConfig

SCHEMA = 1
KNOBS_SCHEMA = 2
SCHEMAS = (SCHEMA, KNOBS_SCHEMA)
KIND_OF_FILE = f"a BOLT record of schema {SCHEMA} or {KNOBS_SCHEMA}"


def schema_of(config: RunConfig, header: Mapping[str, Any]) -> int:
    """Return the schema of a record with this config and header."""
    logarithmic = any(knob.get("scale") == "log" for knob in header.get("knobs", ()))
    return KNOBS_SCHEMA if config.engine.ard or "domain" in header or logarithmic else SCHEMA
