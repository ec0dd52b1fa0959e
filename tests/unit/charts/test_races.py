"""Finding a race: live, stored, bundled, laid over each other; without Streamlit in any thread."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from bolt_core.charts import races as races_module
from bolt_core.charts.races import RECHECK_SECONDS, Races
from bolt_core.common.types import RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.store import bundled_race
from bolt_core.store.importing import import_records
from bolt_core.store.library import Library
from tests.support.live_races import HandClock, ended, lane
from tests.support.project import ROOT

SHORT = {"seed": 3, "horizon": 4.0}
WITHOUT_STREAMLIT = """
import sys, threading
from importlib.abc import MetaPathFinder

class NoStreamlit(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "streamlit":
            raise ImportError("streamlit is not available here")

sys.meta_path.insert(0, NoStreamlit())
from bolt_core.charts import ChartServer
from bolt_core.charts.races import Races
from bolt_core.common import paths
from bolt_core.live.conductor import Conductor
from bolt_core.store.library import Library

charts = ChartServer(Races(Conductor(paths.runs()), Library(paths.runs())).find)
sizes = []
for race_id in sys.argv[1:]:
    thread = threading.Thread(target=lambda: sizes.append(len(charts.frame(race_id, "regret"))))
    thread.start()
    thread.join()
print(*sizes)
"""


@pytest.fixture
def conductor(home):
    made = Conductor(home / "runs")
    yield made
    made.shutdown()


@pytest.fixture
def races(home, conductor):
    return Races(conductor, Library(home / "runs"))


def raced(conductor, **settings):
    """Run a short race to its end and return its id."""
    race_id = conductor.start([lane("random", **SHORT | settings)])
    conductor.wait(race_id, ended)
    return race_id


def stored_races(home):
    """The races as a server sees them that has just been started."""
    return Races(Conductor(home / "runs"), Library(home / "runs"))


def test_a_race_is_found_live_and_after_a_restart(races, conductor, home):
    race_id = raced(conductor)
    live, stored = races.find(race_id), stored_races(home).find(race_id)

    assert live.status == stored.status == RunStatus.FINISHED
    assert live.version == stored.version
    assert races.find("unknown") is None


def test_several_ids_give_the_races_laid_over_each_other(races, conductor):
    ids = [raced(conductor, seed=seed) for seed in (1, 2)]
    both = races.find(",".join([*ids, "unknown"]))

    assert [run.config.seed for run in both.runs] == [1, 2]
    assert any("1 race" in note and "server" in note for note in both.notes)
    assert not any("server" in note for note in races.find(",".join(ids)).notes)
    assert any("first 12" in note for note in races.find(",".join(ids * 7)).notes)
    assert any("1 race" in note for note in races.find(f"unknown,{ids[0]}").notes)


def test_the_bundled_race_is_found_and_its_records_can_be_imported(races, tmp_path):
    race = races.find(bundled_race.RACE_ID)
    assert race is bundled_race.race()

    import_records(races.records([bundled_race.RACE_ID]), tmp_path)
    imported = [run for filed in Library(tmp_path).races() for run in filed.runs]
    assert {run.config.algorithm for run in imported} == {run.config.algorithm for run in race.runs}


def test_the_records_of_races_are_their_files(races, conductor, home):
    ids = [raced(conductor), raced(conductor)]
    files = [run.path for race_id in ids for run in Library(home / "runs").find(race_id).runs]

    assert races.records(ids) == b"".join(path.read_bytes() for path in files)
    assert races.records(["unknown"]) == b""


def test_an_unfinished_race_is_read_again_only_when_its_file_has_changed(
    conductor, home, monkeypatch
):
    race_id = raced(conductor)
    (path,) = (home / "runs").glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:20]))  # without its end: another process may be writing it
    clock, opened = HandClock(), []
    monkeypatch.setattr(races_module, "time", SimpleNamespace(monotonic=clock))
    monkeypatch.setattr(Library, "open", counted(Library.open, opened))
    races = stored_races(home)

    first = races.find(race_id)
    assert first.status == RunStatus.INTERRUPTED
    for _ in range(5):
        clock.seconds += 2 * RECHECK_SECONDS
        assert races.find(race_id) is first
    assert len(opened) == 1

    path.write_bytes(b"".join(lines[:30]))
    assert races.find(race_id) is first  # the files are not checked yet
    clock.seconds += 2 * RECHECK_SECONDS
    assert races.find(race_id).version > first.version
    assert len(opened) == 2


def test_what_was_read_can_be_forgotten(conductor, home):
    race_id = raced(conductor)
    races = stored_races(home)
    assert races.find(race_id) is races.find(race_id)
    for path in (home / "runs").glob("*.json*"):
        path.unlink()

    races.forget(race_id)
    assert races.find(race_id) is None
    in_memory = Races(conductor, Library(home / "runs"))
    assert in_memory.find(race_id) is not None
    in_memory.forget(race_id)
    assert in_memory.find(race_id) is None


@pytest.mark.long
def test_a_thread_finds_races_and_builds_charts_where_streamlit_cannot_be_imported(conductor):
    ids = [raced(conductor), bundled_race.RACE_ID]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_STREAMLIT, *ids],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert all(int(size) > 1000 for size in done.stdout.split())
    assert len(done.stdout.split()) == 2


def counted(open_race, opened):
    """`Library.open` that notes the ids it is called with."""

    def noted(library, race_id):
        opened.append(race_id)
        return open_race(library, race_id)

    return noted
