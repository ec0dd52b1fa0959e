"""Where n* does not limit the dataset, a sentence says why."""

import numpy as np
import pytest

from bolt_core.analysis.lanes import lanes
from bolt_core.figures.arena.unbound_size import why_unbound
from bolt_core.store import bundled_race
from tests.support.runs import make_fitted_run, make_run
from tools.default_race import MIN_SLOWER, MIN_WORSE, effect


def bolt_run():
    return next(run for run in bundled_race.race().runs if run.config.algorithm == "bolt")


def why(run):
    (lane,) = lanes([run])
    return why_unbound(lane)


def test_an_algorithm_that_removes_needs_no_reason():
    assert why(bolt_run()) is None


def test_a_variant_that_keeps_all_is_not_said_to_be_bound_later():
    run = make_fitted_run(40, n_star=30, algorithm="bolt-keep")

    assert "keeps all" in why(run)
    assert "yet" not in why(run)


def test_an_algorithm_without_n_star_gets_none():
    assert why(make_run(40)) is None


def test_before_the_first_removal_the_reason_names_n_and_n_star():
    run = bolt_run()
    first = next(i for i, ids in enumerate(run.columns.removed[: len(run)]) if ids)
    limited = [i for i in range(16, first) if np.isfinite(run.columns["n_star"][i])]
    short = run.upto((limited or [first])[-1])
    reason = why(short)

    assert reason is not None
    assert "n*" in reason


def test_a_constant_and_a_slowly_growing_response_time_have_reasons_of_their_own():
    def reason(response):
        notes = {"response": response, "response_floor": 0.05}
        return why(make_fitted_run(60, n_star=None, notes=notes))

    assert "hardly grows" in reason((0.5, 0.0, 0.0, 0.0))
    assert "up to 200 " in reason((0.5, 0.001, 0.0, 0.0))


@pytest.mark.long
def test_the_default_race_shows_the_effect_on_a_seed_it_was_not_chosen_on():
    slower, worse, n_star, removed = effect(10)

    assert slower >= MIN_SLOWER
    assert worse >= MIN_WORSE
    assert n_star is not None
    assert removed > 0
