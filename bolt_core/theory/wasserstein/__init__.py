"""How much the surrogate changes when an observation is removed, measured by W_2."""

from bolt_core.theory.wasserstein.bound import BoundScores
from bolt_core.theory.wasserstein.choice import prepare, removals
from bolt_core.theory.wasserstein.exact import (
    RemovalScores,
    Root,
    ShortlistScores,
    downdate,
    removal_scores,
)
from bolt_core.theory.wasserstein.nodes import Nodes, nodes_near, uniform_nodes

__all__ = [
    "BoundScores",
    "Nodes",
    "RemovalScores",
    "Root",
    "ShortlistScores",
    "downdate",
    "nodes_near",
    "prepare",
    "removal_scores",
    "removals",
    "uniform_nodes",
]
