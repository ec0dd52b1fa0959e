"""`bolt analyse --twin` stores a twin, `bolt compare` races on it, `bolt list` deletes it."""

import csv
import json

import numpy as np
import pytest

from bolt_core import benchmarks
from bolt_core.bench import iteration
from bolt_core.benchmarks import stored_twins
from tests.support.twins import make_twin


@pytest.fixture
def log_file(tmp_path):
    """Return a log of 60 rows in which the best feed moves."""
    rng = np.random.default_rng(8)
    path = tmp_path / "plant.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["time", "feed", "yield"])
        for k in range(60):
            feed = rng.random()
            best = 0.5 + 0.4 * np.sin(k / 12.0)
            outcome = 10.0 - 20.0 * (feed - best) ** 2 + 0.1 * rng.standard_normal()
            rows.writerow([300 * k, f"{8 * feed:.4f}", f"{outcome:.4f}"])
    return path


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(iteration, "thinking_time", lambda dimension: (0.01, 0.0, 0.0, 1e-9))


@pytest.mark.usefixtures("quick")
def test_a_twin_of_a_log_is_stored_and_its_commands_are_printed(bolt, log_file):
    code, out, _ = bolt("analyse", str(log_file), "--twin", "Plant")

    (key,) = stored_twins.stored().specs
    assert code == 0
    assert f"--benchmark {key}" in out
    assert f"/?bench={key}" in out
    assert benchmarks.get(key).label.startswith("Plant (twin ")
    found = json.loads(bolt("analyse", str(log_file), "--twin", "Plant", "--json")[1])
    assert found["twin"] == key
    assert found["sha256"] == stored_twins.load(key).log_sha256
    other = json.loads(
        bolt("analyse", str(log_file), "--twin", "Plant", "--twin-seed", "4", "--json")[1]
    )
    assert other["twin"] != key


@pytest.mark.usefixtures("quick")
def test_without_a_name_no_twin_is_stored(bolt, log_file):
    found = json.loads(bolt("analyse", str(log_file), "--json")[1])

    assert found["twin"] is None
    assert not stored_twins.stored().specs


def test_a_twin_is_listed_shown_and_deleted(bolt):
    key = stored_twins.save(make_twin(20))

    rows = json.loads(bolt("list", "--json")[1])["benchmarks"]
    assert key in [row["key"] for row in rows]
    assert json.loads(bolt("list", key, "--json")[1])["options"][-1] == "sample"

    assert bolt("list", key, "--delete")[0] == 0
    assert key not in benchmarks.catalog()


@pytest.mark.parametrize("arguments", [["--delete"], ["eggholder", "--delete"]])
def test_nothing_but_a_twin_can_be_deleted(bolt, arguments):
    code, _, err = bolt("list", *arguments)

    assert code != 0
    assert "only twins" in err


def test_a_damaged_twin_is_named_and_can_be_deleted(bolt, home):
    key = stored_twins.save(make_twin(20))
    (home / "twins" / f"{key}.json").write_text("{}")
    (home / "twins" / ".touched").touch()

    assert f"{key}.json" in bolt("list")[1].replace("\n", " ")
    assert bolt("list", key, "--delete")[0] == 0
