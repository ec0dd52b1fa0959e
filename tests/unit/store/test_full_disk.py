"""A full disk: the run goes on, the viewer sees a warning, and nothing is lost once it is freed."""

import errno
import json
import resource
from itertools import islice

import pytest

from bolt_core.common.types import RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.runs.loop import iterate, prepare
from bolt_core.store.library import Library
from bolt_core.store.line_file import LineFile
from bolt_core.store.record_format import to_json
from tests.support.live_races import ended, lane, passes
from tests.support.page_kit import browse, healthy, race
from tests.support.panels import said
from tests.support.runs import make_run
from tests.support.wording import in_order
from tests.unit.live.test_resume_after_kill import racing, told

TWO = ("bolt", "gpucb")
ROOM = 12_000  # bytes a file may have


def lines(passes):
    return [json.loads(json.dumps(to_json(passed))) for passed in passes]


def room_for(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_files_that_may_not_grow_any_more_are_intact_and_the_race_is_finished(home):
    """In a process of its own: the limit holds for all that a process writes."""
    less = {"horizon": 3.0, "runners": TWO, "before": lambda: room_for(ROOM)}
    with racing(home, **less) as (child, race_id):
        last = [heard for _, heard in told(child)][-1]
        assert child.wait() == 0
    stored = Library(home / "runs").open(race_id)
    cut_off = [run for run in stored.runs if run.status == RunStatus.INTERRUPTED]

    assert in_order(last["warning"], "not being saved", "File too large")
    assert len(stored.runs) == len(cut_off) == 2
    for run in cut_off:
        kept, made = lines(run.records), last["passes"][run.config.algorithm]
        assert 0 < len(kept) < made
        assert kept == lines(islice(iterate(prepare(run.config)), len(kept)))


@pytest.fixture
def full(monkeypatch):
    """full(): every line that is written finds the disk full, half of it done; until freed()."""
    write = LineFile._write_line

    def write_half(lines, file, line):
        write(lines, file, line[:20])
        lines._pending.insert(0, line[20:])
        raise OSError(errno.ENOSPC, "No space left on device")

    def fill():
        monkeypatch.setattr(LineFile, "_write_line", write_half)

    fill.freed = lambda: monkeypatch.setattr(LineFile, "_write_line", write)
    yield fill
    fill.freed()


def test_a_writer_without_room_leaves_a_whole_record_behind(home, full):
    conductor = Conductor()
    race_id = conductor.start([lane("random", horizon=8.0)])
    conductor.wait(race_id, passes(30))
    full()
    after = conductor.wait(race_id, ended)
    conductor.shutdown()
    (stored,) = Library(home / "runs").open(race_id).runs

    assert after.status == RunStatus.FINISHED
    assert 30 <= len(stored) < len(after.runs[0])
    assert lines(stored.records) == lines(after.runs[0].records)[: len(stored)]


@pytest.mark.parametrize("when", ["at the start", "in the middle", "after the end"])
def test_a_disk_that_is_freed_loses_nothing(home, full, when):
    conductor = Conductor()
    if when == "at the start":
        full()
    race_id = conductor.start([lane("random", horizon=8.0)])
    conductor.wait(race_id, passes(30))
    full()
    failing = conductor.wait(race_id, passes(60) if when == "in the middle" else ended)
    warning = conductor.wait(race_id, lambda race: race.warning is not None).warning
    full.freed()
    after = conductor.wait(race_id, lambda race: race.status.ended and race.warning is None)
    conductor.shutdown()
    (stored,) = Library(home / "runs").open(race_id).runs

    assert in_order(warning, "not being saved", "No space left", "since", "UTC")
    assert failing.version <= after.version
    assert stored.status == RunStatus.FINISHED
    assert lines(stored.records) == lines(after.runs[0].records)
    assert lines(stored.records) == lines(iterate(prepare(stored.config)))


@pytest.mark.parametrize("page", ["arena", "inside"])
def test_the_viewer_is_told_aloud_once_and_quietly_from_then_on(server, full, page):
    race_id = server.start([lane("random", seed=3)], owner="me")
    server.wait(race_id, passes(60))
    full()
    server.wait(race_id, lambda race: race.warning is not None)
    shown = browse(page, race=race_id)

    name = f"{server.snapshot(race_id).runs[0].run_id}.jsonl"
    words = f"{name} is not being saved: No space left on device"
    (toast,) = shown.toast

    assert words in toast.value.replace("\\", "")
    again = healthy(shown.run())
    assert not again.toast
    assert words in said(again).replace("\\", "")


def test_of_a_race_that_is_over_nobody_says_that_it_goes_on(open_page):
    over = race(make_run(40), status=RunStatus.FINISHED, warning="x.jsonl is not being saved: full")

    assert "goes on" not in said(open_page(over))
