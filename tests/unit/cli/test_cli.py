"""The command line: what it prints, and how it refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from bolt_core import algorithms, benchmarks
from bolt_core.cli._parts import assignments, number_text
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunStatus
from bolt_core.store.records import read
from tests.support.runs import write_run
from tests.support.wording import in_order

RUN = ["run", "--benchmark", "eggholder", "--algorithm", "random"]


def test_list_names_every_benchmark_and_algorithm(bolt):
    code, out, _ = bolt("list")

    assert code == 0
    assert all(key in out for key in [*benchmarks.catalog(), *algorithms.catalog()])


def test_tables_break_no_words_and_fit_a_terminal(bolt):
    out = bolt("list")[1]

    assert {"Relevancy-Based", "Event-Based", "et-gpucb-fixed-noise"} <= set(out.split())
    assert max(map(len, out.splitlines())) <= 80


def test_list_as_json_is_one_object(bolt):
    found = json.loads(bolt("list", "--json")[1])

    assert {row["key"] for row in found["benchmarks"]} == benchmarks.catalog().keys()
    assert {row["key"] for row in found["algorithms"]} == algorithms.catalog().keys()


def test_list_shows_one_benchmark_with_its_options_and_notes(bolt):
    code, out, _ = bolt("list", "temperature")

    assert code == 0
    assert all(word in out for word in ("path", "day", "2004-03-06", "rank-4 summary"))


@pytest.mark.parametrize("key", [*benchmarks.catalog(), *algorithms.catalog()])
def test_list_shows_every_one(bolt, key):
    assert json.loads(bolt("list", key, "--json")[1])["key"] == key


def test_two_model_clock_runs_with_one_seed_are_identical(bolt, tmp_path):
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file in files:
        bolt(*RUN, "--clock", "model", "--seed", 7, "--iterations", 300, "--out", file)

    one, other = (list(read(file).records) for file in files)
    assert one == other
    assert len(one) == 300


def test_run_prints_one_json_summary_as_its_last_line(bolt, tmp_path):
    file = tmp_path / "a.jsonl"
    code, out, err = bolt(*RUN, "--clock", "model", "--horizon", 2.99, "--json", "--out", file)

    summary = json.loads(out.splitlines()[-1])
    assert code == 0
    assert summary["status"] == "finished"
    assert summary["iterations"] == len(read(file)) == 60
    assert summary["average_regret"]["over_queries"] > 0
    assert "average regret" in err


def test_run_without_out_writes_into_the_data_directory(bolt, home):
    bolt(*RUN, "--clock", "model", "--horizon", 1)

    assert [read(file).status for file in (home / "runs").iterdir()] == [RunStatus.FINISHED]


def test_the_chosen_noise_is_used_and_recorded(bolt, tmp_path):
    for noise in ("paper", "1pct"):
        file = tmp_path / noise
        bolt(*RUN, "--clock", "model", "--horizon", 1, "--noise", noise, "--out", file)

    variances = [read(tmp_path / noise).header["noise_variance"] for noise in ("paper", "1pct")]
    assert variances[0] == 0.1
    assert variances[1] == pytest.approx(0.01 * 8.9e4, rel=0.01)


@pytest.mark.parametrize("flag", [(), ("--ard",)])
def test_lengthscales_per_input_are_learned_on_request(bolt, tmp_path, flag):
    chosen = ("run", "--algorithm", "bolt", "--benchmark", "gp-sample", "--clock", "model")
    code, _, _ = bolt(*chosen, "--iterations", 17, "--out", tmp_path / "a.jsonl", *flag)
    run = read(tmp_path / "a.jsonl")

    assert code == 0
    assert (run.columns.scales is not None) == bool(flag) == run.config.engine.ard
    assert bolt("show", tmp_path / "a.jsonl")[0] == 0


def test_show_says_what_a_record_holds(bolt, tmp_path):
    write_run(tmp_path / "a.jsonl", 20, seed=3)

    code, out, _ = bolt("show", tmp_path / "a.jsonl")

    assert code == 0
    assert all(word in out for word in ("finished", "Eggholder", "seed 3", "20 in", "model"))


def test_show_reads_a_run_that_was_killed(bolt, tmp_path):
    write_run(tmp_path / "a.jsonl", 20)
    whole = (tmp_path / "a.jsonl").read_text().splitlines()
    (tmp_path / "a.jsonl").write_text("\n".join(whole[:-1])[:-10])

    summary = json.loads(bolt("show", "--json", tmp_path / "a.jsonl")[1])

    assert (summary["status"], summary["iterations"]) == ("interrupted", 19)


def test_doctor_shows_threads_versions_and_the_data_directory(bolt, home):
    code, out, _ = bolt("doctor", "--json")

    found = json.loads(out)
    assert code == 0
    assert found["BLAS threads"].startswith("1 ")
    assert found["numpy"]
    assert str(home) in found["data directory"]


def test_version_is_printed(bolt):
    assert bolt("--version")[1].startswith("bolt 0.")


REFUSED = {  # what the message names, in order: the value or option, and the remedy
    ("nope", "choose one of"): ["run", "--algorithm=random", "--benchmark=nope"],
    ("algorithm", "blot"): ["run", "--benchmark=eggholder", "--algorithm=blot"],
    ("horizon", "positive", "-1"): [*RUN, "--horizon=-1"],
    ("horizon", "positive", "0"): [*RUN, "--horizon=0"],
    ("horizon", "finite", "inf"): [*RUN, "--horizon=inf"],
    ("horizon", "finite", "nan"): [*RUN, "--horizon=nan"],
    ("horizon", "601", "longer", "600"): [*RUN, "--horizon=601"],
    ("soon",): [*RUN, "--horizon=soon"],
    ("slowdown", "positive", "0"): [*RUN, "--slowdown=0"],
    ("slowdown", "finite", "nan"): [*RUN, "--slowdown", "nan"],
    ("seed", "0 or more", "-3"): [*RUN, "--seed=-3"],
    ("'x'",): [*RUN, "--seed", "x"],
    ("iterations", "1,000,000,000", " 0"): [*RUN, "--iterations=0"],
    ("9999999999",): [*RUN, "--iterations=9999999999"],
    ("later",): [*RUN, "--horizon=5", "--horizon=later"],
    ("warm-up", "at least 1", " 0"): [*RUN, "--warmup=0"],
    ("sun", "cpu, model, wall"): [*RUN, "--clock=sun"],
    ("noise", "paper, 1pct", "loud"): [*RUN, "--noise=loud"],
    ("option", "eggholder", "bottom"): [*RUN, "--option", "bottom=3"],
    ("bottom", "name=value"): [*RUN, "--option", "bottom"],
    ("parameter", "random", "window"): [*RUN, "--param", "window=3"],
    ("1,two,3", "paper", "four numbers"): [*RUN, "--device=1,two,3"],
    ("device", "four numbers"): [*RUN, "--device=1,2"],
    ("'egholder'", "mean 'eggholder'"): ["list", "egholder"],
    ("missing.jsonl", "No such file"): ["show", "missing.jsonl"],
    (" .:", "directory"): ["show", "."],
    ("--algorithm", "bolt run --help"): ["run", "--benchmark=eggholder"],
    ("command", "frobnicate"): ["frobnicate"],
}


@pytest.mark.parametrize("named", REFUSED, ids=" ".join)
def test_bad_input_is_refused_in_one_line_that_names_it(bolt, home, named):
    code, out, err = bolt(*REFUSED[named])

    assert code == 2
    assert in_order(err, *named)
    assert err.startswith("bolt: ")
    assert err.count("\n") == 1
    assert out == ""
    assert not home.exists()  # nothing was begun


@pytest.mark.parametrize("content", [b"hello\n", b"\x00\x01", b""])
def test_a_foreign_file_is_refused_in_one_line(bolt, tmp_path, content):
    (tmp_path / "foreign").write_bytes(content)
    code, _, err = bolt("show", tmp_path / "foreign")

    assert (code, err.count("\n")) == (2, 1)
    assert "is not a BOLT record" in err


def test_a_torn_middle_is_refused_with_its_line(bolt, tmp_path):
    write_run(tmp_path / "a.jsonl", 9)
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    (tmp_path / "a.jsonl").write_text("\n".join([*lines[:4], lines[4][:20], *lines[5:]]))

    code, _, err = bolt("show", tmp_path / "a.jsonl")

    assert code == 2
    assert "line 5" in err


def test_a_record_is_never_overwritten(bolt, tmp_path):
    write_run(tmp_path / "a.jsonl", 9)
    code, _, err = bolt(*RUN, "--out", tmp_path / "a.jsonl")

    assert code == 2
    assert "exists already" in err


def test_a_fault_of_ours_is_one_line_and_another_exit_code(bolt, monkeypatch):
    monkeypatch.setattr("bolt_core.cli.catalog.benchmarks.catalog", lambda: 1 / 0)
    code, _, err = bolt("list")

    assert code == 1
    assert "unexpected ZeroDivisionError" in err
    assert "Traceback" not in err


def test_verbose_shows_where_an_error_arose(bolt):
    assert "Traceback" in bolt("-v", "show", "missing.jsonl")[2]


def test_ctrl_c_keeps_the_record_and_says_stopped(tmp_path):
    file = tmp_path / "a.jsonl"
    command = [sys.executable, "-m", "bolt_core.cli", *RUN, "--clock=wall", "--out", str(file)]
    hearing = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # undo what a shell's & ignores
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=hearing) as child:
        try:
            deadline = time.monotonic() + 600  # a slow machine is no failure
            while not (file.exists() and file.read_text().count("\n") > 3):
                assert time.monotonic() < deadline
                time.sleep(0.02)
            os.kill(child.pid, signal.SIGINT)
            _, err = child.communicate(timeout=600)
        finally:
            child.kill()

    assert child.returncode == 130
    assert "stopped: " in err
    assert read(file).status == RunStatus.STOPPED


def test_assignments_read_numbers_and_words():
    found = assignments(["a=1", "b=0.5", "c=true", "d=word", "e=2004-03-06", "f=[1]", "g="])

    assert found == {
        "a": 1, "b": 0.5, "c": True, "d": "word", "e": "2004-03-06", "f": "[1]", "g": "",
    }  # fmt: skip


def test_an_assignment_needs_a_name():
    with pytest.raises(ConfigError, match=r"'=3'.*assignment"):
        assignments(["=3"])


@pytest.mark.parametrize(
    ("value", "text"), [(None, "-"), (0.01234, "0.0123"), (594.4, "594"), (7590.2, "7,590")]
)
def test_figures_have_three_digits(value, text):
    assert number_text(value) == text


def test_brackets_in_a_message_are_brackets(bolt, tmp_path):
    write_run(tmp_path / "x[/b].jsonl", 16)
    lines = (tmp_path / "x[/b].jsonl").read_text().splitlines()
    end = json.loads(lines[-1]) | {"status": "failed", "error": "valve [/b] stuck [red]"}
    (tmp_path / "x[/b].jsonl").write_text("\n".join([*lines[:-1], json.dumps(end)]))

    code, out, _ = bolt("show", tmp_path / "x[/b].jsonl")

    assert code == 0
    assert "valve [/b] stuck [red]" in out
