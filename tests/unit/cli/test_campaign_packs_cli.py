"""Tests of `bolt campaign pack`, `unpack`, `drop` and `run --seeds`: output and errors."""

import json
import shutil

import pytest

from bolt_core.campaigns import campaign
from tests.support.campaigns import finished, ready
from tests.support.packed import rows, write_rows
from tests.support.wording import in_order


def test_a_campaign_continues_from_its_pack(bolt, home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ready("mine")
    code, _, err = bolt("campaign", "run", "mine", "--workers=0", "--seeds=1")
    assert code == 0
    assert "2 of 4 runs finished" in err
    code, out, _ = bolt("campaign", "pack", "mine")
    assert code == 0
    assert in_order(out, "mine.pack.jsonl.gz", "2 runs", "bytes")
    shutil.rmtree(home)

    code, out, err = bolt("campaign", "unpack", "mine.pack.jsonl.gz")
    assert (code, out.strip()) == (0, "mine: 2 new")
    assert in_order(err, "2 of 4 runs finished", "2 of them from packs")
    assert bolt("campaign", "run", "mine", "--workers=0")[0] == 0
    status = json.loads(bolt("campaign", "status", "mine", "--json")[1])
    assert (status["finished"], status["packed"]) == (4, 2)
    assert sum(status["commits"].values()) == 4
    assert in_order(bolt("campaign", "status", "mine")[2], "commit", "4 runs")
    assert bolt("campaign", "unpack", "mine.pack.jsonl.gz")[1].strip() == "mine: 2 already here"


def test_dropped_runs_are_left_to_run(bolt):
    made = finished("mine")

    code, out, err = bolt("campaign", "drop", "mine", "--benchmarks=ackley")

    assert (code, out.strip()) == (0, "2 runs dropped")
    assert "2 of 4 runs finished" in err
    assert {c.benchmark for c in made.pending()} == {"ackley"}
    dropped = sorted((made.folder / "dropped").iterdir())
    assert bolt("campaign", "adopt", "mine", *dropped)[0] == 0
    assert not made.pending()


def test_a_plan_that_is_no_longer_the_presets_is_noted(bolt, tmp_path):
    finished("tiny")
    file = tmp_path / "tiny.gz"
    bolt("campaign", "pack", "tiny", f"--out={file}")

    code, _, err = bolt("campaign", "unpack", str(file))

    assert code == 0
    assert in_order(err, "preset", "plan tiny --replace")


REFUSED = {  # what the message names, in order: the value or option, and the remedy
    ("campaign", "'none'"): ["pack", "none"],
    ("read", "nothing.gz"): ["unpack", "nothing.gz"],
    ("name", "a/b"): ["unpack", "PACK", "--name=a/b"],
    ("PACK", "--name"): ["unpack", "PACK", "--name=other"],
    ("OTHER", "random", "seed 0", "mine", "--replace"): ["unpack", "OTHER"],
    ("--algorithms", "--before"): ["drop", "mine"],
    ("algorithm", "'blot'"): ["drop", "mine", "--algorithms=blot"],
    ("algorithms", "empty"): ["drop", "mine", "--algorithms="],
    ("seeds", "0"): ["run", "mine", "--seeds=0"],
    ("benchmark", "'powell'"): ["run", "mine", "--benchmarks=powell"],
    ("commit", "'--help'"): ["drop", "mine", "--before=--help"],
}


@pytest.mark.parametrize("named", REFUSED, ids=" ".join)
def test_a_refusal_is_one_line_and_changes_nothing(bolt, tmp_path, named):
    finished("mine")
    ready("other", algorithms=["gpucb"])
    files = {"PACK": str(tmp_path / "PACK"), "OTHER": str(tmp_path / "OTHER")}
    bolt("campaign", "pack", "mine", f"--out={files['PACK']}")
    lines = rows(tmp_path / "PACK")
    lines[1] |= {"iterations": 1, "made": lines[1]["made"] | {"run_id": "other"}}
    write_rows(tmp_path / "OTHER", lines)

    code, out, err = bolt("campaign", *(files.get(word, word) for word in REFUSED[named]))

    assert (code, out) == (2, "")
    assert in_order(err, *named)
    assert err.count("\n") == 1
    assert campaign.names() == ["mine", "other"]
    assert not campaign.load("mine").pending()
