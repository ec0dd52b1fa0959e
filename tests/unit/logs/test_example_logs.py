"""The bundled logs: one drifts and one does not, and the tool makes them again."""

from importlib.resources import files

import pytest

from bolt_core.common.knobs import Choice, Real
from bolt_core.logs.analysis import analyse
from bolt_core.logs.reading import read_log
from bolt_core.logs.verdict import Drift
from tools import make_example_logs

FOLDER = files("bolt_core").joinpath("data/logs")


@pytest.mark.parametrize(
    ("name", "drift"), [("reactor.csv", Drift.YES), ("coating_line.csv", Drift.NO)]
)
def test_the_answer_is_known(name, drift):
    data = FOLDER.joinpath(name).read_bytes()
    assert len(data) < 150_000
    log = read_log(data, name)
    assert log.notes == ()
    assert log.origin is not None
    assert analyse(log, max_rows=200).drift is drift


def test_the_columns_are_guessed():
    reactor = read_log(FOLDER.joinpath("reactor.csv").read_bytes(), "reactor.csv")
    assert len(reactor) > 1900
    assert {name: type(knob) for name, knob in reactor.spec.knobs.items()} == dict.fromkeys(
        ("feed", "temperature", "stirrer"), Real
    )
    assert (reactor.spec.outcome, reactor.spec.maximize) == ("yield", True)
    coating = read_log(FOLDER.joinpath("coating_line.csv").read_bytes(), "coating_line.csv")
    assert coating.spec.knobs["nozzle"] == Choice("fine", "medium", "wide")
    assert coating.spec.maximize is False


def test_the_tool_makes_the_same_files(tmp_path, monkeypatch):
    monkeypatch.setattr(make_example_logs, "FOLDER", tmp_path)
    make_example_logs.main()
    for path in tmp_path.iterdir():
        assert path.read_bytes() == FOLDER.joinpath(path.name).read_bytes()
