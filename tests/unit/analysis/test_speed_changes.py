"""A speed change while live shows wherever the result does."""

import csv
import io
from dataclasses import replace

import pytest

from bolt_core.analysis.speed_changes import speed_changes
from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import View
from bolt_core.charts.overlay import overlay_races
from bolt_core.charts.status_row import status_row
from bolt_core.common.types import RunStatus, SpeedChange
from bolt_core.figures.shared.axes import speed_notes
from bolt_core.figures.shared.labels import LINE_HEIGHT
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import export
from bolt_core.store.library import Library
from bolt_core.store.listing import listing
from bolt_core.store.records import RecordWriter
from bolt_ui.race_html import facts
from tests.support.runs import make_record, make_run

CHANGES = (SpeedChange(30, 3.0, 4.0, 4.0), SpeedChange(50, 5.0, 0.25, 1.0))
SLOWED = "slowed 4\N{MULTIPLICATION SIGN}"


@pytest.fixture
def race():
    """Two lanes: the second changes its speed a little later, between two of its passes."""
    later = tuple(change._replace(t=change.t + 0.05) for change in CHANGES)
    bolt = replace(make_run(80, algorithm="bolt"), speeds=CHANGES, header={"horizon": 8.0})
    random = replace(make_run(80, algorithm="random"), speeds=later, header={"horizon": 8.0})
    return RaceSnapshot("r", RunStatus.RUNNING, (bolt, random), 8.0, 8.0)


def drawn(name, race):
    return chart_registry.build(name, race, View())


def test_one_change_per_race_however_many_lanes(race):
    assert [(c.t, c.factor) for c in speed_changes(race.runs)] == [(3.0, 4.0), (5.0, 1.0)]
    assert not speed_changes([make_run(20)])


@pytest.mark.parametrize("name", ["regret", "size", "history"])
def test_names_of_changes_that_are_near_each_other_are_in_different_lines(race, name):
    notes = [a for a in drawn(name, race)["layout"]["annotations"] if a.get("name") == "speed"]

    assert [note["x"] for note in notes] == [3.0, 5.0]
    assert notes[0]["yshift"] - notes[1]["yshift"] >= LINE_HEIGHT
    assert [note["xanchor"] for note in speed_notes(race.runs, 6.0)] == ["left", "right"]


def test_charts_have_a_line_at_the_moment(race):
    for name in ("regret", "size", "history"):
        chart = drawn(name, race)
        lines = {t["name"]: set(t["x"]) - {None} for t in chart["data"]}
        assert lines[f"optimizer {SLOWED} at 3 s"] == {3.0}
        assert SLOWED in {note["text"] for note in chart["layout"]["annotations"]}
    assert [t for t, _ in drawn("metronome", race)["changes"]] == [3.0, 5.0]


def test_a_replay_shows_it_once_it_has_happened(race):
    assert SLOWED not in drawn("headline", race.at(2.5))["text"]
    assert SLOWED in drawn("headline", race.at(3.5))["text"]


def test_status_headline_html_and_csv_say_it(race):
    assert f"{SLOWED} at 3 s" in status_row(race)["description"]
    assert f"{SLOWED} at 3 s" in drawn("headline", race)["text"]
    assert f"{SLOWED} at 3 s" in facts(race)["Changed while it ran"]
    rows = list(csv.DictReader(io.StringIO(export.csv(race).decode())))
    factors = [float(row["computing_time_factor"]) for row in rows if row["algorithm"] == "bolt"]
    assert factors == [1.0] * 30 + [4.0] * 20 + [1.0] * 30


def test_compare_keeps_the_changed_race_apart_and_says_what_changed(race):
    plain = replace(
        race,
        race_id="p",
        runs=tuple(replace(run, speeds=(), header={"horizon": 12.0}) for run in race.runs),
    )
    both = overlay_races("p,r", [plain, race], ["plain", "changed"])
    labels = {row["cells"][1] for row in drawn("leaderboard", both)["rows"]}
    first, second, horizons = status_row(both)["compared"].splitlines()

    assert labels == {"BOLT, plain", "BOLT, changed", "Random, plain", "Random, changed"}
    assert SLOWED not in first
    assert f"{SLOWED} at 3 s" in second
    assert "horizon 12 s" in first
    assert "8 s" in horizons
    assert status_row(race)["compared"] is None


def test_the_list_of_runs_says_it_also_after_a_continuation(tmp_path):
    for run_id, change in (("20260101T000000Z-aaaa", CHANGES[0]), ("20260101T000000Z-bbbb", None)):
        config, path = make_run(1).config, tmp_path / f"{run_id}.jsonl"
        header = {"dimension": 1, "horizon": 8.0, "race_id": run_id}
        with RecordWriter(path, config, header=header, run_id=run_id) as writer:
            for i in range(40):
                if change is not None and i == change.i:
                    writer.event("speed", **change._asdict())
                writer.append(make_record(i))
            writer.save_state(lambda: {"i": 40})
        writer, run, _ = RecordWriter.reopen(path)
        writer.close(RunStatus.STOPPED)
        assert len(run.speeds) == (change is not None)
    clocks = {row.race_id[-4:]: row.clock for row in listing(Library(tmp_path).races(), {}, 0.0)}

    assert f"{SLOWED} at 3 s" in clocks["aaaa"]
    assert ";" not in clocks["bbbb"]
    assert b'"speeds"' not in (tmp_path / "20260101T000000Z-bbbb.jsonl").read_bytes()
