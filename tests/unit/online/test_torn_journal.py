"""A journal that was written anew and lost its end keeps its observations."""

from datetime import UTC, datetime, timedelta

import pytest

from bolt_core import Bolt, Real
from bolt_core.common.errors import RecordError

BEGAN = datetime(2026, 5, 3, tzinfo=UTC)


def told(path, count=8):
    """Write a journal with `count` observations; two asks are pending."""
    opt = Bolt({"a": Real(0, 1), "b": Real(0, 5)}, maximize="y", warmup=4, journal=path)
    for k in range(count):
        x = opt.ask(BEGAN + timedelta(minutes=k))
        opt.tell(x, None, x["a"] + k, id=opt.last_id)
    opt.ask(BEGAN + timedelta(minutes=count))
    opt.ask(BEGAN + timedelta(minutes=count))
    return opt


@pytest.mark.parametrize("lost", [20, 700])
@pytest.mark.parametrize("states", ["one", "those of undo"])
def test_the_observations_before_a_torn_state_are_read_back(tmp_path, lost, states):
    path = tmp_path / "plant.jsonl"
    opt = told(path)
    if states == "one":
        opt.change("a", high=2)
    else:
        opt.correct(0, 5.0)  # writes the file anew, and keeps what `undo` needs
    log, undo, best = opt.log(), len(opt._undo), opt.best(BEGAN + timedelta(minutes=9)).setting
    opt.close()
    damaged = path.read_bytes()[:-lost]
    path.write_bytes(damaged)

    answered = log[~log["pending"]]
    assert Bolt.load(path).log()["y"].tolist()[:8] == answered["y"].tolist()
    again = Bolt.open(path)
    assert (tmp_path / "plant.jsonl.damaged").read_bytes() == damaged
    assert again.log().iloc[:8].equals(answered)
    assert len(again._undo) == undo
    assert again.best(BEGAN + timedelta(minutes=9)).setting.keys() == best.keys()
    again.ask(BEGAN + timedelta(minutes=10))
    assert again.last_id > answered["ask"].max()  # else its result would be ignored
    again.close()
    third = Bolt.open(path)
    assert third.told == 8
    assert third.dropped_bytes == 0
    assert {p.name for p in tmp_path.glob("plant*")} == {"plant.jsonl", "plant.jsonl.damaged"}


def test_without_anything_of_the_state_it_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "plant.jsonl"
    opt = told(path)
    opt.change("a", high=2)
    opt.close()
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = b"".join(lines[:6])
    path.write_bytes(damaged)
    for _ in range(2):
        with pytest.raises(RecordError):
            Bolt.open(path)
        assert path.read_bytes() == damaged


def test_an_interrupted_tell_is_cut_and_a_copy_is_kept(tmp_path):
    path = tmp_path / "plant.jsonl"
    told(path, 3).close()
    opt = Bolt.open(path)
    opt.tell({"a": 0.5, "b": 1.0}, BEGAN + timedelta(minutes=3), 1.0)
    opt.close()
    damaged = path.read_bytes()[:-20]
    path.write_bytes(damaged)
    assert Bolt.open(path).told == 3
    assert (tmp_path / "plant.jsonl.damaged").read_bytes() == damaged


def test_an_ask_that_fails_midway_changes_nothing(tmp_path, monkeypatch):
    opt, twin = told(tmp_path / "a.jsonl", 6), told(tmp_path / "b.jsonl", 6)
    later = BEGAN + timedelta(minutes=9)
    opt.tell(None, later, 1.0, id=7)
    twin.tell(None, later, 1.0, id=7)

    def fail(*_):
        raise FloatingPointError("midway")

    with monkeypatch.context() as patched:
        patched.setattr(type(opt.space), "towards", fail)
        with pytest.raises(FloatingPointError):
            opt.ask(later + timedelta(minutes=1))
    assert opt.log().equals(twin.log())
    assert opt._inner.records[-1].seconds == twin._inner.records[-1].seconds
    assert opt._inner.responses == twin._inner.responses
    assert opt.ask(later) == twin.ask(later)
    assert (opt.last_id, len(opt.pending)) == (twin.last_id, len(twin.pending))
