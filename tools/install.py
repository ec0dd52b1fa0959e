"""Install BOLT into a virtual environment and show progress: `python tools/install.py .venv`.

pip says either nothing or a screen full per package. This script prints one line per ten packages,
what pip does now and for how long, and after a failure the reason and the remedy. The whole output
of pip is in `install.log` of the environment. It needs only the standard library.
"""

import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
PIP = ("-m", "pip", "install", "--disable-pip-version-check", "--no-color", "--progress-bar", "off")
WHAT = ("-c", "constraints.txt", "-e", ".[dev]")
FOUND = re.compile(r"(?:Collecting |Processing \S*/)([A-Za-z0-9]+(?:[._-][A-Za-z][A-Za-z0-9]*)*)")
UNPACKING = "Installing collected packages: "
SILENCE_SECONDS = 10.0  # after which the elapsed time is printed
PACKAGES_PER_LINE = 10
MAX_ERROR_LINES = 5
REMEDIES = {
    r"No space left": "The disk is full: an installation needs about 2 GB, and pip 1 GB more in "
    "its folder for temporary files (TMPDIR).",
    r"No matching distribution|Could not find a version": "pip does not find a package in the "
    "version of constraints.txt. Check the network and the index of pip (`pip config list`); for "
    "another Python or processor, raise the version in constraints.txt.",
    r"(?i)connection|timed? ?out|name resolution|proxy|SSL|certificate": "pip cannot reach its "
    "index. Check the network, and behind a proxy HTTPS_PROXY and PIP_CERT.",
    r"Permission denied|Read-only": "A folder cannot be written. Give another one: "
    "make VENV=/path/to/folder run.",
    r"ensurepip|No module named pip": "This Python cannot make virtual environments. On Debian: "
    "apt install python3-venv.",
}


def main(folder: Path) -> int:
    """Make the environment and install; return the exit code."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    number = sum(line[:1].isalpha() for line in constraints)
    say(f"Installing BOLT and about {number} packages into {folder}: 2 GB, 2 to 10 minutes, once.")
    folder.mkdir(parents=True, exist_ok=True)
    for stale in ROOT.glob("*.egg-info"):  # of an earlier version: it would hide its new commands
        shutil.rmtree(stale)
    with (folder / "install.log").open("w", encoding="utf-8") as log:
        for doing, command in {
            "making the environment": [sys.executable, "-m", "venv", str(folder)],
            "finding packages": [str(python), *PIP, *WHAT],
        }.items():
            code, lines = run(doing, command, log)
            if code:
                say(failure(lines, log.name))
                return code
    say(f"Installed in {time.monotonic() - STARTED:.0f} s.")
    return 0


def run(doing: str, command: list[str], log: IO[str]) -> tuple[int, list[str]]:
    """Run a command, show its progress, and return its exit code and its output."""
    lines: list[str] = []
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for message in progress(doing, _logged(_lines(process.stdout), log, lines)):
            say(message)
    return process.returncode, lines


def progress(doing: str, lines: Iterable[str | None]) -> Iterator[str]:
    """Yield what to show for the output of pip; None stands for ten seconds without a line."""
    found: set[str] = set()
    for line in lines:
        if line is None:
            yield f"  {doing}: {time.monotonic() - STARTED:.0f} s so far"
        elif (package := FOUND.match(line.strip())) and package[1].lower() not in found:
            found.add(package[1].lower())
            if len(found) % PACKAGES_PER_LINE == 0:
                yield f"  found {len(found)} packages, the last is {package[1]}"
        elif line.startswith(UNPACKING):
            doing = f"unpacking {line.count(',') + 1} packages, of which torch is the largest"
            yield f"  {doing}"


def failure(lines: list[str], log: str) -> str:
    """Return the errors of pip, the remedy and where everything is written."""
    text = "\n".join(lines)
    errors = [line for line in lines if "error" in line.lower()] or lines
    remedy = next((words for sign, words in REMEDIES.items() if re.search(sign, text)), "")
    advice = [
        "The installation failed:",
        *(f"  {line}" for line in errors[-MAX_ERROR_LINES:]),
        *([remedy] if remedy else []),
        f"The output of pip is in {log}. Then give the same command again; `make clean` removes "
        "the environment.",
    ]
    return "\n".join(advice)


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _lines(stream: IO[str]) -> Iterator[str | None]:
    """Yield lines as they come, and None after each period of silence."""
    arrived: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in stream:
            arrived.put(line.rstrip())
        arrived.put(None)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    while True:
        try:
            line = arrived.get(timeout=SILENCE_SECONDS)
        except queue.Empty:
            yield None
            continue
        if line is None:
            return
        yield line


def _logged(lines: Iterable[str | None], log: IO[str], kept: list[str]) -> Iterator[str | None]:
    """Yield the lines, and write them to the log and the list."""
    for line in lines:
        if line is not None:
            log.write(line + "\n")
            kept.append(line)
        yield line


STARTED = time.monotonic()

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".venv")))
