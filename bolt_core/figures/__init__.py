"""Pure functions from snapshots to plain dicts in plotly's schema, and to words."""

from bolt_core.figures.inside import fit_chip, fit_in_words, response_and_size
from bolt_core.figures.instead import instead_of_n_star
from bolt_core.figures.landscape import landscape, landscape_now
from bolt_core.figures.lanes import label
from bolt_core.figures.leaderboard import leaderboard
from bolt_core.figures.metronome import metronome
from bolt_core.figures.palette import colours
from bolt_core.figures.race import average_regret, dataset_size, regret_curve
from bolt_core.figures.relevance import relevance, why_not
from bolt_core.figures.response import response_against_regret
from bolt_core.figures.standings import standings
from bolt_core.figures.words import headline, significant

__all__ = [
    "average_regret",
    "colours",
    "dataset_size",
    "fit_chip",
    "fit_in_words",
    "headline",
    "instead_of_n_star",
    "label",
    "landscape",
    "landscape_now",
    "leaderboard",
    "metronome",
    "regret_curve",
    "relevance",
    "response_against_regret",
    "response_and_size",
    "significant",
    "standings",
    "why_not",
]
