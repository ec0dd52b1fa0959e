"""Tests of `bolt campaign`: its output and its errors."""

import json
import re

import pytest

from bolt_core.campaigns import campaign
from bolt_core.common.text import duration
from tests.support.campaigns import finished, ready
from tests.support.wording import in_order

GRID = ["--algorithms=random", "--benchmarks=ackley", "--seeds=2", "--horizon=2"]


def test_a_plan_shows_how_many_runs_and_hours(bolt):
    code, out, _ = bolt("campaign", "plan", "paper-quick")

    assert code == 0
    assert all(part in out for part in ("448: 12 algorithms", "10 benchmarks", "3 to 10 seeds"))
    assert re.search(r"\d\N{EN DASH}\d.* h ", out)


@pytest.mark.parametrize("beside", [["tiny"], ["mine", "--preset=tiny"], ["mine", "--file=x.toml"]])
def test_flags_that_a_preset_or_file_would_ignore_are_refused(bolt, beside):
    code, _, err = bolt("campaign", "plan", *beside, "--seeds=5")

    assert code == 2
    assert in_order(err, "--seeds", "change nothing")


def test_without_a_finished_run_the_built_in_results_are_reported(bolt, tmp_path):
    bolt("campaign", "plan", "paper")
    code, _, err = bolt(
        "campaign", "report", "paper", "--only=standings", f"--out={tmp_path}", "--format=md"
    )

    assert code == 0
    assert "built-in" in err
    assert "times first" in (tmp_path / "standings.md").read_text()


def test_a_record_of_bolt_run_is_adopted(bolt, tmp_path):
    bolt("campaign", "plan", "mine", *GRID)
    file = tmp_path / "run.jsonl"
    bolt(
        "run", "--benchmark=ackley", "--algorithm=random", "--clock=model", "--device=paper",
        "--seed=1", "--horizon=2", f"--out={file}",
    )  # fmt: skip
    code, out, _ = bolt("campaign", "adopt", "mine", str(file))

    assert (code, "1 adopted" in out) == (0, True)
    out = bolt("campaign", "plan", "mine", *GRID)[1]
    assert all(part in out for part in ("1 run left", "campaign run mine"))


def test_plan_run_status_report_from_flags(bolt, home):
    assert bolt("campaign", "plan", "mine", *GRID)[0] == 0
    code, _, err = bolt("campaign", "run", "mine", "--workers=0")

    assert code == 0
    assert in_order(err, "2/2", "random", "ackley", "seed 1", "finished")
    assert "2 of 2 runs finished" in err
    found = json.loads(bolt("campaign", "status", "mine", "--json")[1])
    assert (found["finished"], found["failed"], found["missing"]) == (2, 0, 0)
    code, out, _ = bolt("campaign", "report", "mine", "--format=md", "--only=table-2")
    assert (code, out.strip()) == (0, str(home / "campaigns/mine/report/table-2.md"))
    assert bolt("campaign", "run", "mine", "--workers=0")[0] == 0  # nothing is left: no error
    out = bolt("campaign", "plan", "mine", *GRID)[1]
    assert "nothing" in out
    assert "report mine" in out


def test_status_lists_failed_runs_and_run_exits_with_1(bolt, trouble):
    ready("mine", algorithms=["faulty"], benchmarks=["ackley"], seeds=1)

    code, _, err = bolt("campaign", "run", "mine", "--workers=0")

    assert code == 1
    assert in_order(err, "faulty", "ackley", "seed 0", "ZeroDivision")
    code, out, _ = bolt("campaign", "status", "mine")
    assert "ackley" in out
    (line,) = bolt("campaign", "status")[1].splitlines()
    assert in_order(line, "mine", " 0 of 1 ", "finished")


def test_ctrl_c_shows_how_to_continue_and_exits_with_130(bolt, monkeypatch):
    ready("mine")
    monkeypatch.setattr(
        "bolt_core.cli._campaign_bar.Bars.ended",
        lambda *_: (_ for _ in ()).throw(KeyboardInterrupt),
    )

    code, _, err = bolt("campaign", "run", "mine", "--workers=0")

    assert code == 130
    assert "`bolt campaign run mine`" in err
    assert "1 of 4 runs finished" in err


def test_adopt_counts_records_and_shows_why_some_are_refused(bolt, tmp_path):
    donor = finished("donor")
    ready("heir", seeds=1)
    files = [donor.path(key) for key in donor.configs]

    code, out, err = bolt("campaign", "adopt", "heir", *files)

    assert (code, out.strip()) == (2, "2 adopted, 2 refused")
    assert in_order(err, "seed 1", "not", "plan")
    assert len(campaign.load("heir").pending()) == 0


REFUSED = {  # what the message names, in order: the value or option, and the remedy
    ("preset", "'mine'"): ["plan", "mine"],
    ("preset", "'huge'"): ["plan", "mine", "--preset=huge"],
    ("only one",): ["plan", "mine", "--preset=tiny", "--algorithms=bolt"],
    ("algorithm", "blot"): ["plan", "mine", "--algorithms=blot"],
    ("whole numbers", "-2"): ["plan", "mine", "--algorithms=bolt", "--seeds=-2"],
    ("number", "quick"): ["plan", "m", "--algorithms=bolt", "--speed=quick"],
    ("clock", "sun"): ["plan", "mine", "--algorithms=bolt", "--clock=sun"],
    ("name", "letters"): ["plan", "a/b", "--preset=tiny"],
    ("campaign", "'none'"): ["run", "none"],
    ("campaign", "'tiny'"): ["status", "tiny"],
    ("workers", "0 to 256", "1000"): ["run", "tiny", "--workers=1000"],
    ("name",): ["report"],
    ("read", "nothing.gz"): ["report", "--from", "nothing.gz"],
}


@pytest.mark.parametrize("named", REFUSED, ids=" ".join)
def test_invalid_input_is_refused_in_one_line(bolt, named):
    code, out, err = bolt("campaign", *REFUSED[named])

    assert (code, out) == (2, "")
    assert in_order(err, *named)
    assert err.count("\n") == 1


def test_wall_clock_runs_need_a_single_worker(bolt):
    bolt("campaign", "plan", "mine", "--algorithms=random", "--benchmarks=ackley", "--clock=wall")

    code, _, err = bolt("campaign", "run", "mine", "--workers=2")

    assert code == 2
    assert "--workers 1" in err


def test_a_broken_plan_is_listed_among_the_others(bolt, home):
    finished("whole")
    (home / "campaigns" / "torn").mkdir()
    (home / "campaigns" / "torn" / "campaign.json").write_text("{")

    code, out, _ = bolt("campaign", "status")
    assert code == 0
    assert "torn: broken: " in out
    assert in_order(out, "whole", " 4 of 4 ", "finished")


def test_durations_are_readable():
    assert [duration(s) for s in (0, 45, 600, 12_000)] == ["0 s", "45 s", "10 min", "3.3 h"]


@pytest.mark.parametrize("name", ["a" * 300, "../outside", "", "\x00"])
@pytest.mark.parametrize("command", [("status",), ("run", "--workers=0")])
def test_a_name_that_no_campaign_can_have_is_refused(bolt, home, command, name):
    plan = finished("whole").folder / "campaign.json"
    (home / "outside").mkdir()
    (home / "outside" / "campaign.json").write_bytes(plan.read_bytes())

    code, _, err = bolt("campaign", command[0], name, *command[1:])

    assert code == 2
    assert "no campaign" in err
    assert len(err) < 1000
