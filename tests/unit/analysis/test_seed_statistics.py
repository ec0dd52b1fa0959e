"""The statistics of Table 2 against brute force, a library and the printed table."""

from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.paper_table import paper_table2
from bolt_core.analysis.seed_statistics import Cell
from bolt_core.campaigns.plan import PAPER, TABLE2
from bolt_core.common.errors import ConfigError

PRINTED = paper_table2()
MEANS = {b: row["mean"] for b, row in PRINTED["benchmarks"].items()}
values = st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=12)


def test_the_stored_table_has_the_papers_cells():
    rows = PRINTED["benchmarks"]

    assert tuple(rows) == PAPER
    assert all(tuple(row[what]) == TABLE2 for row in rows.values() for what in ("mean", "error"))
    assert (rows["shekel"]["mean"]["bolt"], rows["shekel"]["error"]["abo"]) == (2.51, 0.11)
    assert (rows["eggholder"]["mean"]["abo"], rows["eggholder"]["error"]["abo"]) == (546, 109.9)
    assert (rows["powell"]["mean"]["bolt"], rows["powell"]["error"]["bolt"]) == (547, 166)
    assert (rows["schwefel"]["mean"]["r-gpucb"], rows["wlan"]["mean"]["tv-gpucb"]) == (1024, 7.8)
    assert rows["temperature"]["best"] == ["r-gpucb"]
    assert rows["hartmann6"]["overlapping"] == ["tv-gpucb", "bolt"]
    assert PRINTED["overall"]["mean"]["w-dbo"] == 0.19


@given(values)
def test_a_cell_is_mean_and_standard_error(given_values):
    found = seed_statistics.cell(given_values)

    assert found.mean == pytest.approx(fmean(given_values), abs=1e-6)
    by_hand = stdev(given_values) / len(given_values) ** 0.5
    assert found.error == pytest.approx(by_hand, rel=1e-9, abs=1e-6)
    assert found.error == pytest.approx(stats.sem(given_values), rel=1e-9, abs=1e-6)


def test_fewer_than_three_values_have_no_error_and_none_no_mean():
    assert seed_statistics.cell([3.0]) == Cell(3.0, None, 1)
    assert seed_statistics.cell([3.0, 5.0]) == Cell(4.0, None, 2)
    assert seed_statistics.standard_errors([[1.0, 2.0], [3.0, 4.0]]) is None
    with pytest.raises(ConfigError, match="at least one"):
        seed_statistics.cell([])


def test_the_printed_overall_row_follows_from_the_printed_table():
    found = seed_statistics.overall(MEANS, TABLE2)

    for a in TABLE2:  # printed to 0.01, of means printed to two or three digits
        assert found[a].mean == pytest.approx(PRINTED["overall"]["mean"][a], abs=0.011)
        assert found[a].error == pytest.approx(PRINTED["overall"]["error"][a], abs=0.011)


def test_overall_is_the_mean_of_rows_scaled_by_hand_and_random_is_no_part_of_it():
    with_random = {b: {**row, "random": 1e9} for b, row in MEANS.items()}
    values = np.array([[MEANS[b][a] for a in TABLE2] for b in MEANS])
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    by_hand = ((values - low) / (high - low)).mean(axis=0)

    found = {a: c.mean for a, c in seed_statistics.overall(with_random, TABLE2).items()}

    assert found == pytest.approx(dict(zip(TABLE2, by_hand, strict=True)), rel=1e-12)
    assert "random" not in found


def test_overall_runs_from_zero_for_the_best_everywhere_to_one_for_the_worst():
    table = {"a": {"good": 1.0, "bad": 3.0, "middle": 2.0}, "b": {"good": 0, "bad": 8, "middle": 2}}

    found = {
        a: c.mean for a, c in seed_statistics.overall(table, ("good", "bad", "middle")).items()
    }

    assert found == {"good": 0.0, "bad": 1.0, "middle": 0.375}


def test_an_algorithm_outside_the_reference_moves_nobody_and_may_leave_the_scale():
    row = {"gpucb": 4.0, "bolt": 2.0, "w-gpucb": 5.0, "sw-gpucb": 1.0}

    assert seed_statistics.normalised(row, TABLE2) == {
        "gpucb": 1.0, "bolt": 0.0, "w-gpucb": 1.5, "sw-gpucb": -0.5,
    }  # fmt: skip


def test_an_algorithm_that_is_missing_somewhere_has_no_overall_and_no_mean_rank():
    table = {"a": {"bolt": 1.0, "abo": 2.0}, "b": {"gpucb": 1.0, "bolt": 2.0}}

    assert list(seed_statistics.overall(table, TABLE2)) == ["bolt"]
    assert seed_statistics.overall(table, TABLE2)["bolt"].mean == 0.5
    assert seed_statistics.ranks(table) == {"bolt": 1.5}
    with pytest.raises(ConfigError):
        seed_statistics.overall({}, TABLE2)


def test_means_that_read_the_same_share_their_rank():
    table = {"x": {"bolt": 1.2341, "abo": 1.2339, "gpucb": 2.0}}
    assert seed_statistics.ranks(table) == {"bolt": 1.5, "abo": 1.5, "gpucb": 3.0}


@pytest.mark.parametrize("benchmark", PAPER)
def test_bold_and_underlined_are_the_printed_ones_up_to_rounding(benchmark):
    row = PRINTED["benchmarks"][benchmark]
    cells = {a: Cell(row["mean"][a], row["error"][a], 10) for a in TABLE2}

    found = seed_statistics.marks(cells)

    assert [a for a in TABLE2 if found[a] == "best"] == row["best"]
    best = cells[row["best"][0]]
    unit = 1.0 if best.mean >= 100 else 0.1 if benchmark == "wlan" else 0.01
    for a, c in cells.items():  # intervals that meet or miss by less than rounding may differ
        gap = (c.mean - c.error) - (best.mean + best.error)
        if abs(gap) > 1.01 * unit:
            assert (found[a] == "overlap") == (a in row["overlapping"])


def test_the_baseline_is_never_marked():
    row = {"random": Cell(0.0, 0.1, 3), "bolt": Cell(1.0, 0.1, 3), "abo": Cell(1.2, 0.1, 3)}

    assert seed_statistics.marks(row) == {"random": "", "bolt": "best", "abo": "overlap"}
    assert seed_statistics.marks({"random": row["random"]}) == {"random": ""}


@given(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=1, max_size=6))
def test_ranks_are_scipys_averaged_over_benchmarks(rows):
    table = {str(i): dict(zip("abcd", map(float, row), strict=True)) for i, row in enumerate(rows)}

    expected = np.mean([stats.rankdata(row) for row in rows], axis=0)
    assert list(seed_statistics.ranks(table).values()) == pytest.approx(expected.tolist())


def test_random_has_no_rank():
    assert seed_statistics.ranks({"x": {"random": 0.0, "bolt": 1.0, "abo": 2.0}}) == {
        "bolt": 1.0,
        "abo": 2.0,
    }


def test_the_interval_of_a_pair_is_the_t_interval_of_its_differences():
    first = {0: 1.0, 1: 2.0, 2: 7.0, 3: 4.0, 4: 1.0, 9: 0.0}
    second = {0: 3.0, 1: 1.0, 2: 9.0, 3: 9.0, 4: 1.5}
    differences = [-2.0, 1.0, -2.0, -5.0, -0.5]

    found = seed_statistics.paired(first, second, level=0.9)

    assert (found.mean, found.seeds, found.wins) == (pytest.approx(-1.7), 5, 4)
    scale = stdev(differences) / 5**0.5
    exact = stats.t.interval(0.9, 4, loc=-1.7, scale=scale)
    assert (found.low, found.high) == pytest.approx(exact)
    shifted = [d + 1.7 for d in differences]  # the interval is that of the t test
    p = stats.ttest_1samp(shifted, found.high + 1.7).pvalue
    assert p == pytest.approx(0.1)


@pytest.mark.parametrize("seeds", [3, 10])
def test_the_interval_covers_the_true_difference_as_often_as_it_says(seeds):
    rng = np.random.default_rng(seeds)
    draws, covered = 2000, 0
    for _ in range(draws):
        differences = 0.3 + rng.standard_normal(seeds)
        pair = seed_statistics.paired(
            dict(enumerate(differences)), dict.fromkeys(range(seeds), 0.0)
        )
        covered += pair.low <= 0.3 <= pair.high
    # the standard deviation of a share of 0.95 over 2,000 draws is 0.0049: four of them
    assert covered / draws == pytest.approx(0.95, abs=0.02)


def test_few_pairs_have_no_interval_and_no_pair_nothing():
    two = {s: float(s * s) for s in range(2)}

    assert seed_statistics.paired(two, dict.fromkeys(range(2), 0.0)).low is None
    assert seed_statistics.paired({0: 1.0}, {1: 2.0}) is None


def test_everything_that_reads_like_the_lowest_value_leads():
    values = {"abo": 2.0, "bolt": 1.0041, "w-dbo": 1.0039, "gpucb": 1.01}

    assert seed_statistics.leaders(values) == ["bolt", "w-dbo"]
    assert seed_statistics.leaders(values, "{:.4f}".format) == ["w-dbo"]
    assert seed_statistics.competition_ranks(list(values.values())) == [4, 1, 1, 3]
    assert seed_statistics.leaders({}) == []


def test_tied_algorithms_are_all_marked_best():
    row = {a: Cell(m, None, 2) for a, m in {"abo": 2.0, "bolt": 1.0041, "w-dbo": 1.0039}.items()}

    assert seed_statistics.marks(row) == {"abo": "", "bolt": "best", "w-dbo": "best"}
