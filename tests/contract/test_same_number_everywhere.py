"""One label, one number: the same finished runs as the Arena, the Scoreboard, the report, the
command line and the list of runs show them.

Three seeds each of BOLT and W-DBO, whose average regrets read the same; GPUCB, which is worse; and
random search with a failed seed. Expected values are computed here from the JSON lines.
"""

import json
from itertools import pairwise
from statistics import fmean, median

import numpy as np
import pytest
from scipy import stats

from bolt_core.analysis.curves import regret_curve, size_curve
from bolt_core.analysis.standings import ranks, standings
from bolt_core.campaigns.results import Results, summarise
from bolt_core.cli._standings_table import rows_of
from bolt_core.common.types import RunStatus
from bolt_core.figures.arena.headline import headline
from bolt_core.figures.arena.leaderboard import leaderboard
from bolt_core.report import campaign_tables
from bolt_core.report.model.cases import Cases
from bolt_core.store.library import Library
from bolt_core.store.listing import listing
from bolt_core.store.records import RecordWriter, read
from tests.support import recomputed
from tests.support.runs import make_config, make_record

WARMUP, PASSES = 15, 40
LEVELS = {"bolt": 2.0, "w-dbo": 2.0004, "gpucb": 3.0, "random": 9.0}
SEEDS = (0, 1, 2)
FAILED = ("random", 2)


def passes_of_run(algorithm, seed):
    """Passes of unequal length; BOLT and W-DBO keep ten observations, and n* has gaps."""
    members, t = [], 0.0
    for i in range(PASSES + seed):
        seconds = 0.1 + 0.01 * (i % 7) + 0.02 * seed
        regret = LEVELS[algorithm] + 0.1 * (seed - 1) + 0.5 * (-1) ** i * (i >= WARMUP)
        keeps_all = algorithm in ("gpucb", "random")
        members.append(i)
        removed = () if keeps_all or i < WARMUP else tuple(members[:-10])
        n_star = 10 + i % 3 if algorithm == "bolt" and i >= WARMUP and i % 4 else None
        yield make_record(
            i, t=t, regret=regret, warmup=i < WARMUP, seconds=seconds, removed=removed,
            n_star=n_star,
        )  # fmt: skip
        members = [one for one in members if one not in removed]
        t += seconds


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The records of one race, by (algorithm, seed)."""
    folder = tmp_path_factory.mktemp("runs")
    paths = {}
    for algorithm in LEVELS:
        for seed in SEEDS:
            run_id = f"race-{algorithm}-{seed}"
            header = {"race_id": "race", "dimension": 1, "horizon": 5.5, "label": "Eggholder"}
            path = paths[algorithm, seed] = folder / f"{run_id}.jsonl"
            chosen = make_config(algorithm=algorithm, seed=seed, horizon=5.5)
            failed = (algorithm, seed) == FAILED
            with RecordWriter(path, chosen, header=header, run_id=run_id) as writer:
                for one in passes_of_run(algorithm, seed):
                    writer.append(one)
                writer.close(
                    RunStatus.FAILED if failed else RunStatus.FINISHED, "broke" if failed else None
                )
    return paths


@pytest.fixture(scope="module")
def runs(files):
    return {key: read(path) for key, path in files.items()}


@pytest.fixture(scope="module")
def expected(files):
    """What each run came to, from its JSON lines."""
    return {key: by_hand(recomputed.passes_of(path)) for key, path in files.items()}


@pytest.fixture(scope="module")
def cases(runs):
    sound = tuple(summarise(run) for run in runs.values() if run.status == RunStatus.FINISHED)
    return Cases(Results("one", "", len(runs), sound, ()))


def by_hand(passes):
    full = [p for p in passes if not p["warmup"]]
    sizes = recomputed.sizes(passes)[1]
    n_stars = [p.get("n_star") or np.inf for p in full]
    middle = median(n_stars)
    return {
        "queries": len(passes),
        "end": recomputed.end(passes[-1]),
        "average regret": fmean(p["best"] - p["value"] for p in full),
        "response time": fmean(p["seconds"] for p in full),
        "final size": sizes[-1],
        "median size": median(sizes[WARMUP:]),
        "final n*": passes[-1].get("n_star"),
        "median n*": None if middle == np.inf else middle,
    }


def sound_seeds(algorithm):
    return [seed for seed in SEEDS if (algorithm, seed) != FAILED]


def lane_mean(expected, algorithm, label):
    values = [expected[algorithm, seed][label] for seed in sound_seeds(algorithm)]
    values = [value for value in values if value is not None]
    return fmean(values) if values else None


def approximately(value):
    return value if value is None else pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("algorithm", LEVELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_one_run_has_one_outcome(files, runs, expected, bolt, algorithm, seed):
    truth = expected[algorithm, seed]
    shown = json.loads(bolt("show", files[algorithm, seed], "--json")[1])
    stored = summarise(runs[algorithm, seed])
    races = Library(files[algorithm, seed].parent).races()
    listed = next(
        r.summary for r in races[0].runs if (r.config.algorithm, r.config.seed) == (algorithm, seed)
    )

    for number in (shown["iterations"], stored.iterations, listed["iterations"]):
        assert number == truth["queries"]
    for number in (shown["seconds"], listed["t"]):
        assert number == approximately(truth["end"])
    for number in (
        shown["average_regret"]["over_queries"], stored.averages["over_queries"], listed["regret"],
    ):  # fmt: skip
        assert number == approximately(truth["average regret"])
    for number in (shown["response_time"], stored.response, listed["response"]):
        assert number == approximately(truth["response time"])
    assert shown["n"] == listed["n"] == truth["final size"]
    assert shown["n_star"] == listed["n_star"] == truth["final n*"]
    assert (stored.size, stored.n_star) == (truth["median size"], truth["median n*"])


@pytest.mark.parametrize("algorithm", LEVELS)
def test_a_lane_has_one_mean_over_its_sound_seeds(runs, expected, cases, algorithm):
    standing = next(row for row in standings(list(runs.values())) if row.key == algorithm)
    compared = next(row for row in rows_of(list(runs.values())) if row["algorithm"] == algorithm)
    cell = cases.row("eggholder")[algorithm]
    regrets = [expected[algorithm, seed]["average regret"] for seed in sound_seeds(algorithm)]
    error = stats.sem(regrets) if len(regrets) >= 3 else None

    for number in (standing.average_regret, compared["regret"], cell.mean):
        assert number == approximately(fmean(regrets))
    for number in (standing.regret_error, compared["error"], cell.error):
        assert number == (None if error is None else pytest.approx(error, rel=1e-6))
    for label, number, other in (
        ("queries", standing.queries, compared["queries"]),
        ("response time", standing.response_time, compared["response"]),
        ("final size", standing.final_size, compared["n"]),
        ("final n*", standing.final_n_star, compared["n_star"]),
    ):
        assert number == other == approximately(lane_mean(expected, algorithm, label))
    ends = [expected[algorithm, seed]["end"] for seed in sound_seeds(algorithm)]
    assert standing.end_time == compared["seconds"] == approximately(min(ends))


def test_ties_for_first_place_are_the_same_lanes_everywhere(files, runs, cases):
    race = list(runs.values())
    rows = standings(race)
    tied = {row.label for row, rank in zip(rows, ranks(rows), strict=True) if rank == 1}
    library = Library(next(iter(files.values())).parent)
    table = campaign_tables.table2(cases)
    marks = {
        column for column, entry in zip(table.columns, table.rows[0], strict=True)
        if entry.mark == "best"
    }  # fmt: skip
    firsts = {row[0].text for row in campaign_tables.standings(cases).rows if row[3].text == "1"}

    assert tied == {"BOLT", "W-DBO"}
    assert marks == firsts == tied
    assert [row["cells"][0] for row in leaderboard(race)["rows"]] == ["1", "1", "3", ""]
    assert all(label in headline(race).partition(".")[0] for label in tied)
    (row,) = listing(library.races(), {}, now=0.0)
    assert set(row.best.split(" and ")) == tied


def test_the_list_shows_the_winning_lane_of_the_leaderboard(files, runs):
    first = standings(list(runs.values()))[0]
    (row,) = listing(Library(next(iter(files.values())).parent).races(), {}, now=0.0)

    assert row.regret == approximately(first.average_regret)
    assert (row.n, row.n_star) == (first.final_size, approximately(first.final_n_star))


def test_a_point_of_a_curve_has_one_time(files, runs):
    for key, path in files.items():
        passes, stored = recomputed.passes_of(path), summarise(runs[key])
        for curve, points, truth in (
            (regret_curve(runs[key]), stored.regret_curve, recomputed.average_regret(passes)),
            (size_curve(runs[key]), stored.size_curve, recomputed.sizes(passes)),
        ):
            for drawn, kept, known in zip(curve, points, truth, strict=True):
                assert drawn.tolist() == pytest.approx(known)
                assert kept == pytest.approx(known, rel=1e-5)  # stored with six digits
            assert all(a <= b for a, b in pairwise(points[0]))
