"""What is too large is refused before anything changes, and a failed write changes nothing."""

import math
from functools import partial

import pytest

from bolt_core import Bolt, Real
from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.online import journal

KNOBS = {"a": Real(0, 1)}


def started(path):
    """Return an optimizer with two results and one pending ask."""
    opt = Bolt(KNOBS, warmup=2, journal=path)
    for t in (0.0, 1.0):
        opt.tell(opt.ask(t), None, math.sin(t))
    opt.ask(2.0)
    return opt


@pytest.mark.parametrize(
    ("x", "t", "y", "words"),
    [
        (None, None, 1e150, "1e\\+150.*as failed"),
        (None, None, -1e308, "1e\\+308.*as failed"),
        (None, None, 10**400, "as failed"),
        ({"a": 1e150}, 50.0, 1.0, "1e\\+150"),
        ({"a": 0.5}, 1e120, 1.0, "1e\\+120"),
    ],
)
def test_a_value_that_the_reader_would_refuse_is_not_stored(tmp_path, x, t, y, words):
    opt = started(tmp_path / "a.jsonl")
    before = opt.log()
    with pytest.raises(ConfigError, match=words):
        opt.tell(x, t, y, id=3 if x is None else None)
    assert opt.log().equals(before)
    opt.tell(None, None, 2.0, id=3)
    opt.close()

    assert Bolt.open(tmp_path / "a.jsonl").log().equals(opt.log())


def test_a_time_of_an_ask_that_is_too_large_is_refused():
    with pytest.raises(ConfigError, match="1e\\+120"):
        Bolt(KNOBS).ask(1e120)


@pytest.mark.parametrize(("x", "t", "y"), [(0.5, 50.0, -1e50), (1e50, 50.0, 1.0), (0.5, 1e50, 1.0)])
def test_the_largest_values_are_stored_and_read(tmp_path, x, t, y):
    opt = started(tmp_path / "a.jsonl")
    opt.tell({"a": x}, t, y)
    opt.close()

    again = Bolt.open(tmp_path / "a.jsonl")
    assert again.log().equals(opt.log())
    again.tell(None, None, 1.0, id=3)


def test_a_refused_tell_does_not_decide_the_kind_of_time():
    opt = Bolt(KNOBS)
    with pytest.raises(ConfigError):
        opt.tell_all([{"a": 0.1}, {"a": 0.2}], [1.0, 2.0], [1.0, 1e150])
    opt.ask()  # real time
    assert opt.log()["pending"].tolist() == [True]


def fail(*_, **__):
    raise ValueError("not JSON")


def test_memory_and_journal_agree_after_a_write_that_failed(tmp_path, monkeypatch):
    opt = started(tmp_path / "a.jsonl")
    before = opt.log()
    with monkeypatch.context() as patch:
        patch.setattr(journal, "to_json", fail)
        tell = partial(opt.tell, None, None, 2.0, id=3)
        for call in (tell, opt.undo, partial(opt.change, "a", high=2)):
            with pytest.raises(ValueError, match="not JSON"):
                call()
            assert opt.log().equals(before)
            assert opt.spec.knobs == KNOBS
    opt.tell(None, None, 2.0, id=3)
    opt.undo()
    opt.tell(None, None, 3.0, id=3)
    opt.close()

    assert Bolt.open(tmp_path / "a.jsonl").log().equals(opt.log())


def test_a_closed_journal_takes_nothing(tmp_path):
    opt = started(tmp_path / "a.jsonl")
    before = opt.log()
    opt.close()
    calls = [lambda: opt.tell({"a": 0.5}, 5.0, 1.0), lambda: opt.ask(5.0), opt.undo]
    for call in calls:
        with pytest.raises(RecordError, match="closed"):
            call()
    assert opt.log().equals(before)


@pytest.mark.parametrize("pair", [(-1e308, 1e308), (0.0, 1e200), (0.0, 1e-200)])
def test_plain_bounds_that_cannot_be_computed_with_are_refused(pair):
    with pytest.raises(ConfigError, match="another unit"):
        Bolt([pair])
