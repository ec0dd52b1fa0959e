"""Sentences on screen that claim a number or a fact: computed here, compared with what is said."""

import re
from itertools import islice

import numpy as np
import pytest
from scipy.stats import norm

from bolt_core import benchmarks
from bolt_core.analysis.paper_table import paper_table2
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.spec import quasi_static
from bolt_core.common.devices import thinking_time
from bolt_core.common.types import NOMINAL_DEVICE, ClockConfig, RunConfig
from bolt_core.figures.benchmarks import optimum_path
from bolt_core.figures.guide import guide_charts
from bolt_core.figures.inside import algorithm1, removals
from bolt_core.figures.inside.response_and_size import fit_summary
from bolt_core.figures.inside.size_history import size_history
from bolt_core.figures.lab import bound_chart
from bolt_core.figures.lab.setting import Setting
from bolt_core.runs import loop
from bolt_core.store import bundled_race
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import TEMPORAL, temporal_correlation
from bolt_core.theory.response_time import ResponseTime
from bolt_ui import toolbar
from bolt_ui.guide import text as guide
from bolt_ui.lab.sections import NOISE_HELP
from tests.support.runs import make_fitted_run

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")


def numbers(sentence):
    return [float(part) for part in NUMBER.findall(sentence)]


def noise_share(key):
    """Return the noise variance over the variance of f; None if the latter is not known."""
    variance = benchmarks.load(key).landscape.variance
    return benchmarks.get(key).row.noise_variance / variance if variance else None


def test_presets_say_how_their_objectives_move():
    said = {key: sentence for _, key, sentence in toolbar.PRESETS.values()}
    path = optimum_path.optimum_path(benchmarks.load("eggholder"))

    assert numbers(said["eggholder"]) == [path.jumps, path.t[-1], path.t[1]]
    for key in ("powell", "temperature"):
        row = benchmarks.get(key).row
        assert numbers(said[key]) == [row.lengthscale_time]
        assert quasi_static(row, NOMINAL_DEVICE)


def test_the_noise_of_the_paper_spans_what_the_lab_says():
    shares = {
        share: spec.label
        for key, spec in benchmarks.catalog().items()
        if spec.in_paper and (share := noise_share(key))
    }
    low, high = min(shares), max(shares)

    assert numbers(NOISE_HELP) == [float(f"{low:.2g}"), float(f"{high:.2g}")]
    assert [shares[low], shares[high]] == re.findall(r"\((\w+)\)", NOISE_HELP)


@pytest.mark.parametrize("key", [k for k, s in benchmarks.catalog().items() if s.in_paper])
def test_notes_state_the_share_of_noise(key):
    notes = [n for n in benchmarks.get(key).notes if "% its text states" in n]
    share = noise_share(key)

    assert bool(notes) == (share is not None)
    for note in notes:
        stated = re.search(rf"is ({NUMBER.pattern})( %)? of the variance", note)
        scale = 0.01 if stated[2] else 1.0
        assert scale * float(stated[1]) == pytest.approx(share, rel=0.2)  # one digit is given


def test_griewank_costs_what_its_notes_say():
    board = benchmarks.load("griewank")
    t = np.linspace(0.0, board.horizon, 1000)
    best = np.array([oracle.best(board, float(moment))[1] for moment in t])
    notes = " ".join(benchmarks.get("griewank").notes)
    middle = np.mean(best - board.value(np.full((1000, board.dimension), 0.5), t))
    x = np.random.default_rng(0).random((2000, board.dimension))
    blind = np.mean(best.mean() - board.value(x, np.linspace(0.0, board.horizon, 2000)))

    # the mean over 6,007 times is 0.6355; 2,000 points give 150 within 3 %
    assert middle == pytest.approx(float(re.search(r"costs (0\.\d+)", notes)[1]), 0.02)
    assert blind == pytest.approx(float(re.search(r"query costs (\d+)", notes)[1]), rel=0.03)


def test_a_term_in_n_dominates_in_the_figure_on_the_metronome():
    largest = len(guide_charts._query_times(guide_charts.response(), 600.0))
    _, linear, quadratic, cubic = NOMINAL_DEVICE

    assert linear * largest > quadratic * largest**2 + cubic * largest**3


@pytest.mark.parametrize("algorithm", bundled_race.ALGORITHMS)
def test_one_pass_of_seven_fits_from_another_start_and_takes_longer(algorithm):
    (run,) = (run for run in bundled_race.race().runs if run.config.algorithm == algorithm)
    records = run.records[30:]  # after the warm-up and the first fits
    seconds = np.array([record.seconds for record in records])
    restarted = np.array([record.notes["inference"].get("restarted", False) for record in records])
    longer = np.flatnonzero(restarted[1:]) + 1

    assert np.median(np.diff(longer)) == 7
    assert np.median(seconds[longer] / seconds[longer - 1]) > 1.2


@pytest.mark.parametrize("kernel", [name for name in TEMPORAL if name != "none"])
def test_a_slower_device_never_has_a_larger_n_star_here(kernel):
    for l_T in (5.0, 60.0, 300.0):
        for cost in (0.01, 1.0, 8.0):
            sizes = [
                recommended_size(
                    temporal_correlation(kernel, l_T),
                    ResponseTime((cost, *(slowdown * c for c in NOMINAL_DEVICE[1:]))),
                    seen=2000,
                )
                for slowdown in (1.0, 4.0)
            ]
            fast, slow = (np.inf if size is None else size for size in sizes)
            assert slow <= fast


def test_the_bound_can_be_lower_beyond_the_sizes_drawn():
    setting = Setting()
    (first, *_) = bound_chart.bound_curves(setting, 0.01)
    _, lowest = first.lowest()

    # at n = T the ratio is 1, so "lowest" holds among the sizes drawn only
    assert lowest > 1.0
    assert "mong the sizes drawn" in bound_chart.bound_summary(setting, 0.01)


def test_as_t_grows_the_lowest_bound_approaches_n_star():
    setting = Setting()
    far = bound_chart.BoundCurve(setting, 0.01, 10**6)
    best, _ = far.lowest()

    assert best == pytest.approx(setting.n_star, rel=0.05)


def test_the_age_of_the_oldest_is_that_of_the_dataset():
    run = make_fitted_run(60, sizes=lambda i: min(i, 30), n_star=30)
    age = run.columns["t"][-1] - removals.oldest_times(run)[-1]

    assert f"kept is {age:.2f} s old" in fit_summary(run)
    assert "n* R(n*)" in fit_summary(run)


def test_a_pass_above_n_star_names_its_limit():
    def said(n_star, passes, **choices):
        run = make_fitted_run(passes, n_star=n_star, **choices)
        return algorithm1.steps(run)[-1]

    assert "25 %" in said(10, 40)["said"]
    assert "one may be removed" in said(10, 40, algorithm="bolt-literal")["said"]
    assert "per pass" not in said(60, 40)["said"]
    assert "the paper: if" in said(60, 40)["line"]
    assert "while" not in said(60, 40, algorithm="bolt-literal")["line"]
    caption = size_history(make_fitted_run(40, n_star=10))["layout"]["meta"]["caption"]
    assert "25 %" in caption
    assert "below 5" in caption


def test_expected_improvement_is_lipschitz_and_the_probability_is_not():
    mean, sd = np.meshgrid(np.linspace(-3, 3, 61), np.geomspace(1e-6, 3, 61))
    z = mean / sd
    slope_of_expected = np.hypot(norm.cdf(z), norm.pdf(z))
    slope_of_probability = norm.pdf(z) / sd

    assert slope_of_expected.max() <= np.hypot(1.0, norm.pdf(0.0))
    assert slope_of_probability.max() > 1e5
    breaks = next(text for claim, text in guide.ASSUMPTIONS.items() if "acquisition" in claim)
    assert re.search("for expected improvement.*fails", breaks)


def test_first_in_first_out_is_among_the_assumptions():
    assert any("first in, first out" in claim for claim in guide.ASSUMPTIONS)


def test_the_papers_table_does_not_say_that_removing_data_costs_on_temperature():
    means = paper_table2()["benchmarks"]["temperature"]["mean"]
    removing, keeping = ("r-gpucb", "bolt", "w-dbo"), ("gpucb", "tv-gpucb", "abo")

    assert max(means[a] for a in removing) < min(means[a] for a in keeping)
    assert not any("costs more" in sentence for _, _, sentence in toolbar.PRESETS.values())


def test_the_model_clock_charges_side_fits_and_no_scoring():
    def passes(algorithm):
        """Yield each record, and the seconds charged beyond R(n); one 60-second run."""
        device = (0.0, 1e-2, 0.0, 1e-4)
        clock = ClockConfig("model", device=device)
        run = loop.prepare(RunConfig(algorithm, "eggholder", horizon=60.0, clock=clock))
        for record in islice(loop.iterate(run), 60):
            if not record.warmup:
                beyond = record.seconds - run.benchmark.cost
                yield record, beyond - thinking_time(device, record.n)

    scored = list(passes("bolt"))
    assert any(record.notes.get("scores") for record, _ in scored)
    assert all(extra == pytest.approx(0.0, abs=1e-9) for _, extra in scored)
    side = [extra for record, extra in passes("sw-gpucb") if record.n >= 15]
    assert max(side) > 0.1
    assert sum(extra > 1e-9 for extra in side) == pytest.approx(len(side) / 10, abs=1)
