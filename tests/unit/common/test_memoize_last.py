"""What charts have in common is worked out once a look, and never for another one's data."""

from dataclasses import replace

import numpy as np

from bolt_core.analysis.standings import standings
from bolt_core.common.memoize_last import memoize_last
from bolt_core.figures.shared.notes import GrowingColumn
from tests.support.runs import make_run


def test_the_very_same_snapshots_are_asked_once_and_equal_ones_again():
    asked = []
    count = memoize_last(lambda runs: asked.append(runs) or len(asked))
    one, other = make_run(20), make_run(20)

    assert [count([one, other]), count((one, other)), count([one, other])] == [1, 1, 1]
    assert count([other, one]) == 2
    assert count([other]) == 3
    assert count([one, other]) == 4  # only the last answer is kept


def test_standings_of_another_race_are_its_own():
    short, long = standings([make_run(20)]), standings([make_run(40)])

    assert (short[0].queries, long[0].queries) == (20, 40)


def test_a_column_of_remarks_reads_each_pass_once_however_the_run_grows():
    read = []
    column = GrowingColumn(lambda remarks: read.append(remarks) or len(read))
    run = make_run(40)

    assert column(run.upto(10)).tolist() == list(range(1, 11))
    assert column(run).tolist() == list(range(1, 41))
    assert column(run.upto(25)).tolist() == list(range(1, 26))  # a moment of the past
    assert len(read) == 40


def test_a_column_of_remarks_never_mixes_two_runs():
    column = GrowingColumn(lambda remarks: len(remarks))
    one, other = make_run(30), make_run(30)
    noted = [{"reset": "now"}] * 30
    other = replace(other, columns=replace(other.columns, notes=noted))

    assert not column(one).any()
    assert np.all(column(other) == 1)
    assert not column(one).any()
