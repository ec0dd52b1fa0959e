"""Imports that meet, races that are not one, clearing that fails half-way."""

import json
import threading
from pathlib import Path

import pytest

from bolt_core.charts.races import MAX_RACES_COMPARED
from bolt_core.common.errors import RecordError
from bolt_core.common.text import display_name
from bolt_core.common.types import RunStatus
from bolt_core.online.optimizer import Bolt
from bolt_core.store import importing, trash
from bolt_core.store.library import Library
from bolt_ui import deleting, server_state
from tests.support.page_kit import browse, has, race
from tests.support.panels import asked, chart, said
from tests.support.runs import make_run, write_run

EVIL = "<img src=x onerror=window.broken=1>"


def record(path, n=20, *, race_id=None, label=None, **changes):
    """A record as bytes, with a race or a label written into its header."""
    write_run(path, n, **changes)
    header, rest = path.read_bytes().split(b"\n", 1)
    about = json.loads(header) | ({"race_id": race_id} if race_id else {})
    about |= {"label": label} if label else {}
    return json.dumps(about).encode() + b"\n" + rest


def renamed(data, run_id):
    header, rest = data.split(b"\n", 1)
    return json.dumps(json.loads(header) | {"run_id": run_id}).encode() + b"\n" + rest


def test_of_two_imports_of_one_id_at_one_moment_one_is_refused(tmp_path, monkeypatch):
    """Both have been checked before either is put in its place."""
    drafts = [renamed(record(tmp_path / f"{n}.jsonl", n), "same") for n in (20, 25)]
    met, told = threading.Barrier(2), []
    copy = importing._copy

    def together(*arguments):
        copy(*arguments)
        met.wait(20.0)

    def take(data):
        try:
            told.append(importing.import_records(data, tmp_path / "runs"))
        except RecordError as problem:
            told.append(str(problem))

    monkeypatch.setattr(importing, "_copy", together)
    threads = [threading.Thread(target=take, args=(data,)) for data in drafts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert ["same"] in told
    (refusal,) = (word for word in told if word != ["same"])
    assert "another record" in refusal
    assert "id same" in refusal
    assert (tmp_path / "runs" / "same.jsonl").read_bytes() in drafts
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {importing.LOCK, "same.jsonl"}


@pytest.mark.parametrize("together", [True, False])
def test_a_record_does_not_join_a_race_of_another_benchmark(tmp_path, together):
    first = record(tmp_path / "a.jsonl", race_id="r1")
    other = record(tmp_path / "b.jsonl", race_id="r1", benchmark="powell")
    runs = tmp_path / "runs"
    if not together:
        importing.import_records(first, runs)
    with pytest.raises(RecordError, match=r"powell.*r1.*egg"):
        importing.import_records(first + other if together else other, runs)

    assert sum(len(race.runs) for race in Library(runs).races()) == (not together)
    assert importing.import_records(record(tmp_path / "c.jsonl", race_id="r1", seed=2), runs) == [
        "r1"
    ]


@pytest.fixture
def stuck(monkeypatch):
    """stuck(name): the file of that name cannot be moved."""
    move = Path.replace

    def stick(name):
        def replace(self, target):
            if self.name == name:
                raise OSError(13, "Permission denied")
            return move(self, target)

        monkeypatch.setattr(Path, "replace", replace)

    return stick


def test_a_race_is_put_aside_whole_or_not_at_all(tmp_path, stuck):
    shelf_ = Library(tmp_path / "runs")
    for seed in range(3):
        importing.import_records(
            record(tmp_path / f"{seed}.jsonl", race_id="r1", seed=seed), shelf_.directory
        )
    stuck(shelf_.find("r1").runs[-1].path.name)
    with pytest.raises(RecordError, match=r"r1.*Permission denied"):
        trash.delete(shelf_, "r1")

    assert len(shelf_.find("r1").runs) == 3


def test_what_a_broken_broom_took_can_be_taken_back(server, home, tmp_path, stuck):
    for k in range(3):
        importing.import_records(record(tmp_path / f"{k}.jsonl", seed=k), home / "runs")
    races = Library(home / "runs").races()  # the newest first: the oldest is cleared last
    stuck(races[2].runs[0].path.name)
    page = browse("runs")
    page.number_input(key="keep").set_value(1).run()
    page.button(key="prune").click().run()
    assert races[1].race_id not in said(page)
    page.button(key="delete_yes").click().run()

    assert "cannot delete race" in said(page)
    assert page.session_state[deleting.DELETED] == [races[1].race_id]
    page.button(key="undo").click().run()
    assert len(page.dataframe[0].value) == 3


def test_more_races_are_exported_at_once_than_compared(server, home, tmp_path):
    count = MAX_RACES_COMPARED + 2
    for k in range(count):
        importing.import_records(record(tmp_path / f"{k}.jsonl", 16, seed=k), home / "runs")
    ids = [race.race_id for race in server_state.server().library.races()]
    data = server_state.server().races.records(ids)

    assert len(importing.import_records(data, tmp_path / "elsewhere")) == count


def test_what_the_python_api_saved_has_a_replay(server, home, tmp_path):
    """It has no horizon: its own last moment ends the slider."""
    opt = Bolt(bounds=[(0, 1)], name="my process", warmup=5)
    for k in range(30):
        x = opt.ask(2.0 * k)
        opt.tell(x, 2.0 * k + 0.5, float(x.sum()))
    opt.save(tmp_path / "mine.jsonl")
    (race_id,) = importing.import_records((tmp_path / "mine.jsonl").read_bytes(), home / "runs")
    for page in ("arena", "inside"):
        shown = browse(page, race=race_id)
        assert asked(shown, "transport")["span"] == 58.5
        assert has(shown, "regret" if page == "arena" else "history")
    race = server_state.server().races.find(race_id)
    # a pass is over when the next one is asked for; the last, when it was told
    assert [len(race.at(t).runs[0]) for t in (1.9, 2.0, 31.0, 58.0, 58.4, 58.5)] == [
        0, 1, 15, 29, 29, 30,
    ]  # fmt: skip


def test_names_of_an_imported_record_are_shown_as_they_are(server, home, tmp_path):
    data = record(tmp_path / "a.jsonl", label=EVIL, benchmark="eggholder", race_id="r1")
    header, rest = data.split(b"\n", 1)
    about = json.loads(header)
    about["config"] |= {"algorithm": EVIL, "benchmark": EVIL}
    importing.import_records(json.dumps(about).encode() + b"\n" + rest, home / "runs")
    table = browse("runs").dataframe[0].value
    shown = browse(race="r1")

    assert table["Algorithms"].tolist() == [display_name(EVIL)]
    assert display_name(EVIL) in str(chart(shown, "leaderboard")["rows"])
    assert "onerror" in asked(shown, "status")["row"]["description"]  # drawn as text
    markdown = [*shown.markdown, *shown.caption, *shown.subheader]
    assert not [element.value for element in markdown if EVIL in element.value]


def test_a_replay_gets_the_marks_of_what_it_shows(open_page):
    runs = make_run(60, algorithm="bolt", removed=lambda i: (i,)), make_run(60)
    over = race(*runs, status=RunStatus.FINISHED, t=6.0, horizon=6.0)
    arena = asked(open_page(over), "transport")["marks"]
    inside = asked(open_page(over, page="inside", show="random.0"), "transport")["marks"]

    assert sum(arena["removed"]) == 60
    assert arena["alt"] == "60 removals: BOLT 60."
    assert "removed" not in inside  # nobody left
