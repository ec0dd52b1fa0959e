"""Journals: what was told is in the file, and a restart at any moment goes on exactly."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from typer.testing import CliRunner

from bolt_core import Bolt, OnlineOptimizer, Real, make
from bolt_core.cli import app
from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.online import journal
from bolt_core.store.importing import import_records
from bolt_core.store.records import read
from tests.support.own_problem import BOUNDS, drive
from tests.support.plant import KNOBS, drive_plant

SMALL = {"feed": Real(0, 8, max_step=1), "rate": Real(1e-3, 1.0, scale="log")}


def drive_small(opt, steps):
    """Ask and tell with numbers, so that a step is the same after a restart."""
    for k in steps:
        setting = opt.ask(float(k))
        opt.tell(setting, None, math.sin(k) - (setting["feed"] - 3.0) ** 2, id=opt.last_id)


def killed(opt):
    """Release the files of an optimizer as kill -9 does: nothing more is written."""
    opt._journal._lines.abandon()
    opt._journal._lock.close()


@pytest.mark.parametrize("key", ["bolt", "abo", "sw-gpucb", "extremum-seeking"])
def test_killed_and_opened_again_it_goes_on_exactly(key, tmp_path):
    path, undisturbed = tmp_path / "plant.jsonl", make(key, KNOBS, warmup=5, seed=3)
    for start in range(0, 24, 6):
        opt = (
            OnlineOptimizer.open(path)
            if start
            else make(key, KNOBS, warmup=5, seed=3, journal=path)
        )
        asked = drive_plant(opt, range(start, start + 6))
        assert asked == drive_plant(undisturbed, range(start, start + 6))
        killed(opt)

    assert undisturbed.log().equals(OnlineOptimizer.load(path).log())


def test_arrays_may_have_a_journal_and_are_the_same_with_it(tmp_path):
    plain, kept = Bolt(BOUNDS, warmup=5), Bolt(BOUNDS, warmup=5, journal=tmp_path / "a.jsonl")
    times = np.arange(0.0, 40.0)
    for (x, _), (other, _) in zip(drive(plain, times), drive(kept, times), strict=True):
        np.testing.assert_array_equal(x, other)
    kept.close()

    again = Bolt.open(tmp_path / "a.jsonl")
    np.testing.assert_array_equal(plain.ask(41.0), again.ask(41.0))
    assert plain.n_star == again.n_star


def test_a_file_cut_anywhere_has_every_tell_that_was_complete(tmp_path):
    path = tmp_path / "plant.jsonl"
    opt = Bolt(SMALL, warmup=3, journal=path)
    sizes = []
    for k in range(6):
        drive_small(opt, [k])
        sizes.append(path.stat().st_size)
    opt.close()
    data = path.read_bytes()
    rng = np.random.default_rng(0)
    for length in [*sizes, *rng.integers(sizes[2], sizes[-1], 14).tolist()]:
        path.write_bytes(data[:length])
        again = Bolt.open(path)
        answered = again.log()[lambda log: ~log["pending"]]
        assert len(answered) == sum(size <= length for size in sizes)
        if again.pending:
            again.tell(None, None, 0.5, id=again.pending[0].id)
        drive_small(again, range(10, 12))
        again.close()
        assert len(Bolt.load(path).log()) == len(answered) + 2 + (
            len(again.log()) > len(answered) + 2
        )


def test_a_tell_repeated_after_a_restart_is_stored_once(tmp_path):
    path = tmp_path / "plant.jsonl"
    opt = Bolt(SMALL, warmup=3, journal=path)
    drive_small(opt, range(5))
    opt.ask(5.0)
    opt.close()

    again = Bolt(SMALL, warmup=3, journal=path)  # the same line continues it
    again.tell(None, None, math.sin(4), id=6)
    again.close()
    third = Bolt.open(path)
    third.tell(None, None, math.sin(4), id=6)
    assert len(third.log()) == 6
    assert third.log()["ask"].tolist() == [1, 2, 3, 4, 5, 6]
    third.undo()
    third.tell(None, None, 0.25, id=6)
    third.close()
    assert Bolt.load(path).log()["y"].iloc[-1] == 0.25


def test_undo_and_change_survive_a_restart(tmp_path):
    path = tmp_path / "plant.jsonl"
    opt = Bolt(SMALL, warmup=3, journal=path)
    drive_small(opt, range(12))
    opt.undo()
    opt.close()

    opt = Bolt.open(path)
    assert len(opt.pending) == 1
    for _ in range(3):
        opt.undo()
    assert len(opt.log()) == 9
    opt.change("feed", high=6, unit="l/h")
    asked = opt.ask(20.0)
    opt.close()
    again = Bolt.open(path)
    assert again.spec.knobs["feed"] == Real(0.0, 6.0, "l/h", max_step=1.0)
    assert [ask.setting for ask in again.pending][-1] == asked
    with pytest.raises(ConfigError, match="no tell to take back"):
        again.undo()


def test_the_file_is_written_anew_before_states_fill_it(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MIN_APPENDED_BYTES", 20_000)
    path = tmp_path / "plant.jsonl"
    opt, plain = (
        Bolt(SMALL, warmup=3, think_within=100.0, journal=path),
        Bolt(SMALL, warmup=3, think_within=100.0),
    )
    sizes = []
    for k in range(60):
        drive_small(opt, [k])
        drive_small(plain, [k])
        sizes.append(path.stat().st_size)
    opt.close()
    again = Bolt.open(path)

    assert sum(b < a for a, b in pairwise(sizes)) >= 3
    assert max(sizes) < 150_000
    assert again.ask(60.0) == plain.ask(60.0)
    assert len(again._undo) == 20
    frame, other = again.to_frame(), plain.to_frame()
    assert frame["seconds"].tolist() == other["seconds"].tolist()


def test_a_journal_is_a_record_that_show_and_the_runs_page_read(tmp_path):
    path = tmp_path / "plant.jsonl"
    opt = Bolt(KNOBS, maximize="yield", name="Kiln 3", warmup=5, journal=path)
    drive_plant(opt, range(12))
    opt.ask(12 * 60.0)

    shown = CliRunner().invoke(app, ["show", str(path)], env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    assert "Kiln 3" in shown.output
    assert "l/min" in shown.output
    race = import_records(path.read_bytes(), tmp_path / "runs")
    assert race
    snapshot = read(path)
    assert len(snapshot) == 12
    assert (snapshot.columns["seconds"] == 60.0).all()


def test_a_journal_belongs_to_one_process_and_one_problem(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "LOCK_WAIT_SECONDS", 0.0)
    path = tmp_path / "plant.jsonl"
    opt = Bolt(SMALL, journal=path)
    with pytest.raises(RecordError, match="another process uses"):
        Bolt.open(path)
    with pytest.raises(RecordError, match="is the journal"):
        opt.save(path)
    opt.close()
    with pytest.raises(RecordError, match="closed"):
        opt.ask(0.0)
    with pytest.raises(ConfigError, match=r"another problem: .*'feed'.*Bolt\.open"):
        Bolt({**SMALL, "feed": Real(0, 9)}, journal=path)
    with pytest.raises(ConfigError, match="another problem"):
        Bolt(BOUNDS, journal=path)
    with pytest.raises(RecordError, match="there is no file"):
        Bolt.open(tmp_path / "other.jsonl")
    assert Bolt(SMALL, journal=path).log().empty


def test_what_a_killed_writer_left_is_removed(tmp_path):
    path = tmp_path / "plant.jsonl"
    Bolt(SMALL, journal=path).close()
    (tmp_path / ".plant.jsonl.0a1b2c3d.part").write_bytes(b"half")
    Bolt.open(path).close()

    assert list(tmp_path.glob(".*.part")) == []


def test_real_time_goes_on_while_nothing_runs(tmp_path):
    path = tmp_path / "plant.jsonl"
    opt = Bolt(SMALL, journal=path)
    opt.ask()
    opt.close()
    lines = path.read_text().splitlines()
    event = json.loads(lines[-1])
    year, rest = event["timeline"]["wall"].split("-", 1)
    event["timeline"]["wall"] = f"{int(year) - 1}-{rest}"
    path.write_text("\n".join([*lines[:-1], json.dumps(event)]) + "\n")

    again = Bolt.open(path)
    again.ask()
    assert again.at > 364 * 86_400


def test_a_full_disk_is_reported_and_nothing_is_lost(tmp_path, monkeypatch):
    path = tmp_path / "plant.jsonl"
    opt = Bolt(SMALL, journal=path)
    setting = opt.ask(0.0)
    monkeypatch.setattr(journal.LineFile, "_write_line", _full)
    with pytest.raises(RecordError, match="free some space"):
        opt.tell(setting, 0.0, 1.0, id=1)
    monkeypatch.undo()
    opt.ask(1.0)
    opt.close()

    assert len(Bolt.load(path).log()) == 2


def _full(*_):
    raise OSError(28, "No space left on device")
