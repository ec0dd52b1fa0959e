"""W_2 removal scores: equal to brute force, and the choice made by them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core.gp.exact import ExactEngine
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.wasserstein import (
    RemovalScores,
    Root,
    ShortlistScores,
    nodes_near,
    race,
    removal_scores,
    removals,
)
from tests.support.gp_cases import NOW, THETA, conditioned, kernel_pairs, seeds


def brute_force(surrogate, nodes):
    """Condition on the rest, once for every observation; same nodes."""
    engine, data, known = ExactEngine(surrogate.model), surrogate.data, surrogate.inference
    mu, sigma = surrogate.state.predict(nodes.Z)
    scores = []
    for i in range(len(data)):
        mu_i, sigma_i = engine.condition(data.without(i), known).state.predict(nodes.Z)
        scores.append(np.sum(nodes.weights * ((mu - mu_i) ** 2 + (sigma - sigma_i) ** 2)) ** 0.5)
    return np.array(scores)


@given(pair=kernel_pairs, seed=seeds, n=st.integers(2, 25), d=st.sampled_from([1, 2, 3, 6]))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_scores_equal_brute_force(pair, seed, n, d):
    surrogate = conditioned(n, d, pair, seed=seed)
    k, Z, M, a = surrogate.formula()
    nodes = nodes_near(k, Z[:, :-1], NOW, 64)

    scores = RemovalScores(k, Z, M, a, nodes).scores()

    # brute force subtracts two standard deviations: eps * sigma / score, up to 1e-10 here
    np.testing.assert_allclose(scores, brute_force(surrogate, nodes), rtol=1e-9, atol=1e-9)


def test_scores_after_removals_equal_brute_force():
    surrogate = conditioned(15, 2)
    k, Z, M, a = surrogate.formula()
    nodes = nodes_near(k, Z[:, :-1], NOW, 64)
    ours = RemovalScores(k, Z, M, a, nodes)
    for i in (14, 0, 5):
        ours.remove(i)
        surrogate = surrogate.without(i)

    np.testing.assert_allclose(ours.scores(), brute_force(surrogate, nodes), rtol=1e-9, atol=1e-10)
    assert ours.kept.tolist() == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13]


def root_of(surrogate):
    state = surrogate.state.compact()
    return Root(state.root, state.triangular)


@pytest.mark.parametrize("projected", [False, True])
def test_a_root_gives_the_scores_of_the_inverse(projected):
    surrogate = conditioned(30, 3)
    if projected:
        surrogate = surrogate.without(11)  # its root is no longer triangular
    k, Z, M, a = surrogate.formula()
    nodes = nodes_near(k, Z[:, :-1], NOW, 64)
    whole = RemovalScores(k, Z, M, a, nodes)

    np.testing.assert_allclose(
        removal_scores(k, Z, root_of(surrogate), a, NOW, 64), whole.scores(), rtol=1e-9
    )


def test_a_shortlist_has_the_scores_of_the_whole():
    surrogate = conditioned(30, 3)
    k, Z, M, a = surrogate.formula()
    nodes, rows = nodes_near(k, Z[:, :-1], NOW, 64), np.array([3, 17, 4, 22])
    whole = RemovalScores(k, Z, M, a, nodes)
    some = ShortlistScores(k, Z, root_of(surrogate), a, nodes, rows)

    np.testing.assert_allclose(some.scores(), whole.scores()[rows], rtol=1e-11)
    whole.remove(17)
    some.remove(1)
    expected = dict(zip(whole.kept.tolist(), whole.scores(), strict=True))
    np.testing.assert_allclose(some.scores(), [expected[i] for i in some.kept], rtol=1e-9)


@pytest.mark.parametrize("d", [1, 2, 6])
def test_nodes_near_the_data_integrate_over_the_whole_box(d):
    k = conditioned(5, d).state.k
    centres = 0.2 * np.random.default_rng(0).random((5, d))  # all in one corner
    nodes = nodes_near(k, centres, NOW, 4096)
    length = 2 * THETA.lengthscale_time
    x, t = nodes.Z[:, :-1], nodes.Z[:, -1]

    # importance weights undo the crowding: volume and moments, to the error of 4,096 nodes
    assert nodes.weights.sum() == pytest.approx(length, rel=0.03)
    assert nodes.weights @ x[:, 0] ** 2 == pytest.approx(length / 3, rel=0.05)
    assert nodes.weights @ (t - NOW) == pytest.approx(length**2 / 2, rel=0.03)
    assert x[:, 0].mean() < 0.45  # of uniform nodes it would be 0.5
    assert np.mean(t - NOW) < 0.3 * length  # and there are more of them soon
    assert np.all((x >= 0) & (x <= 1))


def test_a_duplicate_goes_before_a_lone_observation():
    X = np.array([[0.1], [0.5], [0.5], [0.9]])
    data = Data.of(X, np.full(4, 90.0), np.array([0.0, 1.0, 1.0, -1.0]))
    surrogate = ExactEngine(Model(1)).condition(data, Inference(THETA))

    assert surrogate.removals(NOW)[0][0] in (1, 2)
    assert {row for row, _ in surrogate.removals(NOW, 2)} != {
        1,
        2,
    }  # after one of the pair, the other matters


def test_several_removals_are_made_one_after_the_other():
    surrogate = conditioned(20, 2)
    together = [row for row, _ in surrogate.removals(NOW, 5)]
    k, Z, M, a = surrogate.formula()
    greedy = RemovalScores(k, Z, M, a, nodes_near(k, Z[:, :-1], NOW, 2**14, 0.75))
    for row in together:
        scores = greedy.scores()
        i = greedy.kept.tolist().index(row)
        assert scores[i] <= 1.02 * scores.min()
        greedy.remove(i)


def case_of(surrogate):
    """The arguments of `removals` and `race.least`."""
    k, Z, _, a = surrogate.formula()
    return k, Z, root_of(surrogate), a, NOW


@pytest.mark.parametrize("spatial_and_temporal", [("matern52", "matern32"), ("rbf", "wiener")])
def test_parts_of_a_rule_make_up_the_rule(spatial_and_temporal):
    k, Z, *_ = conditioned(6, 2, spatial_and_temporal).formula()
    whole = nodes_near(k, Z[:, :-1], NOW, 64)
    parts = [nodes_near(k, Z[:, :-1], NOW, 64, part=part) for part in ((0, 16), (16, 64))]

    np.testing.assert_array_equal(np.vstack([part.Z for part in parts]), whole.Z)
    weights = np.concatenate([parts[0].weights * 16, parts[1].weights * 48]) / 64
    np.testing.assert_allclose(weights, whole.weights, rtol=1e-12)
    uniform_times = spatial_and_temporal[1] == "wiener"
    assert (np.mean(whole.Z[:, -1] - NOW) > 0.9 * THETA.lengthscale_time) == uniform_times


@pytest.mark.parametrize("seed", range(4))
def test_a_race_of_all_batches_gives_the_score_of_the_whole_rule(seed, monkeypatch):
    monkeypatch.setattr(race, "SURE", 1e9)
    monkeypatch.setattr(race, "BEATEN", 1e9)
    k, Z, root, a, _ = case = case_of(conditioned(30, 3, seed=seed))
    rows = np.array([3, 17, 4, 22, 9])
    nodes = nodes_near(k, Z[rows, :-1], NOW, race.NODES, race.NEAR)
    whole = ShortlistScores(k, Z, root, a, nodes, rows).scores()

    row, score = race.least(*case, rows)

    assert row == rows[np.argmin(whole)]
    assert score == pytest.approx(whole.min(), rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_a_race_that_stops_early_finds_the_least(seed):
    k, Z, root, a, _ = case = case_of(conditioned(40, 2, seed=seed))
    rows = np.arange(40)[seed::5]
    nodes = nodes_near(k, Z[rows, :-1], NOW, 2**13, race.NEAR)
    fine = ShortlistScores(k, Z, root, a, nodes, rows).scores()

    row, score = race.least(*case, rows)

    chosen = fine[rows.tolist().index(row)]
    assert chosen <= 1.02 * fine.min()
    assert score == pytest.approx(chosen, rel=0.15)  # of 256 nodes or more


def test_a_clear_race_takes_one_batch(monkeypatch):
    batches = []

    def counted(*args, **options):
        batches.append(options["part"])
        return nodes_near(*args, **options)

    monkeypatch.setattr(race, "nodes_near", counted)
    case = case_of(conditioned(12, 2))
    exact = RemovalScores(
        *conditioned(12, 2).formula(), nodes_near(*case[:1], case[1][:, :-1], NOW)
    )
    order = np.argsort(exact.scores())

    assert race.least(*case, order[[0, -1]])[0] == order[0]
    assert batches == [(0, race.BATCHES[0])]
    assert race.least(*case, order[:1])[0] == order[0]  # one candidate: nothing to decide


def test_a_choice_depends_on_its_arguments_only():
    first, other = case_of(conditioned(30, 3)), case_of(conditioned(25, 3, seed=1))
    before = [np.copy(array) for array in (first[1], first[2].B, first[3])]
    expected = removals(*first)
    removals(*other)
    removals(*first, 4)

    assert removals(*first) == expected
    for array, copy in zip((first[1], first[2].B, first[3]), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_nothing_is_removed_from_nothing():
    surrogate = conditioned(3, 1)

    assert surrogate.removals(NOW, 0) == []
    assert sorted(row for row, _ in surrogate.removals(NOW, 9)) == [0, 1, 2]


def test_scores_over_the_future_fall_as_data_age():
    surrogate = conditioned(12, 2)

    early = surrogate.removal_scores(NOW)
    late = surrogate.removal_scores(NOW + 5 * THETA.lengthscale_time)

    assert np.all(late < early)
