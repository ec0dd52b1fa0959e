"""Real runs of Xopt 3.2 with BoltGenerator."""

import re
import time

import pytest
from gest_api.vocs import VOCS
from xopt import Evaluator, Xopt
from xopt.stopping_conditions import MaxEvaluationsCondition

from bolt_core.online.gest_generator import BoltGenerator
from tests.support.project import ROOT

PLANT = VOCS(
    variables={"feed": [0.0, 8.0], "coolant": [10.0, 60.0], "stages": {1, 2, 3, 4}},
    objectives={"loss": "MINIMIZE"},
    constants={"pressure": 1.5},
    observables=["seen"],
)
BROKEN_ABOVE = 7.0  # feed


def plant(inputs):
    """Return the loss of a setting, and its time as Xopt's time-dependent generators want it."""
    if inputs["feed"] > BROKEN_ABOVE:
        raise OverflowError("the pump cannot do that")
    assert inputs["pressure"] == 1.5
    loss = ((inputs["feed"] - 3) / 2) ** 2 + ((inputs["coolant"] - 25) / 15) ** 2
    return {"loss": loss + (inputs["stages"] != 2), "seen": 1, "time": time.time()}  # noqa: TID251


def xopt(generator, evaluations=45, **options):
    """Return an Xopt that stops after so many evaluations."""
    stop = MaxEvaluationsCondition(max_evaluations=evaluations)
    evaluator = Evaluator(function=plant)
    return Xopt(
        generator=generator, evaluator=evaluator, stopping_condition=stop, strict=False, **options
    )


@pytest.fixture(scope="module")
def finished():
    """A run of 45 evaluations, the first five chosen by Xopt."""
    run = xopt(BoltGenerator(PLANT, seed=0, time="time"))
    run.evaluate_data([{"feed": f, "coolant": 30.0, "stages": 1} for f in (0.5, 1, 4, 6, 6.5)])
    run.run()
    return run


def test_a_run_of_xopt_finds_the_optimum(finished):
    late = finished.data.tail(10)
    best = finished.generator.optimizer.best()

    assert len(finished.data) == 45
    assert late["loss"].median() < 0.3
    assert best.setting["feed"] == pytest.approx(3.0, abs=0.6)
    assert best.setting["coolant"] == pytest.approx(25.0, abs=6.0)
    assert best.setting["stages"] == 2


def test_every_evaluation_is_in_its_log_and_none_is_pending(finished):
    log, data = finished.generator.data, finished.data

    assert len(log) == len(data)
    assert not log["pending"].any()
    assert log["failed"].tolist() == data["xopt_error"].tolist()
    assert log["feed"].to_numpy() == pytest.approx(data["feed"].to_numpy())
    assert log["ask"].isna().sum() == 5


def test_the_settings_of_a_run_are_printed_and_dumped(finished, tmp_path):
    finished.dump(str(tmp_path / "run.yml"))

    assert "gest_generator" in str(finished)
    assert (tmp_path / "run.yml").stat().st_size > 0


def test_a_failed_evaluation_ends_nothing():
    run = xopt(BoltGenerator(PLANT, seed=0), evaluations=4)
    run.evaluate_data([{"feed": feed, "coolant": 30.0, "stages": 1} for feed in (7.5, 8.0)])
    run.run()

    assert run.generator.data["failed"].tolist()[:2] == [True, True]
    assert len(run.generator.data) == 4


def test_a_run_starts_from_the_data_of_an_earlier_one(finished):
    usable = finished.data[~finished.data["xopt_error"]].reset_index(drop=True)
    run = xopt(BoltGenerator(PLANT, seed=1, time="time"), data=usable)
    run.step()

    assert len(run.generator.data) == len(usable) + 1
    assert run.data["loss"].iloc[-1] < 1.0
    with pytest.raises(ValueError, match="time"):
        xopt(BoltGenerator(PLANT), data=usable)


def test_a_reset_begins_again_and_single_rows_are_not_removed():
    run = xopt(BoltGenerator(PLANT, seed=0))
    for _ in range(2):
        run.step()
    with pytest.raises(ValueError, match="undo"):
        run.remove_data([0])
    run.reset_data()

    assert len(run.generator.data) == 0


def test_the_example_of_the_documentation_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "integrations.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)

    assert blocks
    for block in blocks:
        exec(compile(block, "integrations.md", "exec"), {"__name__": "example"})
