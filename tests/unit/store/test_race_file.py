"""The race file: round trip, ownership without a stored token, clear errors."""

import json

import pytest

from bolt_core.common.errors import RecordError
from bolt_core.store import race_file
from bolt_core.store.library import Library
from bolt_core.store.race_file import PlannedRun, RaceFile, owner_hash
from tests.support.runs import make_config

RUNS = (PlannedRun("r1-0", 0, 0, make_config(seed=5)), PlannedRun("r1-1", 1, 1, make_config()))


@pytest.fixture
def path(tmp_path):
    race_file.write(tmp_path, RaceFile.announce("r1", RUNS, "secret token"))
    return race_file.path_of(tmp_path, "r1")


def test_what_is_written_is_read(path):
    race = race_file.read(path)

    assert (race.race_id, race.runs) == ("r1", RUNS)
    assert b"secret token" not in path.read_bytes()


def test_only_the_owner_is_recognised(path):
    race = race_file.read(path)

    assert race.owned_by("secret token")
    assert not race.owned_by("another")
    assert not race.owned_by(None)
    assert RaceFile.announce("r2", RUNS, None).owned_by(None)
    assert owner_hash("a", "x") != owner_hash("a", "y")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"version": 99}, "version 99"),
        ({"race_id": "../x"}, "not a valid id"),
        ({"race_id": "other"}, "race other"),
        ({"runs": [{"run_id": "../../x", "lane": 0, "place": 0}]}, "not a valid id"),
        ({"runs": 3}, "cannot read"),
        ({"announced": "soon"}, "cannot read"),
    ],
)
def test_a_file_that_is_not_one_is_listed_with_its_reason(path, change, word):
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(RecordError, match=word):
        race_file.read(path)
    (race,) = Library(path.parent).races()

    assert race.race_id == "r1"
    assert word in race.problem


def test_an_id_never_names_a_file_elsewhere(tmp_path):
    for race_id in ("../x", "a/b", "..", ".hidden", "", "x" * 65, "a\n", None):
        with pytest.raises(RecordError, match="not a valid id"):
            race_file.path_of(tmp_path, race_id)
