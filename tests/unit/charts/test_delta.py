"""Patches: whatever changed, applying one gives the new chart exactly, and growth is cheap."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolt_core.analysis.downsample import POINTS_PER_TRACE, rounded, thin
from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import View
from bolt_core.charts.delta import apply, difference
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from tests.support.runs import make_run

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(0, 1, width=16),
    st.text("ab", max_size=2),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text("xyz", max_size=2), inner),
    max_leaves=25,
)


def through_the_wire(patch):
    return json.loads(json.dumps(patch))


@given(JSON, JSON)
def test_any_patch_leads_to_the_new_value(old, new):
    assert apply(old, through_the_wire(difference(old, new))) == new


@given(JSON)
def test_nothing_changed_is_no_patch(value):
    assert difference(value, value) is None


@given(st.lists(st.floats(0, 1), min_size=1), st.lists(st.floats(2, 3), min_size=1))
def test_growth_sends_the_new_points_only(old, more):
    assert difference(old, old + more) == {"l": [len(old), 0, more]}


def test_a_band_that_grows_at_its_middle_keeps_both_ends():
    old, new = [1, 2, 3, 3, 2, 1], [1, 2, 3, 4, 4, 3, 2, 1]

    assert difference(old, new) == {"l": [3, 3, [4, 4]]}


def test_true_is_not_one():
    assert difference({"a": 1}, {"a": True}) == {"d": {"a": {"v": True}}}


def test_a_full_bucket_stays_until_the_width_doubles():
    x, y = np.arange(4000.0), np.random.default_rng(0).standard_normal(4000)
    before, after = (thin(x[:n], y[:n])[0].tolist() for n in (2000, 2040))
    shared = next(i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)

    assert shared >= len(before) - 3  # of the last bucket at most its two extremes, and the last
    assert max(len(thin(x[:n], y[:n])[0]) for n in range(1, 4000, 7)) <= POINTS_PER_TRACE


def test_a_number_is_rounded_by_its_own_size():
    values = np.array([1 / 3, 2e5 / 3, 1e-9 / 3, -1234567.8, 0.0])
    few = rounded(values)

    assert few == [0.333333, 66666.7, 3.33333e-10, -1234570.0, 0.0]
    assert rounded(values[:1]) == few[:1]
    assert rounded(np.array([5e-324, 1.7e308, np.nan])) == [
        pytest.approx(0.0),
        pytest.approx(1.7e308),
        None,
    ]


@cache
def race_of(n, seeds, horizon):
    """Return a race of two algorithms after n passes, made once: a snapshot is immutable."""
    runs = [make_run(n, algorithm=a, seed=s) for a in ("bolt", "random") for s in range(seeds)]
    return RaceSnapshot("r", RunStatus.RUNNING, tuple(runs), 0.1 * n, horizon)


@pytest.mark.parametrize("seeds", [1, 3])
@pytest.mark.parametrize("name", ["regret", "size", "leaderboard", "headline", "fit"])
def test_patches_rebuild_every_chart_as_a_race_grows(name, seeds):
    shown = None
    for n in (0, 10, 16, 40, 41, 700, 820, 821, 1700):
        view = View(x="iterations" if n % 2 else "seconds")
        chart = chart_registry.build(name, race_of(n, seeds, 200.0), view)
        shown = apply(shown, through_the_wire(difference(shown, chart)))

        assert shown == chart


@pytest.mark.parametrize(("seeds", "bytes_a_tick"), [(1, 1_500), (4, 7_000)])
def test_a_tick_sends_a_small_part_of_the_whole(seeds, bytes_a_tick):
    """Two lanes: nine then stay far below the 150 kB a second that the page may take.

    Faint members share one trace, so that those behind the first are sent again.
    """

    def chart(n):
        return chart_registry.build("regret", race_of(n, seeds, 600.0), View())

    whole = len(json.dumps(chart(3010)))
    patch = len(json.dumps(difference(chart(3000), chart(3010))))

    assert patch < bytes_a_tick < whole / 2
