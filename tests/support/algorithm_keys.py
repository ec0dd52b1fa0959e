"""Keys of the algorithms without their variants, which share their code; for the slower tests."""

from bolt_core import algorithms

MAIN = sorted(key for key, spec in algorithms.catalog().items() if spec.kind != "variant")
INFERRING = [key for key in MAIN if algorithms.catalog()[key].infers]
