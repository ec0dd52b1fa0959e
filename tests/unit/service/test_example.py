"""The example loop over HTTP runs as it is."""

import importlib.util
import json
import sys

from tests.support.project import ROOT
from tests.support.served import served
from tests.support.service import Service


def test_the_example_drives_its_plant_and_continues(tmp_path, monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("plant", ROOT / "examples/plant_over_http.py")
    plant = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plant)
    service, memory = Service(tmp_path / "problems"), tmp_path / "memory.json"
    with served(service.app) as (url, _):
        options = ["--server", url, "--period", "0", "--count", "6", "--memory", str(memory)]
        for _ in range(2):
            monkeypatch.setattr(sys, "argv", ["plant_over_http.py", *options])
            plant.main()
    known = json.loads(memory.read_text())
    (problem_id,) = service.problems.ids()

    assert known["url"].endswith(problem_id)
    assert service.problems.view(problem_id).told == 12
    assert "/problem?id=" in capsys.readouterr().out
    service.problems.shutdown()
