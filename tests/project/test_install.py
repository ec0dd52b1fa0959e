"""The installation by make: what it shows of pip's output, and what it says after a failure."""

import pytest

from tests.support.wording import in_order, in_text
from tools import install

COLLECTING = [f"Collecting package-{chr(97 + k)}>=1 (from bolt-core==0.1.0)" for k in range(20)]
FIRST = "finding packages"
NOISE = [
    "WARNING: Location 'file:///index/torch/' is ignored: it is neither a file nor a directory.",
    "  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl (16.6 MB)",
    "Requirement already satisfied: pip in ./lib",
]


def test_noise_is_left_out_and_packages_are_counted():
    shown = list(install.progress(FIRST, [*NOISE, *COLLECTING, *NOISE, *COLLECTING[:5]]))

    assert len(shown) == 2
    assert in_order(shown[0], "10", "package-j")
    assert in_order(shown[1], "20", "package-t")


def test_local_files_count_by_their_name():
    files = [f"Processing /wheels/some_{chr(97 + k)}-1.2-py3-none-any.whl" for k in range(10)]

    assert in_order(*install.progress(FIRST, files), "10", "some_j")


def test_silence_is_filled_with_what_pip_does():
    lines = [None, COLLECTING[0], None, "Installing collected packages: numpy, scipy, torch", None]
    shown = list(install.progress(FIRST, lines))

    assert [next(w for w in line.split() if w.isalpha()) for line in shown] == [
        *("finding", "finding", "unpacking", "unpacking")
    ]
    assert " 3 packages" in shown[2]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("ERROR: [Errno 28] No space left on device", "TMPDIR"),
        ("ERROR: No matching distribution found for torch==2.13.0", "constraints.txt"),
        ("WARNING: Retrying after connection broken by 'NewConnectionError'", "HTTPS_PROXY"),
        ("ERROR: [Errno 13] Permission denied: '/opt/x'", "VENV="),
        ("The virtual environment was not created: ensurepip is not available.", "python3-venv"),
        ("ERROR: something new", "make clean"),
    ],
)
def test_a_failure_is_shown_with_its_remedy_and_the_log(line, word):
    shown = install.failure([*NOISE, line], "the/install.log")

    assert word in shown
    assert in_text(shown, line, "the/install.log", "make clean")


def test_a_command_that_fails_gives_its_code_and_its_output(tmp_path, capsys):
    with (tmp_path / "log").open("w") as log:
        code, lines = install.run(FIRST, ["sh", "-c", "echo Collecting numpy; exit 3"], log)

    assert (code, lines) == (3, ["Collecting numpy"])
    assert (tmp_path / "log").read_text() == "Collecting numpy\n"
