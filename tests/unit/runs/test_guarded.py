"""Plug-ins that hang, raise or return nonsense fail their run alone, outside live races too."""

import gzip
import json

import numpy as np
import pytest

from bolt_core.campaigns.pools.worker import Limits, execute
from bolt_core.common.types import ClockConfig, RunConfig, RunStatus
from bolt_core.runs import guarded, loop
from bolt_core.store import records
from bolt_core.store.record_format import read_lines
from tests.support.bad_plugins import FAILING, FAILING_ALGORITHMS, forget, install

LIMIT_SECONDS = 0.3
MODEL = ClockConfig("model")


@pytest.fixture
def bad_plugins(tmp_path, monkeypatch):
    install(tmp_path / "site", monkeypatch)
    yield
    monkeypatch.undo()
    forget()


def run(algorithm="random", benchmark="eggholder"):
    return RunConfig(algorithm, benchmark, horizon=3.0, clock=MODEL)


@pytest.mark.usefixtures("bad_plugins")
@pytest.mark.parametrize(
    "config",
    [*(run(key) for key in FAILING_ALGORITHMS), *(run(benchmark=key) for key in FAILING)],
    ids=[*FAILING_ALGORITHMS, *FAILING],
)
def test_a_worker_fails_the_run_of_a_bad_plug_in_with_its_error(config):
    outcome = execute(config, {"campaign": "c"}, Limits(plugin=LIMIT_SECONDS))
    last = json.loads(gzip.decompress(outcome.record).splitlines()[-1])

    assert outcome.error
    assert last["status"] == RunStatus.FAILED
    assert last["error"] == outcome.error
    if "hangs" in config.algorithm + config.benchmark:
        assert f"within {LIMIT_SECONDS:g} s" in outcome.error


@pytest.mark.usefixtures("bad_plugins")
def test_a_command_fails_the_run_of_a_hung_plug_in_with_its_error(bolt):
    options = ("--benchmark=eggholder", "--clock=model", "--horizon=3", "--plugin-limit=0.3")
    code, _, err = bolt("run", "--algorithm=ask-hangs", *options)

    assert code != 0
    assert "ask-hangs" in err


@pytest.mark.parametrize("value", [1 + 2j, np.zeros(2), "warm", None, np.array([]), "5"])
def test_a_value_that_is_no_real_number_is_refused(value):
    with pytest.raises(loop.ObjectiveError, match="mine"):
        loop._real_number(value, "mine")


@pytest.mark.parametrize("value", [1.5, np.float64(1.5), np.array(1.5), np.array([1.5])])
def test_one_real_number_is_accepted(value):
    assert loop._real_number(value, "mine") == 1.5


def test_without_a_state_the_passes_are_saved_and_the_record_says_why(tmp_path):
    def broken():
        raise ValueError("my state is secret")

    made = loop.prepare(run())
    path = tmp_path / "run.jsonl"
    with records.RecordWriter(path, made.config, header=made.header_fields()) as writer:
        for record in guarded.Passes(made, None).records():
            writer.append(record)
            writer.save_state(broken)
    stored = records.read(path)

    assert stored.status == RunStatus.FINISHED
    assert len(stored) == made.i > 5
    (event,) = (line for _, line in read_lines(path) if line.get("name") == records.NO_STATE)
    assert "secret" in event["reason"]
    assert path.read_text().count(records.NO_STATE) == 1
