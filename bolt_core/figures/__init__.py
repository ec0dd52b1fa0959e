"""Pure functions from snapshots to plain dicts in plotly's schema, and to words."""

from bolt_core.figures.lanes import label
from bolt_core.figures.palette import colours
from bolt_core.figures.race import average_regret, dataset_size
from bolt_core.figures.words import headline, significant, standings

__all__ = [
    "average_regret",
    "colours",
    "dataset_size",
    "headline",
    "label",
    "significant",
    "standings",
]
