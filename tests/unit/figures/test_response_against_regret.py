"""Response time against regret: points, error bars, names."""

import pytest

from bolt_core.figures.arena.response_against_regret import response_against_regret
from tests.support.runs import make_run


def test_points_stand_at_average_response_and_average_regret():
    chart = response_against_regret([make_run(40, regret=3.0), make_run(40, algorithm="bolt")])
    point = next(t for t in chart["data"] if t["name"] == "Random")

    assert point["x"] == [pytest.approx(0.1)]
    assert point["y"] == [3.0]
    assert "error_y" not in point


def test_three_seeds_give_a_point_its_error_bars():
    runs = [make_run(40, seed=s, regret=1.0 + s) for s in range(3)]
    (point,) = response_against_regret(runs)["data"]

    assert point["error_y"]["array"] == [pytest.approx(1.0 / 3**0.5)]
    assert point["error_x"]["array"] == [pytest.approx(0.0)]


def test_a_name_steps_aside_for_the_point_beside_it():
    fast, slow = make_run(40, regret=3.0), make_run(40, algorithm="bolt", seconds=0.11, regret=3.0)
    names = response_against_regret([fast, slow])["layout"]["annotations"]

    assert {a["text"]: a["xanchor"] for a in names} == {"Random": "right", "BOLT": "left"}
