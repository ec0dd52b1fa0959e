"""What a replay shows at a moment is what the lines of the records say of it: 5,000 iterations."""

import io
import json
import time
from statistics import fmean

import numpy as np
import pandas as pd
import pytest

from bolt_core.charts import ChartServer
from bolt_core.charts.chart_registry import View
from bolt_core.figures.arena.removal_marks import marks
from bolt_core.store import export, importing
from bolt_core.store.library import Library
from tests.support import made_race, recomputed

CURSORS = (0.0, 1.7, 15.0, 60.03, 123.4, 257.81, 299.9)
LABELS = {"BOLT": "bolt", "R-GPUCB": "r-gpucb", "GPUCB": "gpucb"}
DIGITS = 5e-3  # a table says three digits


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The files by algorithm, and a maker of frames that finds them."""
    home = tmp_path_factory.mktemp("made")
    files, race = made_race.write(home), Library(home).open(made_race.RACE_ID)
    frames = ChartServer({made_race.RACE_ID: race}.get)
    yield files, frames
    frames.shutdown()


def shown(frames, chart, at):
    for _ in range(200):  # a leaderboard is final when its held regret is known
        answer = json.loads(frames.frame(made_race.RACE_ID, chart, View(), at=at))
        if answer["final"]:
            return answer["chart"]
        time.sleep(0.1)
    raise AssertionError(f"{chart} at {at} did not become final")


def over(path, at):
    """The passes that were over by then."""
    return [p for p in recomputed.passes_of(path) if p["t"] + p["seconds"] <= at]


def sizes_in(chart):
    """|D| by label: where D is empty, what is answer of it and not where it is drawn."""
    return {t["name"]: (t["x"], t.get("customdata", t["y"])) for t in chart["data"]}


def number(cell):
    return float(cell.removesuffix(" s").replace(",", ""))


@pytest.mark.parametrize("at", CURSORS)
def test_every_number_of_the_leaderboard_is_the_records(stored, at):
    files, frames = stored
    table = shown(frames, "leaderboard", at)
    names = [column["name"] for column in table["columns"]]
    rows = {row["cells"][names.index("Algorithm")]: row["cells"] for row in table["rows"]}
    for label, key in LABELS.items():
        passes = over(files[key], at)
        full = [p for p in passes if not p["warmup"]]
        cells = dict(zip(names, rows[label], strict=True))
        assert number(cells["Queries"]) == len(passes)
        assert number(cells["n"]) == ([0] + recomputed.sizes(passes)[1])[-1]
        if full:
            lost = fmean(p["best"] - p["value"] for p in full)
            assert number(cells["Average regret"]) == pytest.approx(lost, rel=DIGITS)
            took = fmean(p["seconds"] for p in full)
            assert number(cells["Mean response"]) == pytest.approx(took, rel=DIGITS)
        if full and key == "bolt":
            assert number(cells["n*"]) == full[-1]["n_star"]


@pytest.mark.parametrize("at", CURSORS[2:])
def test_headline_and_curves_end_at_the_cursor(stored, at):
    files, frames = stored
    curves = {t["name"]: t for t in shown(frames, "regret", at)["data"] if t["mode"] == "lines"}
    sizes = sizes_in(shown(frames, "size", at))

    assert shown(frames, "headline", at)["text"].startswith(f"After {at:.0f} s ")
    for label, key in LABELS.items():
        passes = over(files[key], at)
        t, lost = recomputed.average_regret(passes)
        if t:
            assert curves[label]["x"][-1] == pytest.approx(at, rel=1e-5)  # six digits are sent
            assert curves[label]["y"][-1] == pytest.approx(lost[-1], rel=1e-5)
        assert sizes[label][1][-1] == recomputed.sizes(passes)[1][-1]


def test_every_removal_is_in_the_density_and_every_reset_has_a_mark(stored):
    files, frames = stored
    race = frames._find(made_race.RACE_ID)
    found = marks(race.runs, race.t)
    gone, emptied = np.zeros(len(found["removed"])), []
    for path in files.values():
        for p in recomputed.passes_of(path):
            end = min(p["t"] + p["seconds"], made_race.HORIZON)
            if "reset" in p.get("notes", {}):
                emptied.append(end)
            else:
                place = int(end / made_race.HORIZON * len(gone))
                gone[min(place, len(gone) - 1)] += len(p.get("removed", ()))

    assert race.t == made_race.HORIZON
    assert sum(found["removed"]) == gone.sum() > 2000
    assert np.abs(np.array(found["removed"]) - gone).sum() <= 4  # a pass may end on an edge
    assert [row["key"] for row in found["rows"]] == ["r-gpucb"]
    assert found["rows"][0]["resets"] == pytest.approx(emptied, abs=1e-3)
    assert found["alt"] == f"{int(gone.sum()):,} removals: BOLT {int(gone.sum()):,}. " + (
        f"{len(emptied)} resets: R-GPUCB {len(emptied)}."
    )


def test_out_and_in_again_gives_the_same_bytes_and_the_same_charts(stored, tmp_path):
    files, frames = stored
    data = export.jsonl(list(files.values()))
    assert importing.import_records(data, tmp_path) == [made_race.RACE_ID]
    again = Library(tmp_path)
    found = ChartServer({made_race.RACE_ID: again.open(made_race.RACE_ID)}.get)

    assert export.jsonl([run.path for run in again.find(made_race.RACE_ID).runs]) == data
    for chart in ("regret", "size", "leaderboard", "metronome", "headline", "fit", "departures"):
        for at in (None, 123.4):
            assert shown(found, chart, at) == shown(frames, chart, at)
    found.shutdown()


def test_a_csv_holds_what_is_drawn(stored):
    _, frames = stored
    table = pd.read_csv(io.BytesIO(export.csv(frames._find(made_race.RACE_ID))))
    regret = {t["name"]: t for t in shown(frames, "regret", None)["data"] if t["mode"] == "lines"}
    size = sizes_in(shown(frames, "size", None))
    for label, key in LABELS.items():
        mine = table[table["algorithm"] == key]
        ends = mine["t [s]"] - mine["waited [s]"] + mine["response_time [s]"]
        full = mine[~mine["warmup"]]
        t, average = ends[full.index].to_numpy(), full["regret"].expanding().mean().to_numpy()
        drawn = regret[label]
        nearest = np.abs(t[:, None] - drawn["x"]).argmin(axis=0)  # a drawn time has six digits
        assert drawn["y"] == pytest.approx(average[nearest], rel=1e-4)
        t, held = ends.to_numpy(), mine["size"].to_numpy()
        x, y = size[label]
        nearest = np.abs(t[:, None] - x).argmin(axis=0)
        np.testing.assert_array_equal(y, held[nearest])


def test_an_empty_dataset_is_drawn_at_the_bottom_and_told_as_empty(stored):
    """A logarithm of nothing would be a line of a hundred thousand pixels."""
    _, frames = stored
    trace = next(t for t in shown(frames, "size", None)["data"] if t["name"] == "R-GPUCB")

    assert min(trace["y"]) == 1.0
    assert min(trace["customdata"]) == 0.0
    assert trace["hovertemplate"].startswith("%{customdata")
