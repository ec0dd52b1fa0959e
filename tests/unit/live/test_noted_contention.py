"""Contention is noted in the record of a run on the cpu clock, and read back after a restart."""

import pytest

from bolt_core.charts.overlay import overlay_races
from bolt_core.common.types import ClockConfig, RunStatus
from bolt_core.live.cpu_contention import MIN_SLICES, CpuContention
from bolt_core.live.race import Race
from bolt_core.live.resume import take_up
from bolt_core.store import export
from bolt_core.store.library import Library
from tests.support.live_races import lane


def busy(ratio):
    """Return the contention of a race that waited all the time."""
    contention = CpuContention()
    for _ in range(MIN_SLICES):
        contention.note(0.05 * ratio, 0.05)
    return contention


def finished(directory, ratio, kind="cpu"):
    """Run a race of one lane to its end beside other programs."""
    config = lane(clock=ClockConfig(kind), horizon=3.0)
    race = Race([config], directory, contention=busy(ratio))
    race.announce(None)
    while not race.ended:
        race.advance()
    return race


def events(directory):
    lines = [line for f in directory.glob("*.jsonl") for line in f.read_text().splitlines()]
    return [line for line in lines if '"event"' in line]


def test_it_is_shown_after_a_restart_and_in_exports_and_comparisons(tmp_path):
    race = finished(tmp_path, 2.0)
    stored = Library(tmp_path).open(race.race_id)

    assert stored.disturbed == pytest.approx(2.0)
    assert overlay_races("both", [stored, stored]).disturbed == pytest.approx(2.0)
    assert set(export.frame(stored)["real_seconds_per_cpu_second"]) == {2.0}
    (listed,) = Library(tmp_path).races()
    assert listed.runs[0].summary["contention"] == pytest.approx(2.0)


@pytest.mark.parametrize(("ratio", "kind"), [(1.1, "cpu"), (3.0, "model")])
def test_an_idle_machine_and_the_model_clock_leave_no_line(tmp_path, ratio, kind):
    race = finished(tmp_path, ratio, kind)

    assert Library(tmp_path).open(race.race_id).disturbed is None
    assert events(tmp_path) == []


def started(directory, runs=1, passes=4, **rest):
    configs = [lane(seed=seed, horizon=30.0, **rest) for seed in range(runs)]
    race = Race(configs, directory, contention=busy(2.0))
    race.announce(None)
    for _ in range(passes):
        race.advance()
    return race


def test_a_resumed_race_stays_disturbed(tmp_path):
    race = started(tmp_path, clock=ClockConfig("cpu"))
    race.end()
    resumed = take_up(race.race_id, tmp_path, lambda _: None)

    assert resumed.snapshot().disturbed == pytest.approx(2.0)
    resumed.end()
    assert Library(tmp_path).open(race.race_id).disturbed == pytest.approx(2.0)


def test_a_resumed_race_that_is_stopped_at_once_reads_stopped(tmp_path):
    race = started(tmp_path, runs=2)
    race.settle(after=0.0)
    race.put_back()  # as if the server had been killed
    assert Library(tmp_path).open(race.race_id).status == RunStatus.INTERRUPTED
    take_up(race.race_id, tmp_path, lambda _: None).end()

    assert Library(tmp_path).open(race.race_id).status == RunStatus.STOPPED
    assert Library(tmp_path).find(race.race_id).status == RunStatus.STOPPED


def test_a_race_whose_last_lane_was_not_prepared_reads_stopped(tmp_path):
    race = started(tmp_path, runs=2, passes=1)
    race.end()

    assert len(list(tmp_path.glob("*.jsonl"))) == 1
    assert Library(tmp_path).open(race.race_id).status == RunStatus.STOPPED


def test_a_race_that_is_put_back_leaves_its_files_as_they_were(tmp_path):
    race = started(tmp_path)
    race.end()
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    take_up(race.race_id, tmp_path, lambda _: None).put_back()

    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
