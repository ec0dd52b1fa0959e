"""Names from a results file are text in every format, and never markup, links or paths."""

import re
from dataclasses import replace

import pytest

from bolt_core import report
from tests.support.reports import invented

EVIL = "../../x|`y` [a](http://a.b) ![](http://c.d) <b>e</b> $f_g$ # \\input{h} www.h.i"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report of a campaign whose name, note, benchmark and algorithm are all EVIL."""
    made = tmp_path_factory.mktemp("evil") / "a" / "report"
    good = invented(algorithms=("bolt", "gpucb"), benchmarks=("wlan",), seeds=2)
    runs = tuple(
        replace(run, source=EVIL, config=replace(run.config, benchmark=EVIL, algorithm=name))
        for run in good.runs
        for name in [EVIL if run.config.algorithm == "gpucb" else "bolt"]
    )
    report.write(replace(good, name=EVIL, note=EVIL, runs=runs), made)
    return made


@pytest.mark.long
def test_nothing_is_written_outside_the_folder(folder):
    outside = [path for path in folder.parents[1].rglob("*") if folder not in (path, *path.parents)]

    assert outside == [folder.parent]
    assert list((folder / "figures").glob("*x-y-*.svg"))


def test_markdown_has_no_link_image_tag_or_formula(folder):
    text = (folder / "report.md").read_text()
    prose = re.sub(r"(?m)^Made with `[^`\n]*`$|(?<!\\)!\[.*\]\(figures/[\w.-]+\)$", "", text)

    assert len(re.findall(r"(?m)^Made with `[^`\n]*`$", text)) > 3
    for markup in (r"(?<!\\)\]\(", r"(?<!\\)`", r"<b>", r"(?<!\\)\$", r"http://", r"www\.h"):
        assert not re.search(markup, prose), markup
    for table in re.findall(r"(?m)(?:^\|.*\n)+", text):
        columns = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert len(columns) == 1


def test_html_has_no_tag_or_link_of_theirs(folder):
    text = (folder / "report.html").read_text()

    assert "<b>" not in text
    assert set(re.findall(r'href="([^"]*)"', text)) <= {
        f"#{name}" for name in re.findall(r'<section id="([\w.-]+)">', text)
    }


def test_latex_is_plain_text(folder):
    text = (folder / "report.tex").read_text()

    assert r"\input" not in text
    assert not re.search(r"(?<!\\)[$#]", text)
    assert set(re.findall(r"figures/([^}]*)\.pdf", text)) == {
        path.stem for path in (folder / "figures").glob("*.pdf")
    }
