"""The tool that compares two ways of running BOLT, seed by seed, from packs."""

import re

import numpy as np
import pytest

from tests.support.packed import packed
from tools import paired_runs

SIDES = ["--first", "hold", "--second", "random"]
MODEL = {"clock": "model", "device": "paper", "seeds": 3, "benchmarks": ["ackley"]}


def rows(text):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]]


def test_the_means_and_their_difference_are_those_of_the_runs(tmp_path, capsys):
    pack = packed(tmp_path / "pack", algorithms=["hold", "random"], horizon=6.0, **MODEL)
    regrets = {
        side: [r.result.averages["over_queries"] for r in pack.runs.values()
               if r.result.config.algorithm == side]
        for side in ("hold", "random")
    }  # fmt: skip
    paired_runs.main([str(tmp_path / "pack"), *SIDES])
    average, held = rows(capsys.readouterr().out)

    assert average[:2] == ["ackley", "average"]
    assert held[:2] == ["ackley", "held"]
    first, second = (np.mean(regrets[side]) for side in ("hold", "random"))
    assert [float(cell) for cell in average[2:4]] == pytest.approx([first, second], rel=1e-3)
    assert float(average[4].split()[0]) == pytest.approx(first - second, rel=1e-2)
    assert re.fullmatch(r"\d of 3", average[6])


def test_a_run_compared_with_itself_is_equal_and_has_no_p(tmp_path, capsys):
    packed(tmp_path / "pack", horizon=6.0, **MODEL)
    paired_runs.main([str(tmp_path / "pack"), "--first", "random", "--second", "random"])

    assert {row[5] for row in rows(capsys.readouterr().out)} == {"-"}


def test_runs_of_several_settings_are_refused_until_one_is_chosen(tmp_path, capsys):
    several = packed(tmp_path / "several", speed=[1.0, 10.0], horizon=6.0, **MODEL)
    same = [str(tmp_path / "several"), "--first", "random", "--second", "random"]

    assert len(several.runs) == 6
    with pytest.raises(SystemExit, match="seed 0: choose"):
        paired_runs.main(same)
    paired_runs.main([*same, "--by", "speed"])
    assert len(rows(capsys.readouterr().out)) == 4  # two speeds, two measures
    paired_runs.main([*same, "--by", "speed", "--horizon", "6"])
    assert len(rows(capsys.readouterr().out)) == 4
    paired_runs.main([*same, "--whole"])
    assert rows(capsys.readouterr().out) == []  # all of them are cut


def test_whole_runs_are_taken_from_a_pack_and_from_earlier_ones(tmp_path, capsys):
    pack = packed(tmp_path / "whole", horizon=None, **MODEL | {"benchmarks": ["shekel"]})
    same = [str(tmp_path / "whole"), "--first", "random", "--second", "random"]
    paired_runs.main([*same, "--whole"])
    alone = rows(capsys.readouterr().out)
    paired_runs.main([*same, "--earlier", str(tmp_path / "whole")])

    assert len(pack.runs) == 3
    assert [row[6] for row in alone] == ["0 of 3", "0 of 3"]
    assert rows(capsys.readouterr().out) == alone
