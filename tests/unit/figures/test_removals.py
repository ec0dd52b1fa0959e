"""Removals, exact from the record."""

import numpy as np
import pytest

from bolt_core.figures.inside.removals import LAST, oldest_times, removal_history, removal_table
from tests.support.runs import make_fitted_run, make_pruned_run, real_run
from tests.support.wording import in_order


def by_replay(run):
    """Return (row, id, was the oldest) per removal, with a plain set."""
    members, found = set(), []
    for row, record in enumerate(run.records):
        members.add(record.observation.i)
        for i in record.removed:
            found.append((row, i, i == min(members)))
            members.remove(i)
    return found


@pytest.mark.parametrize("key", ["bolt", "bolt-random", "w-dbo", "sw-gpucb"])
def test_removals_are_those_of_a_plain_replay(key):
    run = real_run(key, 80)
    found = removal_history(run).removals

    assert [(one.row, one.i, one.oldest) for one in found] == by_replay(run)
    assert found


def test_a_window_drops_the_oldest_and_relevance_does_not():
    assert removal_history(real_run("bolt-oldest", 80)).younger == 0
    assert removal_history(real_run("bolt", 80)).younger > 0


def test_the_summary_counts_removals_of_another_than_the_oldest():
    found = removal_history(make_pruned_run(240))  # one in four is the oldest

    assert len(found.removals) == 200
    assert found.younger == 150
    assert in_order(found.summary, "75\N{THIN SPACE}% of 200 ", "NOT the oldest")
    assert removal_history(make_pruned_run(30)).summary is None


def test_the_table_has_the_last_removals_newest_first():
    run = make_pruned_run(240)
    table = removal_table(run)
    newest = removal_history(run).removals[-1]
    t = run.columns["t"]

    assert len(table["rows"]) == LAST
    age = f"{t[newest.row] - t[newest.i]:.1f}"
    assert table["rows"][0]["cells"] == [f"{t[newest.row]:.1f}", age, "0.0100", "no"]
    assert [column["name"] for column in table["columns"]][2] == "score"
    assert "relevance is not age" in table["caption"]


def test_each_removal_has_its_score_of_the_record():
    run = real_run("bolt", 80)
    last = max(row for row, ids in enumerate(run.columns.removed[: len(run)]) if ids)
    scores = [one.score for one in removal_history(run).removals if one.row == last]

    assert scores == list(run.columns.notes[last]["scores"])


def test_resets_have_one_row_each_with_the_reason():
    run = real_run("r-gpucb", 90)
    table = removal_table(run)

    assert removal_history(run).removals == ()
    assert [column["name"] for column in table["columns"]][-1] == "reason"
    assert "is full" in table["rows"][0]["cells"][-1]
    assert "reset" in table["caption"]


def test_without_removals_there_is_a_sentence():
    assert removal_table(real_run("gpucb", 45))["text"].startswith("Nothing removed.")
    assert "warm-up" in removal_table(make_fitted_run(3))["text"]
    assert removal_table(make_fitted_run(40, n_star=55))["text"].endswith("n* = 55.")
    assert removal_table(make_fitted_run(40))["text"].endswith("no limit yet.")


@pytest.mark.parametrize("key", ["bolt", "sw-gpucb", "r-gpucb"])
def test_the_oldest_in_d_is_that_of_the_members(key):
    run = real_run(key, 90)
    found = oldest_times(run)
    t = run.columns["t"]
    slow = [min((t[i] for i in run.members(row)), default=np.nan) for row in range(len(run))]

    np.testing.assert_array_equal(found, slow)
