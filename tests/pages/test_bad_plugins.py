"""Plug-ins that cannot be imported, raise, hang or return nonsense fail alone."""

import json

import pytest

from bolt_core import algorithms, benchmarks
from bolt_core.common.types import RunStatus
from bolt_core.live.conductor import Conductor
from bolt_ui import benchmarks as benchmarks_page
from tests.support.bad_plugins import FAILING, FAILING_ALGORITHMS, SKIPPED, forget, install
from tests.support.live_races import ended, lane
from tests.support.page_kit import browse

PAGES = ("arena", "inside", "lab", "benchmarks", "runs", "scoreboard", "guide")


@pytest.fixture
def bad_plugins(tmp_path, monkeypatch):
    install(tmp_path / "site", monkeypatch)
    yield
    monkeypatch.undo()
    forget()


@pytest.fixture
def conductor(tmp_path):
    made = Conductor(tmp_path / "runs")
    yield made
    made.shutdown()


@pytest.mark.usefixtures("bad_plugins")
def test_a_plug_in_that_cannot_be_used_is_skipped_and_named():
    named = [str(problem) for problem in benchmarks.problems()]

    assert len(named) == len(SKIPPED)
    for name in SKIPPED:
        assert any(f"{name} = " in text for text in named), name
    assert any("licence" in text for text in named)
    assert any("no answer within" in text for text in named)
    assert {"eggholder", "powell", *FAILING} <= set(benchmarks.catalog())
    assert benchmarks.get("eggholder").label == "Eggholder"
    assert [p.origin.split()[3] for p in algorithms.problems()] == ["wrong_algorithm"]
    assert set(FAILING_ALGORITHMS) <= set(algorithms.catalog())


@pytest.mark.usefixtures("bad_plugins")
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(page):
    browse(page)


@pytest.mark.usefixtures("bad_plugins")
def test_the_benchmarks_page_has_a_card_with_the_error_of_each():
    cards = [error.value.replace("\\", "") for error in browse("benchmarks").error]

    for name in (*SKIPPED, *FAILING, "wrong_algorithm"):
        assert any(name in card for card in cards), name
    assert any("sensor is unplugged" in card for card in cards)


@pytest.mark.usefixtures("bad_plugins")
def test_in_a_race_the_run_of_a_bad_plug_in_fails_alone(conductor):
    bad = [lane(algorithm=key, horizon=3.0) for key in FAILING_ALGORITHMS]
    race = conductor.wait(conductor.start([lane(horizon=3.0), *bad]), ended)
    good, *failed = race.runs

    assert good.status == RunStatus.FINISHED
    assert {run.status for run in failed} == {RunStatus.FAILED}
    errors = {run.config.algorithm: run.error for run in failed}
    assert "no idea where to look" in errors["ask-raises"]
    assert "did not answer" in errors["ask-hangs"]


@pytest.mark.usefixtures("bad_plugins")
@pytest.mark.parametrize("key", FAILING)
def test_a_race_on_a_bad_benchmark_fails_with_its_reason(conductor, key):
    race = conductor.wait(conductor.start([lane(benchmark=key, horizon=3.0)]), ended)

    assert race.runs[0].status == RunStatus.FAILED
    assert race.runs[0].error


@pytest.mark.usefixtures("bad_plugins")
def test_commands_work_and_list_what_was_left_out(bolt):
    code, text, *_ = bolt("list")
    run = ("run", "--benchmark=eggholder", "--algorithm=random", "--clock=model", "--horizon=2")
    made = bolt(*run, "--json")

    assert code == 0
    assert "licence" in text
    assert made[0] == 0
    assert json.loads(made[1].splitlines()[-1])["status"] == "finished"


@pytest.mark.usefixtures("bad_plugins")
@pytest.mark.parametrize("key", FAILING)
def test_the_details_of_a_bad_benchmark_are_a_card_with_its_error(key, monkeypatch):
    monkeypatch.setattr(benchmarks_page, "pictures", lambda: {key: ("", "")})  # it drew once
    cards = [error.value.replace("\\", "") for error in browse("benchmarks", board=key).error]

    assert any(key in card for card in cards)


@pytest.mark.usefixtures("bad_plugins")
def test_a_link_offers_a_plug_in_whose_label_is_its_key():
    page = browse("arena", algos="bolt,random,ask-raises")

    assert page.get_by_key("algos").value == ["bolt"]
    assert page.get_by_key("variants").value == ["random", "ask-raises"]
