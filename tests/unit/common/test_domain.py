"""Settable points of the unit cube."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolt_core.common.domain import ROUNDING, Domain, Region, project
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import EngineConfig, Problem, RunConfig

MIXED = Domain((0, 4, 3), (False, False, True))
knobs = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=5).map(
    lambda pairs: Domain(tuple(m for m, _ in pairs), tuple(m > 0 and c for m, c in pairs))
)


def boxes(domain):
    """Random regions of which every one holds a level of each discrete coordinate."""
    pairs = [
        st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted)
        if m == 0
        else st.tuples(st.integers(0, m - 1), st.integers(0, m - 1)).map(
            lambda ends, m=m: [(min(ends) + 0.5) / m, (max(ends) + 0.5) / m]
        )
        for m in domain.levels
    ]
    return st.tuples(*pairs).map(lambda ends: Region(*np.array(ends).T))


def test_a_domain_knows_its_levels():
    assert (MIXED.dimension, MIXED.combinations, MIXED.is_continuous) == (3, 12, False)
    assert (MIXED.discrete, MIXED.choices) == ((1, 2), (2,))
    assert Domain((0, 0), (False, False)).is_continuous
    assert Domain((0, 0), (False, False)).combinations == 1


def test_levels_are_the_centres_of_their_cells_and_have_equal_shares():
    u = np.linspace(0, 1, 1201)[:-1]
    snapped = MIXED.snap(np.column_stack([u, u, u]))
    assert np.array_equal(snapped[:, 0], u)
    values, counts = np.unique(snapped[:, 1], return_counts=True)
    assert values.tolist() == [0.125, 0.375, 0.625, 0.875]
    assert set(counts) == {300}


def test_points_outside_the_cube_get_the_nearest_level():
    assert MIXED.snap(np.array([-0.5, -0.5, 1.7])).tolist() == [-0.5, 0.125, 2.5 / 3]


@given(st.data(), knobs)
def test_projected_points_are_settable_and_inside(data, domain):
    region = data.draw(boxes(domain))
    X = np.array(
        data.draw(
            st.lists(
                st.lists(st.floats(-2, 3), min_size=domain.dimension, max_size=domain.dimension),
                min_size=1,
                max_size=4,
            )
        )
    )
    inside = project(X, domain, region)
    assert np.allclose(domain.snap(inside), inside, atol=1e-12)
    assert region.holds(inside).all()
    assert np.array_equal(project(inside, domain, region), inside)


def test_a_settable_point_of_the_region_stays_where_it_is():
    x = np.array([0.3, 0.625, 0.5])
    assert np.array_equal(project(x, MIXED, Region(np.zeros(3), np.full(3, 0.7))), x)


def test_a_level_on_a_face_belongs_to_the_region_whatever_rounding_does():
    face = Region(np.array([0.0, 0.375 + ROUNDING / 2, 0.0]), np.ones(3))
    assert face.settable(MIXED, 1).tolist() == [0.375, 0.625, 0.875]


@pytest.mark.parametrize(
    "build",
    [
        lambda: Domain((0, 2), (False,)),
        lambda: Domain((-1,), (False,)),
        lambda: Domain((0,), (True,)),
        lambda: Region(np.array([0.5]), np.array([0.2])),
        lambda: Region(np.array([-0.1]), np.array([0.2])),
        lambda: Region(np.array([0.3]), np.array([0.4])).settable(Domain((2,), (False,)), 0),
        lambda: Problem(2, domain=MIXED),
        lambda: EngineConfig(ard=1),
    ],
)
def test_impossible_domains_and_regions_are_refused(build):
    with pytest.raises(ConfigError):
        build()


def test_a_config_mentions_ard_only_where_it_is_chosen():
    plain, ard = (
        RunConfig("bolt", "shekel"),
        RunConfig("bolt", "shekel", engine=EngineConfig(ard=True)),
    )
    assert plain.to_json()["engine"] == {"name": "exact", "acquisition": "ucb"}
    assert plain.key == "918298f576c9"
    assert ard.to_json()["engine"]["ard"] is True
    assert ard.key != plain.key
    for config in (plain, ard):
        assert RunConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


@pytest.mark.parametrize("levels", [2, 3, 7, 50])
def test_random_levels_of_a_choice_are_as_far_apart_as_random_real_values(levels):
    domain = Domain((levels, 0), (True, False))
    differ = 1.0 - 1.0 / levels  # probability that two random levels differ

    assert differ * domain.choice_distance(0) ** 2 == pytest.approx(1.0 / 6.0)  # of u - u'
    assert Domain((1,), (True,)).choice_distance(0) == 0.0
