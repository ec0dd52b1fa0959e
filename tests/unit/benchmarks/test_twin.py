"""Twins of logs: over samples they are the GP posterior, and each passes through its log."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bolt_core.benchmarks import oracle
from bolt_core.benchmarks._twin_path import embedded, embedded_scales
from bolt_core.benchmarks.gp_sample import draw_prior
from bolt_core.benchmarks.twin import TwinDefinition, race_length, spec_of
from bolt_core.common.domain import Domain
from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.knobs import Choice, Integer
from bolt_core.common.types import Hyperparameters
from bolt_core.theory.kernels import SPATIAL, Covariance, correlation
from tests.support.twins import HOUR, MIXED, make_twin

SAMPLES = 300


def dense_posterior(definition, points):
    """Return mean and covariance at points (s, d + 1) by plain linear algebra, raw units.

    Every matrix is made of single kernel values, computed from the settings in this function.
    """
    theta, Z = definition.theta, definition.Z

    def k(a, b):
        squared = 0.0
        for i, (knob, length) in enumerate(
            zip(definition.knobs.values(), theta.per_knob, strict=True)
        ):
            u, v = (knob.to_unit("", knob.from_unit(p[i])) if knob.levels else p[i] for p in (a, b))
            apart = (u - v) ** 2
            if isinstance(knob, Choice):
                m = len(knob.values)
                apart = (u != v) * m / (6.0 * (m - 1))
            squared += apart / length**2
        s, age = (5.0 * squared) ** 0.5, 3.0**0.5 * abs(a[-1] - b[-1]) / theta.lengthscale_time
        return theta.signal_variance * (1 + s + s * s / 3) * np.exp(-s) * (1 + age) * np.exp(-age)

    def matrix(P, Q):
        return np.array([[k(p, q) for q in Q] for p in P])

    A = matrix(Z, Z) + theta.noise_variance * np.eye(len(Z))
    K = matrix(points, Z)
    residual = (definition.y - definition.y_mean) / definition.y_sd - definition.mean
    mean = definition.mean + K @ np.linalg.solve(A, residual)
    covariance = matrix(points, points) - K @ np.linalg.solve(A, K.T)
    return definition.y_mean + definition.y_sd * mean, definition.y_sd**2 * covariance


@pytest.mark.parametrize("knobs", [None, MIXED], ids=["reals", "mixed"])
def test_over_samples_the_twin_is_the_posterior_of_the_log(knobs):
    definition = make_twin(12, knobs=knobs)
    d = definition.dimension
    rng = np.random.default_rng(5)
    times = np.array([0.0, 1000.0, 2000.0, 3300.0, 3.0 * HOUR, 12.0 * HOUR])
    points = np.column_stack([rng.random((6, d)), times])
    points[0] = definition.Z[0]
    paths = (definition.path(seed) for seed in range(SAMPLES))
    values = np.array([path.f(points[:, :-1], points[:, -1]) for path in paths])

    mean, covariance = dense_posterior(definition, points)

    sd = np.sqrt(np.diag(covariance))
    # the mean of S samples has sd / sqrt(S), a covariance at most sqrt(2) sd sd' / sqrt(S)
    assert np.all(np.abs(values.mean(axis=0) - mean) < 4.5 * sd / SAMPLES**0.5)
    error = np.abs(np.cov(values.T, bias=True) - covariance)
    assert np.all(error < 4.5 * 2**0.5 * np.outer(sd, sd) / SAMPLES**0.5)
    # it has forgotten the log after twelve lengthscales, and is known best at a row of it
    assert sd[-1] == pytest.approx(definition.y_sd, rel=0.01)
    assert sd[0] < 0.5 * definition.y_sd


@pytest.mark.parametrize("kernel", SPATIAL)
def test_the_prior_part_has_the_covariance_of_each_kernel(kernel):
    theta = Hyperparameters(1.5, (0.3, 0.6), 50.0, 0.0)
    features = 100_000
    path = draw_prior(theta, (kernel, kernel), 1, features)
    k = Covariance(correlation(kernel), correlation(kernel), theta)
    apart = np.array([[0.0, 0.0, 0.0], [0.1, 0.2, 0.0], [0.0, 0.0, 40.0], [0.3, 0.0, 10.0]])

    # the mean of m cosines, each of variance below 1
    found = 1.5 * np.cos(apart[:, :2] @ path.w.T + apart[:, 2:] * path.v).mean(axis=1)

    np.testing.assert_allclose(
        found, k.between(apart, np.zeros((1, 3)))[:, 0], atol=1.5 * 4.5 / features**0.5
    )


def test_levels_of_a_choice_lie_as_far_apart_as_in_the_covariance():
    domain = Domain((0, 6, 3), (False, False, True))
    rng = np.random.default_rng(2)
    X = domain.snap(rng.random((8, 3)))
    theta = Hyperparameters(1.0, (0.3, 0.5, 0.7), 1.0, 0.1)
    k = Covariance(correlation("matern52"), correlation("matern32"), theta, domain=domain)
    scaled = embedded(X, domain) / embedded_scales(theta.per_knob, domain)

    distances = np.linalg.norm(scaled[:, None] - scaled, axis=-1)

    np.testing.assert_allclose(distances, k.space_radii(X, X), atol=1e-12)


@pytest.mark.parametrize("knobs", [None, MIXED], ids=["reals", "mixed"])
def test_a_twin_passes_through_its_log_within_the_noise(knobs):
    definition = make_twin(300, knobs=knobs, noise_sd=0.2)
    board = spec_of(definition).build()

    residuals = definition.y - board.value(definition.Z[:, :-1], definition.Z[:, -1])

    # given y, the noise of a sample is about N(0, sigma_0^2) at each row: 300 rows, 4 sd
    assert np.std(residuals) == pytest.approx(0.2, rel=4.0 / (2 * 300) ** 0.5)
    assert abs(np.mean(residuals)) < 4 * 0.2 / 300**0.5
    assert board.noise_variance == pytest.approx(0.04)


def test_settings_within_a_cell_have_one_value():
    board = spec_of(make_twin(knobs=MIXED)).build()
    x = np.array([[0.3, 0.02, 0.4], [0.3, 0.15, 0.6], [0.3, 0.17, 0.6]])

    one, same, other = board.value(x, 500.0)

    assert one == same
    assert one != other
    assert board.problem.domain == Domain((0, 6, 3), (False, False, True))


@pytest.mark.parametrize("knobs", [None, MIXED, {"n": Integer(1, 40)}], ids=["reals", "mixed", "n"])
def test_no_settable_point_is_above_the_optimum(knobs):
    board = spec_of(make_twin(60, knobs=knobs)).build()
    rng = np.random.default_rng(1)

    for t in board.horizon * rng.random(5):
        x, top = oracle.best(board, t)
        values = board.value(rng.random((3_000, board.dimension)), t)
        assert values.max() <= top + 1e-9
        if board.problem.domain is not None:
            np.testing.assert_array_equal(board.problem.domain.snap(x), x)


def test_the_gradient_is_that_of_f():
    definition = make_twin(knobs=MIXED)
    path, t, h = definition.path(), 4_000.0, 1e-6
    start = np.array([0.4, 0.25, 0.5])
    climb = path.climb(start, t)
    up, down = (path.f(start + h * np.array([sign, 0, 0]), np.array(t)) for sign in (1, -1))

    value, gradient = climb(start[:1])

    assert value * definition.y_sd == pytest.approx(
        float(path.f(start, np.array(t))) - definition.y_mean - definition.y_sd * definition.mean
    )
    assert gradient[0] * definition.y_sd == pytest.approx((up - down) / (2 * h), rel=1e-5)


def test_a_definition_survives_json_and_its_key_is_its_content():
    definition = make_twin(knobs=MIXED)

    again = TwinDefinition.from_json(json.loads(json.dumps(definition.to_json())))

    assert again.key == definition.key
    assert again == definition
    assert replace(definition, sample=4).key != definition.key
    x, t = np.array([0.2, 0.3, 0.9]), np.array(100.0)
    assert again.path().f(x, t) == definition.path().f(x, t)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "a\nb"),
        ("log_sha256", "xyz"),
        ("maximize", 1),
        ("temporal_kernel", "none"),
        ("spatial_kernel", "wiener"),
        ("sample", -1),
        ("sample", True),
        ("y_sd", 0.0),
        ("mean", float("nan")),
        ("y_mean", 10**400),
        ("horizon", 1.0),
        ("horizon", 1e12),
        ("cost", "300"),
        ("knobs", []),
        ("knobs", [{"name": "a", "low": 0, "high": 1}] * 2),
        ("knobs", [{"low": 0, "high": 1}, {"name": "b", "low": 0, "high": 1}]),
        ("knobs", [{"name": "a", "low": 0, "high": 1}]),
        ("knobs", [{"name": "a", "low": 0, "high": 1, "colour": 3}] * 2),
        ("theta", {}),
        ("y", []),
        ("y", [0.0] * 2_000),
        ("Z", [[0.1, 0.2, 3.0]]),
    ],
)
def test_a_definition_from_elsewhere_is_checked_value_by_value(field, value):
    table = make_twin(20).to_json()
    table[field] = value

    with pytest.raises(BoltError):
        TwinDefinition.from_json(table)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("theta", "lengthscale_space", [0.1]),
        ("theta", "lengthscale_space", -1.0),
        ("theta", "lengthscale_time", None),
        ("theta", "noise_variance", float("inf")),
        ("Z", 3, [0.1, 1.2, 0.0]),
        ("Z", 3, [0.1, 0.2]),
        ("Z", 3, [0.1, 0.2, -1e13]),
        ("Z", 3, "row"),
        ("y", 7, None),
    ],
)
def test_parts_of_a_definition_are_checked(part, name, value):
    table = make_twin(20).to_json()
    table[part][name] = value

    with pytest.raises(ConfigError):
        TwinDefinition.from_json(table)


@pytest.mark.parametrize("wrong", [None, [], "twin", {"name": "x"}, 3])
def test_what_is_no_definition_is_refused(wrong):
    with pytest.raises(ConfigError, match="a twin must be"):
        TwinDefinition.from_json(wrong)


def test_a_name_becomes_a_label_without_what_a_page_would_read():
    labels = [
        make_twin(5, name=name).label for name in ("[a](http://b)", "<b>*", "Reactor 7 of 12")
    ]

    assert all(len(label) <= 24 for label in labels)
    assert not any(c in label for label in labels for c in "[]<>*_.:/`")
    assert labels[1].startswith("b (twin ")


@pytest.mark.parametrize(
    ("span", "spacing", "period", "expected"),
    [
        (299.0, 1.0, None, (1.0, 299.0, 0.0)),  # as recorded
        (50_000.0, 10.0, None, (50_000.0 / 300, 50_000.0, 0.0)),  # 5,000 rows: less often
        (3_000.0, 300.0, None, (300.0, 18_000.0, 0.0)),  # 11 rows: continued
        (900.0, 0.0, None, (3.0, 900.0, 0.0)),  # times that repeat
        (50_000.0, 10.0, 10.0, (10.0, 3_000.0, 47_000.0)),  # the end of the log, as recorded
        (900.0, 1.0, 60.0, (60.0, 3_600.0, 0.0)),  # beyond its end
    ],
)
def test_a_race_replays_the_recorded_period(span, spacing, period, expected):
    assert race_length(span, spacing, period) == pytest.approx(expected)


@pytest.mark.parametrize(("period", "words"), [(None, "same time"), (-1.0, "-1")])
def test_a_race_needs_time_between_queries(period, words):
    with pytest.raises(ConfigError, match=words):
        race_length(0.0, 0.0, period)


@pytest.mark.parametrize("name", ["drift5000.csv", "drift5000.TSV", "drift5000"])
def test_the_label_leaves_out_the_ending_of_a_file(name):
    assert make_twin(name=name).label.startswith("drift5000 (twin ")
