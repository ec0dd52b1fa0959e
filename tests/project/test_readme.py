"""The README stays true: its Python runs, its commands exist, its pictures are small."""

import re

import pytest

from bolt_core.cli import main
from bolt_ui.lessons.lesson_catalog import LESSONS
from tests.support.project import ROOT

README = (ROOT / "README.md").read_text()
WITH_PYTHON = README + (ROOT / "docs" / "knobs.md").read_text()
PYTHON = re.findall(r"```python\n(.*?)```", WITH_PYTHON, re.DOTALL)
PAGES = "\n".join([README, *(path.read_text() for path in (ROOT / "docs").glob("*.md"))])
COMMANDS = sorted(
    set(re.findall(r"^bolt ((?:bench |data |campaign )?[a-z]+)", PAGES, re.MULTILINE))
)
MAX_LINES, MAX_PICTURE_BYTES = 200, 300_000


@pytest.mark.parametrize("block", PYTHON)
def test_a_python_block_runs(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_it_names_has_help(command, capsys):
    with pytest.raises(SystemExit) as left:
        main([*command.split(), "--help"])

    assert left.value.code == 0
    assert "Usage: bolt" in capsys.readouterr().out


def test_its_results_are_those_of_the_committed_report():
    report = (ROOT / "reports" / "paper" / "report.md").read_text()
    standings = report.partition("## Standings")[2].partition("Made with")[0]
    by_average = standings.partition("overall, held")[0]
    overall = dict(
        re.findall(r"^\| ([\w-]+) \| (\d\.\d\d ± \d\.\d\d) \|", by_average, re.MULTILINE)
    )
    lowest = min(overall.values())
    sentence = re.search(rf"[^.]*Overall, {lowest}", README.replace("\n", " "))[0]

    assert all(name in sentence for name, value in overall.items() if value == lowest)
    near = re.search(r"within the standard errors of the lowest: ([^.]*)\.", standings)
    after = README.replace("\n", " ").partition(sentence)[2].partition("(`bolt")[0]
    assert set(re.findall(r"[\w-]+GPUCB|[\w-]+DBO", near[1] if near else "")) == set(
        re.findall(r"[\w-]+GPUCB|[\w-]+DBO", after)
    )
    assert all(value in report for value in re.findall(r"\d\.\d\d ± \d\.\d\d", README))


def test_it_counts_the_lessons_and_shows_pictures_of_a_bounded_size():
    pictures = [ROOT / path for path in re.findall(r"!\[[^]]{20,}\]\(([^)]+)\)", README)]

    assert len(LESSONS) == 7
    assert len(pictures) == 3
    assert all(path.stat().st_size < MAX_PICTURE_BYTES for path in pictures)
    assert len(README.splitlines()) <= MAX_LINES


def test_its_links_lead_somewhere():
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README + contributing)

    assert [link for link in links if not (ROOT / link).exists()] == []


def test_it_gives_both_commands():
    assert "make run" in README
    assert "make test" in README
    assert COMMANDS
    assert PYTHON
