"""The last section: where the algorithms differ from their sources."""

from bolt_core import algorithms
from bolt_core.algorithms.spec import SHARED_DIFFERENCES
from bolt_core.report.model.blocks import Section
from bolt_core.report.model.cases import Cases


def section(cases: Cases) -> Section | None:
    """Return what this version does differently, one paragraph per algorithm."""
    catalog = algorithms.catalog()
    specs = [catalog[a] for a in cases.algorithms if a in catalog]
    words = [f"{spec.label}: {' '.join(spec.differs)}" for spec in specs if spec.differs]
    if not words:
        return None
    shared = " ".join(SHARED_DIFFERENCES)
    return Section(
        "differences",
        "Where the algorithms differ from their sources",
        (f"This is about the version that made the report. {shared}", *words),
    )
