"""Columns become times, knobs and an outcome; the log is ready for an optimizer."""

import math
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core import Bolt
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.knobs import Choice, Integer, Real
from bolt_core.logs.guessing import Overrides
from bolt_core.logs.reading import read_log

FINITE = st.floats(-1e6, 1e6).map(lambda v: round(v, 3))


def table(header, rows, delimiter=","):
    return "\n".join(delimiter.join(map(str, row)) for row in [header, *rows]).encode()


@settings(max_examples=25)
@given(
    st.lists(st.tuples(FINITE, FINITE), min_size=5, max_size=30),
    st.sampled_from(((",", "."), (";", "."), (";", ","), ("\t", ","))),
    st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "latin-1")),
)
def test_numbers_come_back_as_they_were_written(pairs, signs, encoding):
    delimiter, decimal = signs
    rows = [(k, f"{x:.3f}", f"{y:.3f}") for k, (x, y) in enumerate(pairs)]
    xs, ys = zip(*pairs, strict=True)
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return
    text = table(("t (min)", "Küche (°C)", "yield"), rows, delimiter).decode()
    text = text.replace(".", decimal) if decimal == "," else text
    log = read_log(text.encode(encoding), "log.csv")
    assert log.y.tolist() == pytest.approx(ys, abs=1e-9)
    assert log.times.tolist() == [60.0 * k for k in range(len(pairs))]
    told = [setting[next(iter(log.spec.knobs))] for setting in log.settings()]
    assert told == pytest.approx(xs, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize(
    ("heading", "cells", "seconds", "dated"),
    [
        ("time", ["2026-01-01T00:00:00+01:00", "2026-01-01T00:00:30+01:00"], 30.0, True),
        ("date", ["31.12.2025 23:59", "01.01.2026 00:00:30,5"], 90.5, True),
        ("date", ["12/31/2025 11:59 PM", "1/1/2026 12:00 AM"], 60.0, True),
        ("stamp", ["1767225600", "1767225630.5"], 30.5, True),
        ("stamp", ["1767225600000", "1767225600250"], 0.25, True),
        ("timestamp", ["46023.5", "46023.75"], 21_600.0, True),
        ("time (h)", ["0.5", "2"], 5400.0, False),
        ("time [ms]", ["500", "2000"], 1.5, False),
        ("t", ["10", "12"], 2.0, False),
    ],
)
def test_every_kind_of_time(heading, cells, seconds, dated):
    first, last = cells
    rows = [(first, 1, 5.5), (last, 2, 6.5), (last, 3, 4.5)]
    log = read_log(table((heading, "feed", "yield"), rows, ";"), "log.csv")
    assert log.times.tolist() == pytest.approx([0.0, seconds, seconds])
    assert (log.origin is not None) == dated


def test_dates_are_those_of_the_file():
    rows = [("46023.5", 1, 5), ("46024", 2, 6)]
    log = read_log(table(("date", "feed", "yield"), rows), "log.csv")
    assert log.origin == datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert log.caller_time(60.0) == datetime(2026, 1, 1, 12, 1, tzinfo=UTC)


def test_knobs_are_real_logarithmic_integers_and_choices():
    rows = [
        (60 * k, 0.5 + k, 10.0 ** (k % 4 - 3), 1 + k % 5, "ABC"[k % 3], f"s{k}", k * 0.1)
        for k in range(40)
    ]
    header = ("t", "feed (l/min)", "rate", "stages", "catalyst", "sample name", "yield (%)")
    log = read_log(table(header, rows), "reactor.csv")
    knobs = log.spec.knobs
    assert knobs["feed"] == Real(0.5, 39.5, unit="l/min")
    assert knobs["rate"] == Real(1e-3, 1.0, scale="log")
    assert knobs["stages"] == Integer(1, 5)
    assert knobs["catalyst"] == Choice("A", "B", "C")
    assert list(knobs) == ["feed", "rate", "stages", "catalyst"]
    assert (log.spec.outcome, log.spec.unit, log.spec.name) == ("yield", "%", "reactor")
    told = log.settings()[7]
    assert (told["stages"], told["catalyst"]) == (3, "B")
    assert told["rate"] == pytest.approx(1.0)


def test_roles_can_be_overridden_by_name_and_number():
    rows = [(60 * k, k % 7, (k * k) % 11, k % 3, k % 5) for k in range(30)]
    data = table(("t", "a (s)", "b", "cost", "score"), rows)
    guessed = read_log(data, "log.csv")
    assert (guessed.roles.outcome, guessed.roles.maximize) == ("score", True)
    assert guessed.roles.knobs == ("a (s)", "b")
    assert any("cost" in reason for reason in guessed.reasons)
    given_roles = Overrides("1", ("A", "score"), "cost", None, None)
    log = read_log(data, "log.csv", given_roles)
    assert (log.roles.outcome, log.roles.maximize, log.roles.knobs) == (
        "cost",
        False,
        ("a (s)", "score"),
    )
    assert read_log(data, "log.csv", Overrides(outcome="b", maximize=False)).spec.maximize is False
    with pytest.raises(UnknownNameError, match="scor"):
        read_log(data, "log.csv", Overrides(outcome="scor"))
    with pytest.raises(ConfigError, match="two roles"):
        read_log(data, "log.csv", Overrides(outcome="b", knobs=("b",)))


def test_a_row_number_with_a_period_is_a_time():
    rows = [(k + 1 if k < 20 else k + 11, k % 7, k % 4) for k in range(40)]
    data = table(("row", "feed", "yield"), rows)
    log = read_log(data, "log.csv", Overrides(period=2.0))
    assert log.times[-1] == 2.0 * 49
    assert list(log.spec.knobs) == ["feed"]
    again = read_log(data, "log.csv", Overrides(time="row", period=2.0))
    assert again.times.tolist() == log.times.tolist()


def test_an_optimizer_starts_from_the_log():
    rng = np.random.default_rng(1)
    rows = [
        (
            f"2026-01-01T{k // 60:02d}:{k % 60:02d}:00Z",
            round(x, 3),
            1 + k % 4,
            round(math.sin(x), 4),
        )
        for k, x in enumerate(rng.uniform(0, 8, 40))
    ]
    log = read_log(table(("time", "feed", "stages", "yield"), rows), "log.csv")
    opt = Bolt(log.spec, warmup=5)
    opt.tell_all(*log.observations())
    frame = opt.log()
    assert len(frame) == 40
    assert frame["yield"].tolist() == log.y.tolist()
    assert set(opt.ask(log.caller_time(log.span + 60.0))) == {"feed", "stages"}
    assert opt.status().warmup_left == 0


def test_names_that_an_optimizer_needs_are_changed_and_noted():
    rows = [(60 * k, k % 7, k % 4 + 0.5) for k in range(30)]
    log = read_log(table(("t", "ask", "failed"), rows), "log.csv")
    assert (list(log.spec.knobs), log.spec.outcome) == (["ask_"], "failed_")
    assert sum("taken" in note for note in log.notes) == 2


def test_numbers_of_columns_count_in_the_file():
    rows = [(k, k % 5 + 0.5, k % 3 + 0.5, k % 7, k % 4) for k in range(20)]
    data = table(("time", "a", "b", "y1", "y2"), rows)

    log = read_log(data, "num.csv", Overrides("1", ("2", "3"), "4"))

    assert (log.roles.time, log.roles.knobs, log.roles.outcome) == ("time", ("a", "b"), "y1")
    with pytest.raises(ConfigError, match=r"6.*1 \(time\).*5 \(y2\)"):
        read_log(data, "num.csv", Overrides(outcome="6"))
    with pytest.raises(ConfigError, match="two roles"):
        read_log(data, "num.csv", Overrides(time="1", outcome="1"))


def test_numbers_of_columns_count_in_the_file_where_dates_and_times_are_joined():
    rows = [(k % 5 + 0.5, "2026-01-31", f"10:{k:02d}", k % 7, k % 4) for k in range(20)]
    data = table(("a", "date", "clock", "y1", "y2"), rows)

    log = read_log(data, "num.csv", Overrides(time="3", knobs=("1",), outcome="4"))

    assert (log.roles.time, log.roles.knobs, log.roles.outcome) == ("date clock", ("a",), "y1")


def test_a_second_outcome_is_left_out_by_its_name_and_noted_by_its_values():
    rng = np.random.default_rng(0)
    feed, level = rng.random(30).round(4), rng.random(30).round(4)
    rows = [(60 * k, f, y, 2 * y) for k, (f, y) in enumerate(zip(feed, level, strict=True))]
    numbered = read_log(table(("t", "feed", "y1", "y2"), rows), "log.csv")
    assert (numbered.roles.knobs, numbered.roles.outcome) == (("feed",), "y2")
    assert any("'y1'" in reason and "left out" in reason for reason in numbered.reasons)
    unnamed = read_log(table(("t", "feed", "p", "q"), rows), "log.csv")
    assert unnamed.roles.knobs == ("feed", "p")
    assert [note for note in unnamed.notes if {"'p'", "'q'"} < set(note.split())]


def test_two_knobs_that_move_together_are_noted():
    rng = np.random.default_rng(2)
    p, noise = rng.random(30).round(4), rng.random(30).round(4)
    rows = [(60 * k, a, 3 * a, b) for k, (a, b) in enumerate(zip(p, noise, strict=True))]
    log = read_log(table(("t", "p", "q", "yield"), rows), "log.csv")
    assert [note for note in log.notes if {"'p'", "'q'"} < set(note.split())]
    alone = read_log(table(("t", "p", "q", "yield"), rows), "log.csv", Overrides(knobs=("p",)))
    assert not [note for note in alone.notes if "'q'" in note]


def test_a_knob_is_logarithmic_if_its_values_are_and_not_because_one_is_near_zero():
    rng = np.random.default_rng(1)
    even, spread = rng.random(2000) * 10.0, 10.0 ** rng.uniform(-4.0, 0.0, 2000)
    even[7] = 0.002
    rows = [
        (k, round(a, 6), f"{b:.8f}", a + b)
        for k, (a, b) in enumerate(zip(even, spread, strict=True))
    ]
    log = read_log(table(("t", "feed", "dose", "yield"), rows), "log.csv")
    knobs = log.spec.knobs
    assert [note for note in log.notes if note.startswith("'dose'")]
    assert (knobs["feed"].scale, knobs["dose"].scale) == ("linear", "log")
