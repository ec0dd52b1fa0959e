"""Where an algorithm differs from its source: said with the numbers of the code, wherever shown.

That the code keeps these limits is tested in unit/algorithms/test_removal_policies.py.
"""

import json
import math

import numpy as np

from bolt_core import algorithms
from bolt_core.algorithms import abo, drift, w_dbo, w_gpucb
from bolt_core.algorithms import bolt as bolt_module
from bolt_core.algorithms.spec import SHARED_DIFFERENCES
from bolt_core.figures.arena.leaderboard import leaderboard
from bolt_core.gp.protocol import BETA, MIN_FIT_SIZE, Bounds
from bolt_core.theory.dataset_size import SMALLEST_CAP
from bolt_core.theory.wasserstein.nodes import HORIZON
from tests.support.runs import make_run


def differs(key):
    return " ".join(algorithms.get(key).differs)


def test_every_sentence_is_short_and_whole():
    for spec in algorithms.catalog().values():
        for sentence in spec.differs:
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert len(sentence) < 200


def test_every_algorithm_of_table_1_says_where_it_differs():
    paper = [spec for spec in algorithms.catalog().values() if spec.kind == "paper"]

    assert all(spec.differs for spec in paper)
    assert all(algorithms.get(key).differs == () for key in ("random", "hold"))  # no source
    assert all(algorithms.get(key).differs for key in ("ui-tvbo", "extremum-seeking"))


def test_w_dbo_names_its_limits():
    params = w_dbo.Params()

    assert f"at least {params.floor} observations" in differs("w-dbo")
    power = w_dbo.MAX_SAVED_LENGTHSCALES
    assert f"{1 + params.alpha:g}^{power:g}" in differs("w-dbo")
    assert "box" not in differs("w-dbo")


def test_bolt_names_its_limits():
    text = differs("bolt")

    assert f"{100 / bolt_module.MAX_REMOVED_SHARE:g} %" in text
    assert f"below {bolt_module.MIN_OBSERVATIONS} observations" in text
    assert f"next {HORIZON:g} l_T" in text
    assert f"at least {SMALLEST_CAP}" in text
    assert "mean" in text


def test_the_others_name_their_numbers():
    for key in ("r-gpucb", "sw-gpucb", "w-gpucb"):
        assert f"last {drift.BUFFER_SIZE} observations" in differs(key)
        assert "12 eps^(-1/4)" in differs(key)
    assert drift.block_length(1.0) == 12
    assert drift.block_length(1e-4) == 120
    assert MIN_FIT_SIZE == 5
    assert "five observations" in differs("et-gpucb")
    assert f"within {100 * abo.RELATIVE_TOLERANCE:g} %" in differs("abo")
    assert f"at most {100 * abo.WINDOW_SPANS:g} % of the time observed" in differs("abo")
    assert f"{math.exp(w_gpucb.MAX_EXPONENT):.0e}".replace("e+06", "e6") in differs("w-gpucb")


def test_what_all_share_is_what_the_engine_does():
    text = " ".join(SHARED_DIFFERENCES)

    assert f"{BETA:g} d log(2n)" in text
    assert Bounds.known(np.arange(0.0, 30.0, 3.0), 30.0).time[0] == 2 * 3.0


def test_the_leaderboard_helps_with_the_algorithms_it_shows():
    chart = leaderboard([make_run(40, algorithm="bolt"), make_run(40, algorithm="gpucb")])
    (text,) = (c["help"] for c in chart["columns"] if c["name"] == "Algorithm")

    assert differs("bolt") in text
    assert "W-DBO" not in text
    assert "help" not in next(
        c for c in leaderboard([make_run(40)])["columns"] if c["name"] == "Algorithm"
    )


def test_bolt_list_shows_them_on_request(bolt):
    plain = json.loads(bolt("list", "--json")[1])
    verbose = json.loads(bolt("list", "--verbose", "--json")[1])
    one = json.loads(bolt("list", "w-dbo", "--json")[1])

    assert "differences" not in plain
    said = [row for row in verbose["differences"] if row["key"] == "w-dbo"]
    assert len(said) == len(algorithms.get("w-dbo").differs) == len(one["notes"])
