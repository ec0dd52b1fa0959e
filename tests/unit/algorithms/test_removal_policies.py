"""W-DBO's budget and BOLT's size on made-up moments: who leaves, how many, and at what price."""

import math
from functools import partial

import numpy as np
import pytest

from bolt_core.algorithms import bolt, w_dbo
from bolt_core.common.types import ClockConfig, ResponseSample
from bolt_core.gp import load
from bolt_core.gp.protocol import Data, FitRequest, Model
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from tests.support.moments import N_STAR, R, moment
from tests.support.runs import first_passes

INCOME = math.log(1.25)  # of W-DBO in one l_T
SLOW = ClockConfig("model", device=(0.0, 0.1, 0.0, 0.0))

Bolt = bolt.RecommendedSize
Oldest = partial(Bolt, rule=bolt.oldest)
Arbitrary = partial(Bolt, rule=bolt.arbitrary)
Literal = partial(Bolt, literal=True)


def budget(**params):
    return w_dbo.RemovalBudget(w_dbo.Params(**params))


# W-DBO


def test_the_ledger_adds_up():
    policy, rng = budget(), np.random.default_rng(3)
    earned = spent = 0.0
    removals = 0
    for k in range(60):
        before = policy.state()["_saved"]
        t = 10.0 * k + float(rng.random())
        removal = policy.clean(moment(40, t=t, scores=list(rng.random(40) * 0.2)))
        earned += removal.notes["earned"]
        spent += sum(math.log1p(score) for score in removal.notes["scores"])
        removals += len(removal.ids)

        assert len(removal.ids) == len(removal.notes["scores"])
        assert removal.notes["budget"] >= 0.0
        assert removal.notes["budget"] == pytest.approx(
            before + removal.notes["earned"] - spent_now(removal), abs=1e-15
        )

    assert removals > 10
    assert policy.state()["_saved"] == pytest.approx(earned - spent, abs=1e-13)  # 60 roundings


def spent_now(removal):
    return sum(math.log1p(score) for score in removal.notes["scores"])


def test_the_budget_grows_with_the_time_between_observations_and_the_first_call_earns_nothing():
    policy = budget()

    first_call = policy.clean(moment(15, t=1000.0)).notes
    later = policy.clean(moment(15, t=1030.0, l_T=60.0)).notes

    assert first_call["earned"] == first_call["budget"] == 0.0
    assert later["budget"] == pytest.approx(INCOME / 2, rel=1e-12)


def test_no_more_than_three_lengthscales_of_budget_can_be_saved():
    policy = budget()
    for t in (0.0, 1e9):
        removal = policy.clean(moment(15, t=t))

    assert removal.notes["budget"] == pytest.approx(3 * INCOME, rel=1e-12)


def test_a_removal_is_made_only_if_its_price_is_below_the_budget():
    for share, leaves in ((0.99, 1), (1.01, 0)):
        policy = budget()
        policy.clean(moment(20, t=0.0))
        price = math.expm1(share * INCOME)  # log(1 + R_i) = share of what one l_T earns
        scores = [9.0] * 7 + [price] + [9.0] * 12

        removal = policy.clean(moment(20, t=60.0, scores=scores))

        assert removal.ids == (1007,) * leaves


def test_w_dbo_keeps_its_floor_and_drops_no_more_than_the_root_of_n():
    def leaving(n, **params):
        policy = budget(**params)
        policy.clean(moment(n, t=0.0))
        return len(policy.clean(moment(n, t=60.0, scores=[1e-9] * n)).ids)

    assert [leaving(n) for n in (15, 16, 18, 100, 101)] == [0, 1, 3, 10, 11]
    assert leaving(9, floor=2) == 3


# BOLT


@pytest.mark.parametrize("policy", [Bolt, Oldest, Arbitrary])
@pytest.mark.parametrize(
    ("n", "leave"), [(N_STAR, 0), (N_STAR + 1, 1), (N_STAR + 9, 9), (N_STAR + 60, 31)]
)
def test_bolt_removes_down_to_n_star_but_at_most_a_quarter(policy, n, leave):
    removal = policy().clean(moment(n))

    assert removal.n_star == N_STAR
    assert len(set(removal.ids)) == len(removal.ids) == leave <= n / 4 + 1e-12


@pytest.mark.parametrize(("n", "leave"), [(5, 0), (6, 1), (7, 1), (8, 2), (40, 10)])
def test_bolt_never_goes_below_five(n, leave):
    steep = [ResponseSample(size, 1.0 + 10.0 * size) for size in range(1, 41)]

    removal = Bolt().clean(moment(n, responses=steep))

    assert removal.n_star < 5
    assert len(removal.ids) == leave


@pytest.mark.parametrize(("n", "leave"), [(N_STAR, 0), (N_STAR + 1, 1), (N_STAR + 60, 1)])
def test_bolt_as_printed_removes_one(n, leave):
    removal = Literal().clean(moment(n))

    assert removal.n_star == N_STAR  # the samples lie on a cubic: both regressions find it
    assert len(removal.ids) == leave


def test_bolt_removes_the_least_relevant_and_says_their_scores():
    scores = [3.0] * (N_STAR + 2)
    scores[11], scores[4] = 0.25, 0.5

    removal = Bolt().clean(moment(N_STAR + 2, scores=scores))

    assert removal.ids == (1011, 1004)
    assert removal.notes["scores"] == [0.25, 0.5]


def test_bolt_oldest_removes_the_oldest():
    assert Oldest().clean(moment(N_STAR + 3)).ids == (1000, 1001, 1002)


def test_bolt_random_is_reproducible():
    chosen = [Arbitrary().clean(moment(N_STAR + 9, seed=seed)).ids for seed in (1, 1, 2)]

    assert chosen[0] == chosen[1] != chosen[2]


def test_bolt_uses_the_temporal_kernel_of_its_surrogate():
    n_star = Bolt().clean(moment(80, temporal_kernel="matern12")).n_star

    assert n_star == recommended_size(temporal_correlation("matern12", 60.0), R, seen=119) == 60


def test_bolt_waits_for_the_first_measured_pass():
    removal = Bolt().clean(moment(80, responses=[]))

    assert removal.n_star is None
    assert removal.ids == ()


@pytest.mark.parametrize("policy", [Bolt, Oldest, Arbitrary, Literal])
def test_bolt_with_a_constant_response_time_never_removes(policy):
    metronome = [ResponseSample(n, 2.0) for n in range(15, 400)]

    for n in (16, 100, 400):
        assert policy().clean(moment(n, responses=metronome)).ids == ()


def test_what_leaves_a_run_of_bolt_is_gone_from_its_next_dataset():
    records = first_passes(60, algorithm="bolt", clock=SLOW)
    held = set()
    for record in records:
        assert record.n == len(held)
        held = (held | {record.observation.i}) - set(record.removed)
        assert len(record.removed) == len(record.notes.get("scores", ()))

    assert any(record.removed for record in records)


def test_the_scores_of_what_leaves_are_those_at_the_moment_it_leaves():
    rng = np.random.default_rng(0)
    t = np.arange(30.0)
    data = Data.of(rng.random((30, 1)), t, np.sin(t / 5) + 0.1 * rng.standard_normal(30))
    surrogate = load("exact", Model(1)).fit(data, FitRequest(30.0), rng)

    (row, score), (_, second) = surrogate.removals(30.0, 2)

    # two rules of 128 and 1,024 nodes: their errors at d = 1 are a few percent
    assert score == pytest.approx(surrogate.removal_scores(30.0)[row], rel=0.1)
    assert second == pytest.approx(surrogate.without(row).removal_scores(30.0).min(), rel=0.1)
