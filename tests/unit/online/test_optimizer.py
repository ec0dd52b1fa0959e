"""The Python API: ask and tell in the caller's units, save and go on, refuse what cannot be."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import bolt_core
from bolt_core import Bolt, OnlineOptimizer, make
from bolt_core.common.errors import BoltError, ConfigError, RecordError, UnknownNameError
from bolt_core.store.records import read
from tests.support import algorithm_keys
from tests.support.own_problem import BOUNDS, drive, f


def test_it_finds_the_top_and_follows_it():
    opt = Bolt(BOUNDS)
    drive(opt, np.arange(0.0, 60.0))

    x, _ = drive(opt, [60.0])[-1]

    # random queries lie 1.9 away on average; the top moves 0.05 a second
    assert np.linalg.norm(x - [2.0 + np.sin(3.0), 0.0]) < 0.6


def test_queries_lie_within_the_bounds():
    places = np.array([x for x, _ in drive(Bolt(BOUNDS), np.arange(30.0))])

    assert np.all((places >= [0.0, -1.0]) & (places <= [5.0, 1.0]))


def test_minimising_is_maximising_the_negative():
    down, up = Bolt(BOUNDS, minimize=True), Bolt(BOUNDS)
    for t in np.arange(25.0):
        x, same = down.ask(t), up.ask(t)
        np.testing.assert_array_equal(x, same)
        down.tell(x, t, -f(x, t))
        up.tell(x, t, f(x, t))

    mean, sd = down.posterior([2.0, 0.0], 25.0)
    other, other_sd = up.posterior([2.0, 0.0], 25.0)
    assert (mean, sd) == (-other, other_sd)


def test_it_measures_its_own_response_time():
    opt = Bolt(BOUNDS)
    assert opt.response_time is None
    times = np.cumsum([0.5 + 0.01 * i for i in range(40)])
    drive(opt, times)

    # the pass that begins with n observations lasts 0.5 + 0.01 (n + 1)
    assert float(opt.response_time(30)) == pytest.approx(0.81, rel=1e-6)


def test_real_time_is_the_default():
    opt = Bolt(BOUNDS, warmup=3)
    for _ in range(5):
        x = opt.ask()
        opt.tell(x, None, f(x, 0.0))

    times = opt.to_frame()["t"]
    assert times.is_monotonic_increasing
    assert 0.0 < times.iloc[-1] < 60.0
    assert opt.response_time is not None


def test_datetimes_count_from_the_first():
    opt, start = Bolt(BOUNDS), datetime(2026, 3, 6, 8, 0, tzinfo=UTC)
    for minutes in range(3):
        x = opt.ask(start + timedelta(minutes=minutes))
        opt.tell(x, start + timedelta(minutes=minutes), 1.0)

    assert opt.to_frame()["t"].tolist() == [0.0, 60.0, 120.0]


def test_known_data_may_be_told_before_the_start_and_end_the_warmup():
    rng = np.random.default_rng(0)
    opt = Bolt(BOUNDS)
    places = rng.uniform([0, -1], [5, 1], (30, 2))
    times = -np.arange(30.0) - 1
    opt.tell_all(places, times, [f(x, t) for x, t in zip(places, times, strict=True)])

    x = opt.ask(0.0)

    assert [o.t for o in opt.dataset] == sorted(times)
    assert np.linalg.norm(x - [2.0, 0.0]) < 1.5
    assert opt.posterior(x, 0.0)[1] > 0


def test_what_is_told_late_takes_its_place_in_time():
    opt = Bolt(BOUNDS)
    for t in (3.0, 1.0, 2.0):
        opt.tell([1.0, 0.0], t, 0.0)

    assert [o.t for o in opt.dataset] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("y", [float("nan"), float("inf")])
def test_a_failed_measurement_is_recorded_and_not_learned_from(y):
    opt = Bolt(BOUNDS, warmup=3)
    drive(opt, [0.0, 1.0, 2.0, 3.0])
    opt.tell([1.0, 0.0], 4.0, y)

    frame = opt.to_frame()
    assert len(opt.dataset) == 4
    assert len(frame) == 5
    assert np.isnan(frame["y"].iloc[-1])
    assert opt.snapshot().members() == [0, 1, 2, 3]


def test_the_frame_is_in_the_callers_units():
    opt = Bolt(BOUNDS, minimize=True)
    opt.tell([4.0, -0.5], 1.5, 7.0)

    row = opt.to_frame().iloc[0]
    assert (row["x_1"], row["x_2"], row["t"], row["y"]) == (4.0, -0.5, 1.5, 7.0)


def test_scores_are_of_the_kept_observations():
    opt = Bolt(BOUNDS)
    drive(opt, np.arange(40.0))

    scores = opt.scores(40.0)

    assert scores.index.tolist() == [o.i for o in opt.dataset]
    assert (scores >= 0).all()


@pytest.mark.parametrize("key", algorithm_keys.MAIN)
def test_saved_in_the_middle_and_loaded_it_goes_on_exactly(key, tmp_path):
    opt = make(key, BOUNDS, seed=3)
    drive(opt, np.arange(25.0))
    opt.save(tmp_path / "opt.jsonl")

    loaded = OnlineOptimizer.load(tmp_path / "opt.jsonl")

    after = np.arange(25.0, 45.0)  # two restarts, and removals
    for (x, at), (other, other_at) in zip(drive(opt, after), drive(loaded, after), strict=True):
        np.testing.assert_array_equal(x, other)
        assert at == other_at
    assert opt.n_star == loaded.n_star


def test_the_saved_file_is_a_record(tmp_path):
    opt = Bolt(BOUNDS, name="my kiln")
    drive(opt, np.arange(20.0))
    opt.save(tmp_path / "opt.jsonl")
    opt.save(tmp_path / "opt.jsonl")  # again, over itself

    snapshot = read(tmp_path / "opt.jsonl")

    assert len(snapshot) == 20
    assert snapshot.header["label"] == "my kiln"
    assert snapshot.config.algorithm == "bolt"


def test_only_what_save_wrote_can_be_loaded(tmp_path):
    make("w-dbo", BOUNDS).save(tmp_path / "w.jsonl")

    with pytest.raises(ConfigError, match="w-dbo"):
        Bolt.load(tmp_path / "w.jsonl")
    (tmp_path / "foreign").write_text("hello")
    with pytest.raises(RecordError, match="not a BOLT record"):
        Bolt.load(tmp_path / "foreign")


BAD_BOUNDS = [[(1.0, 0.0)], [(0.0, 0.0)], [(0.0, float("inf"))], [], [1.0], "box", [(0, 1, 2)]]


@pytest.mark.parametrize("bounds", BAD_BOUNDS)
def test_bounds_that_are_no_box_are_refused(bounds):
    with pytest.raises(ConfigError, match="bounds"):
        Bolt(bounds)


@pytest.mark.parametrize(
    ("x", "t", "y", "words"),
    [
        ([1.0], 5.0, 0.0, r"2 coordinates, got \[1.0\]"),
        ([1.0, float("inf")], 5.0, 0.0, "x must be finite, got"),
        ([[1.0, 0.0]], 5.0, 0.0, "one point of 2 coordinates"),
        ("here", 5.0, 0.0, "x must"),
        ([1.0, 0.0], float("nan"), 0.0, "finite seconds, a datetime, or None"),
        ([1.0, 0.0], "noon", 0.0, "finite seconds, a datetime, or None"),
        ([1.0, 0.0], 5.0, "high", "y must be a number, got 'high'"),
        ([1.0, 0.0], datetime(2026, 1, 1), 0.0, "times were seconds so far"),
    ],
)
def test_what_cannot_be_told_is_refused_and_changes_nothing(x, t, y, words):
    opt = Bolt(BOUNDS)
    opt.tell([1.0, 0.0], 1.0, 2.0)
    before = opt.to_frame()

    with pytest.raises(BoltError, match=words):
        opt.tell(x, t, y)

    assert opt.to_frame().equals(before)
    assert len(opt.dataset) == 1


def test_asking_for_a_time_before_the_newest_is_an_error():
    opt = Bolt(BOUNDS)
    opt.tell([1.0, 0.0], 10.0, 2.0)

    with pytest.raises(ConfigError, match="t = 9 s: t = 10 s"):
        opt.ask(9.0)


def test_in_real_time_the_future_cannot_be_told():
    opt = Bolt(BOUNDS)
    x = opt.ask()

    with pytest.raises(ConfigError, match="is in the future"):
        opt.tell(x, 1e6, 0.0)


def test_datetimes_with_and_without_a_zone_do_not_mix():
    opt = Bolt(BOUNDS)
    opt.ask(datetime(2026, 1, 1, tzinfo=UTC))

    with pytest.raises(ConfigError, match="time zone"):
        opt.ask(datetime(2026, 1, 2))


def test_unequal_lists_are_refused():
    with pytest.raises(ConfigError, match="got 2 x, 1 t and 1 y"):
        Bolt(BOUNDS).tell_all([[1, 0], [2, 0]], [0.0], [1.0])


def test_before_anything_is_learned_there_is_no_posterior():
    with pytest.raises(ConfigError, match=r"0 observations .* 15"):
        Bolt(BOUNDS).posterior([1.0, 0.0], 0.0)


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="unknown algorithm 'blot'"):
        make("blot", BOUNDS)
    with pytest.raises(UnknownNameError, match="unknown engine 'steam'"):
        Bolt(BOUNDS, engine="steam")
    with pytest.raises(UnknownNameError, match="bolt 'speed'"):
        Bolt(BOUNDS, speed=3)
    with pytest.raises(AttributeError, match="no attribute 'Volt'"):
        bolt_core.Volt  # noqa: B018
