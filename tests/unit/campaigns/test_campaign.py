"""Tests of campaigns on disk: resumed, retried, interrupted, adopted."""

import gzip
import json
import shutil
from itertools import islice

import pytest

from bolt_core.campaigns import campaign, pools
from bolt_core.campaigns.campaign import State
from bolt_core.campaigns.pools.worker import lost
from bolt_core.common import files
from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import RunConfig, RunStatus, SpeedChange
from bolt_core.runs import loop
from bolt_core.store.records import RecordWriter, read
from tests.support.campaigns import contents, finished, plan, ready


class Counting(pools.InProcess):
    """Records which runs are submitted."""

    def __init__(self, limits=pools.NO_LIMITS):
        super().__init__(limits)
        self.asked = []

    def submit(self, config, about):
        self.asked.append((config.key, about["attempt"]))
        super().submit(config, about)


def states(found):
    return list(found.states().values())


def test_a_campaign_writes_one_finished_record_per_run_under_its_key():
    found = finished()

    assert states(found) == [State.FINISHED] * 4
    for key, config in found.configs.items():
        snapshot = read(found.folder / f"{key}.jsonl")
        assert snapshot.config == config
        assert snapshot.header["campaign"] == "small"
        assert list(snapshot.records) == list(loop.iterate(loop.prepare(config)))


def test_finished_runs_are_skipped_and_the_others_repeated():
    found = finished()
    before = contents(found)
    torn, cut, gone, whole = found.configs
    lines = found.path(torn).read_text().splitlines()
    found.path(torn).write_text("\n".join(lines[:-1]))  # without its closing line
    found.path(cut).write_text(lines[0][:50])
    found.path(gone).unlink()
    assert states(found) == [State.UNFINISHED, State.UNFINISHED, State.MISSING, State.FINISHED]
    pool = Counting()

    campaign.load("small").run(pool)

    assert [key for key, _ in pool.asked] == [torn, cut, gone]
    assert contents(found) == before
    assert whole not in dict(pool.asked)


def test_a_run_that_fails_is_recorded_and_tried_once_more(trouble):
    found = ready(algorithms=["faulty", "random"], benchmarks=["ackley"], seeds=1)
    pool, ended = Counting(), []

    found.run(pool, ended.append)

    bad, good = found.configs
    assert sorted(pool.asked) == sorted([(bad, 1), (good, 1), (bad, 2)])
    assert found.states() == {bad: State.FAILED, good: State.FINISHED}
    assert found.error(bad).split(": ") == ["ZeroDivisionError", "no surrogate today"]
    assert read(found.path(bad)).header["attempt"] == 2
    assert {o.config.key: o.error is None for o in ended} == {bad: False, good: True}
    assert [config.key for config in found.pending()] == [bad]


def test_a_run_beyond_its_cpu_limit_is_cut_reported_and_not_tried_again():
    found = ready(benchmarks=["ackley"], seeds=1)
    pool, ended = Counting(pools.Limits(cpu=1e-9)), []

    found.run(pool, ended.append)

    (key,) = found.configs
    assert pool.asked == [(key, 1)]
    assert found.states() == {key: State.FAILED}
    assert len(read(found.path(key))) == 1  # the pass that exceeded the limit is in the record
    assert "CPU minutes" in found.error(key)
    assert [outcome.cut for outcome in ended] == [True]
    found.run(pools.local(0))  # without a limit
    assert found.states() == {key: State.FINISHED}


def test_a_run_that_fails_once_counts_as_finished(monkeypatch):
    found = ready(benchmarks=["ackley"], seeds=1)
    real, calls = loop.prepare, []

    def moody(config):
        calls.append(config)
        if len(calls) == 1:
            raise OSError("network file system")
        return real(config)

    monkeypatch.setattr(loop, "prepare", moody)
    found.run(pools.local(0))

    assert states(found) == [State.FINISHED]
    assert len(calls) == 2


def test_a_plugin_that_calls_exit_fails_only_its_run(trouble):
    found = ready(algorithms=["quitter", "random"], benchmarks=["ackley"], seeds=1)

    found.run(pools.local(0))

    assert states(found) == [State.FAILED, State.FINISHED]


def test_an_interruption_loses_nothing_and_the_rest_follows():
    found, whole = ready("cut"), finished("whole")

    def stop_after_two(outcome):
        if states(found).count(State.FINISHED) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        found.run(pools.local(0), stop_after_two)
    assert states(found).count(State.FINISHED) == 2
    assert not list(found.folder.glob(".*"))
    pool = Counting()
    found.run(pool)

    assert len(pool.asked) == 2
    assert contents(found) == contents(whole)


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of the workers that are let go
@pytest.mark.parametrize("workers", [0, pytest.param(1, marks=pytest.mark.long)])
def test_an_interruption_while_a_record_is_stored_does_not_lose_it(monkeypatch, workers):
    found = ready(seeds=1, benchmarks=["eggholder"])
    write, calls = files.write_atomically, []

    def interrupted(path, data):
        calls.append(path)
        if len(calls) == 1:
            raise KeyboardInterrupt
        write(path, data)

    monkeypatch.setattr(files, "write_atomically", interrupted)
    with pytest.raises(KeyboardInterrupt):
        found.run(pools.local(workers))

    assert len(calls) == 2
    assert states(found) == [State.FINISHED]


def test_a_campaign_is_run_by_one_process_at_a_time(monkeypatch):
    monkeypatch.setattr(campaign, "LOCK_SECONDS", 0.05)
    found, seen = ready(seeds=1), []

    def beside(outcome):
        again = campaign.load("small")
        seen.append(again.running)
        with pytest.raises(ConfigError, match=r"small.*another process"):
            again.run(pools.local(0))

    found.run(pools.local(0), beside)

    assert seen == [True, True]
    assert not found.running


def test_outcomes_that_were_not_fetched_are_rescued():
    found = ready(seeds=1)

    class Interrupted(pools.InProcess):
        def outcomes(self):
            self.done = list(super().outcomes())
            raise KeyboardInterrupt
            yield

        def rescue(self):
            return self.done

    with pytest.raises(KeyboardInterrupt):
        found.run(Interrupted())

    assert states(found) == [State.FINISHED, State.FINISHED]


def test_a_lost_worker_leaves_a_failed_record():
    config = RunConfig("random", "eggholder")

    outcome = lost(config, {"attempt": 1}, "its worker was lost")

    last = json.loads(gzip.decompress(outcome.record).splitlines()[-1])
    assert (last["status"], last["error"]) == ("failed", "its worker was lost")


def test_another_plan_of_the_same_name_needs_replace():
    found = finished()

    campaign.create(plan())
    with pytest.raises(ConfigError, match="holds another plan"):
        campaign.create(plan(seeds=3))
    wider = campaign.create(plan(seeds=3), replace=True)

    assert states(wider).count(State.FINISHED) == len(found.configs)
    assert len(wider.pending()) == 2


def test_an_unknown_campaign_is_refused_with_the_existing_names():
    ready("mine")

    with pytest.raises(ConfigError, match=r"'yours'.*mine"):
        campaign.load("yours")
    assert campaign.names() == ["mine"]


def test_a_broken_plan_is_a_clear_error(home):
    ready("mine")
    (home / "campaigns" / "mine" / "campaign.json").write_text("{}")

    with pytest.raises(RecordError, match="not a campaign's plan"):
        campaign.load("mine")


def test_records_made_elsewhere_are_adopted_under_their_key(tmp_path):
    donor, found = finished("donor"), ready("heir")
    first, second, *_ = donor.configs
    shutil.copy(donor.path(first), tmp_path / "anything.jsonl")

    assert found.adopt(tmp_path / "anything.jsonl")
    assert not found.adopt(tmp_path / "anything.jsonl")
    assert found.adopt(donor.path(second))

    assert states(found).count(State.FINISHED) == 2
    assert found.path(first).read_bytes() == donor.path(first).read_bytes()


def test_a_packed_record_is_adopted_unpacked(tmp_path):
    donor, found = finished("donor"), ready("heir")
    key = next(iter(donor.configs))
    packed = tmp_path / "run.jsonl.gz"
    packed.write_bytes(gzip.compress(donor.path(key).read_bytes()))

    assert found.adopt(packed)
    assert found.state(key) == State.FINISHED
    assert found.path(key).read_bytes() == donor.path(key).read_bytes()


def written(path, config, iterations=None, status=RunStatus.FINISHED, speeds=()):
    run = loop.prepare(config)
    with RecordWriter(path, config, header=run.header_fields()) as writer:
        for change in speeds:
            writer.event("speed", **change._asdict())
        for record in islice(loop.iterate(run), iterations):
            writer.append(record)
        writer.close(status)
    return path


def test_what_is_not_a_whole_run_of_the_plan_is_not_adopted(tmp_path):
    found = ready(seeds=1)
    config = next(iter(found.configs.values()))
    other = RunConfig(**{**_fields(config), "options": {"noise": "1pct"}})
    strange = RunConfig(**{**_fields(config), "seed": 9})
    slower = SpeedChange(0, 0.0, 10.0, 10.0)
    cases = {
        "differs from the plan in its options": written(tmp_path / "a", other),
        "seed 9 is not in the plan": written(tmp_path / "b", strange),
        "is stopped; only finished": written(tmp_path / "c", config, 20, RunStatus.STOPPED),
        "ends before its horizon": written(tmp_path / "d", config, 20),
        "speed changed during the run": written(tmp_path / "e", config, speeds=[slower]),
    }

    for message, file in cases.items():
        with pytest.raises(RecordError, match=message):
            found.adopt(file)
    assert states(found) == [State.MISSING, State.MISSING]


def test_a_run_whose_last_query_lay_beyond_the_horizon_is_whole(tmp_path):
    found = ready(algorithms=["abo"], benchmarks=["shekel"], seeds=1, horizon=200.0)
    (config,) = found.configs.values()
    file = written(tmp_path / "abo", config)
    last = read(file).records[-1]

    assert found.adopt(file)
    assert last.observation.t + last.seconds < 200.0  # it stopped early, of its own choice
    assert states(found) == [State.FINISHED]


def _fields(config):
    return {name: getattr(config, name) for name in config.__slots__}
