"""Names from files and links are shown as text on every page, never as Markdown."""

import json
import re
from dataclasses import replace

import pytest

from bolt_core.common.types import RunStatus
from bolt_core.store.library import Library
from tests.support.page_kit import browse, race
from tests.support.runs import make_run
from tests.support.stored_races import write_race

EVIL = "[a](http://a.example) :red[b] $c$ ![](http://d.example/e.png) `f` <b>g</b>"
MARKUP = (r"(?<!\\)\]\(http", r"(?<!\\):red\[", r"(?<!\\)\$c\$", r"(?<!\\)<b>")
KINDS = ("markdown", "caption", "subheader", "header", "error", "warning", "info", "toast", "title")


def assert_plain(page):
    texts = [element.value for kind in KINDS for element in getattr(page, kind)]
    texts += [button.label for button in page.button]
    for text in (re.sub(r"`[^`]*`", "", str(text)) for text in texts):  # code is shown as it is
        assert not [markup for markup in MARKUP if re.search(markup, text)], text


@pytest.mark.parametrize("page", ["arena", "inside"])
def test_names_in_a_record_are_text(open_page, page):
    runs = [make_run(40, algorithm=name) for name in (EVIL, "bolt")]
    runs = [
        replace(
            run,
            config=replace(run.config, benchmark=EVIL),
            header={**(run.header or {}), "label": EVIL, "source": EVIL, "cpu": EVIL},
            error=EVIL,
            status=RunStatus.FAILED,
        )
        for run in runs
    ]
    shown = open_page(race(*runs, status=RunStatus.FAILED, warning=EVIL), page=page)

    assert "a.example" in " ".join(str(error.value) for error in shown.error)
    assert_plain(shown)


@pytest.mark.parametrize(
    ("page", "name"),
    [("arena", "race"), ("arena", "lesson"), ("arena", "lanes"), ("benchmarks", "board"),
     ("inside", "show"), ("scoreboard", "campaign"), ("arena", "hide")],
)  # fmt: skip
def test_names_in_a_link_are_text(page, name):
    assert_plain(browse(page, **{name: EVIL}))


def test_the_name_and_tags_of_a_race_are_text(home):
    library = Library(home / "runs")
    write_race(library, "r1")
    library.rename("r1", EVIL[:60], [EVIL[:30]])
    for page in ("runs", "arena"):
        assert_plain(browse(page, race="r1"))


def test_the_name_of_a_campaign_folder_is_text(home):
    folder = home / "campaigns" / EVIL.replace("/", "")
    folder.mkdir(parents=True)
    (folder / "campaign.json").write_text(json.dumps({"note": EVIL}))

    shown = browse("scoreboard", campaign=folder.name)

    assert "a.example" in shown.error[0].value
    assert_plain(shown)
