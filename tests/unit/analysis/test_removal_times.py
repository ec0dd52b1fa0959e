"""Removals over time: single ones are counted in bins, resets keep their time."""

from dataclasses import replace

from bolt_core.analysis.removal_times import removal_times
from tests.support.runs import make_record, make_run


def test_single_removals_are_counted_and_resets_listed():
    passes = [make_record(i, removed=(i,) if i in (1, 2, 7) else ()) for i in range(10)]
    passes[7] = replace(passes[7], removed=(3, 4, 5), notes={"reset": "block full"})
    passes[9] = replace(passes[9], removed=(9,), notes={"failed": "sensor"})
    counts, resets = removal_times(make_run(passes), 10.0, 2)

    assert counts.tolist() == [2.0, 0.0]  # a failed measurement was never in the dataset
    assert resets.tolist() == [8.0]  # the end of its pass


def test_a_run_without_passes_has_none():
    counts, resets = removal_times(make_run([]), 10.0, 4)

    assert counts.tolist() == [0.0] * 4
    assert len(resets) == 0
