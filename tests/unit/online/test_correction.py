"""Correcting the value of an earlier observation."""

import math

import pytest

from bolt_core import Bolt
from bolt_core.algorithms.bolt import RecommendedSize
from bolt_core.algorithms.spec import Removal
from bolt_core.common.errors import ConfigError, ConflictError
from tests.support.plant import KNOBS, PERIOD_SECONDS, drive_plant, yield_of

LAST = 15 * PERIOD_SECONDS


def driven(wrong, journal=None, value=50.0):
    """Return an optimizer that was told a wrong value in row `wrong` of 15."""
    opt = Bolt(KNOBS, warmup=5, journal=journal)
    drive_plant(opt, range(wrong))
    setting = opt.ask(wrong * PERIOD_SECONDS)
    opt.tell(setting, None, value, id=opt.last_id)
    right = yield_of(setting, wrong * PERIOD_SECONDS)
    drive_plant(opt, range(wrong + 1, 15))
    return opt, right


def test_a_corrected_value_is_in_the_log_and_learned_from_and_choices_stay():
    opt, right = driven(7)
    before, mean = opt.log(), opt.best(LAST).mean
    opt.correct(7, right)

    log = opt.log()
    assert log["y"][7] == pytest.approx(right)
    assert log.drop(columns="y").equals(before.drop(columns="y"))
    assert log["y"].drop(7).equals(before["y"].drop(7))
    assert opt.best(LAST).mean != mean
    opt.tell(opt.ask(LAST), None, -1.0)
    assert len(opt.log()) == 16


def test_the_posterior_is_that_of_an_optimizer_with_the_corrected_data():
    opt, right = driven(7)
    opt.correct(7, right)
    told = Bolt(KNOBS, warmup=5)
    log = opt.log()
    told.tell_all(log[list(KNOBS)].to_dict("records"), log["time"], log["y"])
    settings = log[list(KNOBS)].to_dict("records")[::3]
    mine, others = opt.posterior(settings, LAST)[0], told.posterior(settings, LAST)[0]

    assert mine == pytest.approx(others, abs=0.15)  # hyperparameters come from other starts


@pytest.mark.parametrize(("first", "then"), [(50.0, math.nan), (math.nan, -2.0)])
def test_failed_and_measured_may_be_exchanged(first, then):
    opt, _ = driven(7, value=first)
    opt.correct(7, then)

    failed = math.isnan(then)
    assert opt.log()["failed"][7] == failed
    assert (7 in {o.i for o in opt.dataset}) != failed
    assert opt.status().failed == failed
    assert opt.snapshot().sizes()[-1] == len(opt.dataset)
    assert opt.snapshot().members() == sorted(o.i for o in opt.dataset)
    opt.undo()
    assert (7 in {o.i for o in opt.dataset}) != failed


def test_undo_takes_back_tells_and_leaves_corrected_values(tmp_path):
    opt, right = driven(7, tmp_path / "journal.jsonl")
    opt.correct(7, right)
    opt.undo()
    assert opt.log()["y"][7] == pytest.approx(right)
    for _ in range(6):
        opt.undo()
    assert len(opt.log()[lambda log: ~log["pending"]]) == 8
    opt.undo()  # the tell that was corrected
    assert [ask.id for ask in opt.pending] == [8]


def test_undo_continues_where_a_corrected_row_changed_what_the_surrogate_had_lost(
    tmp_path, monkeypatch
):
    opt, right = driven(7, tmp_path / "journal.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(RecommendedSize, "clean", lambda _, moment: Removal(moment.ids([15])))
        opt.tell(opt.ask(LAST), None, right)  # it leaves at once
    opt.tell(opt.ask(LAST + PERIOD_SECONDS), None, right)
    opt.correct(3, math.nan)
    opt.undo()
    copy = Bolt.load(tmp_path / "journal.jsonl")

    assert [o.i for o in opt.dataset] == [i for i in range(16) if i not in (3, 15)]
    assert copy.ask(LAST + PERIOD_SECONDS) == opt.ask(LAST + PERIOD_SECONDS)


def test_a_correction_is_in_the_journal_and_goes_on_exactly(tmp_path):
    opt, right = driven(7, tmp_path / "journal.jsonl")
    opt.correct(7, right)
    copy = Bolt.load(tmp_path / "journal.jsonl")

    assert copy.log().equals(opt.log())
    assert copy.ask(LAST) == opt.ask(LAST)


def test_a_repeated_tell_of_the_first_or_the_corrected_value_is_recognised():
    opt, right = driven(7)
    opt.correct(7, right)
    opt.correct(7, 12.0)
    for value in (50.0, 12.0):
        opt.tell(None, None, value, id=8)

    assert len(opt.log()) == 15
    with pytest.raises(ConflictError, match="12"):
        opt.tell(None, None, 13.0, id=8)


@pytest.mark.parametrize(("row", "value"), [(-1, 1.0), (15, 1.0), (True, 1.0), (3, "x"), (3, 1e60)])
def test_what_cannot_be_corrected_is_refused_and_changes_nothing(row, value):
    opt, _ = driven(7)
    before = opt.log()
    with pytest.raises(ConfigError):
        opt.correct(row, value)

    assert opt.log().equals(before)


def test_a_journal_that_cannot_be_written_leaves_the_value_as_it_was(tmp_path, monkeypatch):
    opt, right = driven(7, tmp_path / "journal.jsonl")
    before = opt.log()
    monkeypatch.setattr("bolt_core.common.files.os.fsync", _full)
    with pytest.raises(Exception, match="No space"):
        opt.correct(7, right)

    assert opt.log().equals(before)
    assert Bolt.load(tmp_path / "journal.jsonl").log().equals(before)


def _full(_):
    raise OSError(28, "No space left on device")
