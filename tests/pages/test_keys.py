"""Keys of widgets: the pages share one session and one URL, so no two of them may share a key."""

from collections import defaultdict
from itertools import combinations, zip_longest

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from bolt_ui.lab import sections
from tests.support.project import ROOT

VIEWS = {  # each page, in every view that has widgets of its own
    "arena": [{}],
    "lab": [{"more": sections.BOUND}, {"more": sections.REMOVAL}],
    "benchmarks": [{}, {"board": "wlan"}],
    "runs": [{}],
    "scoreboard": [{}],
    "guide": [{}],
}


def keys(page, name, url):
    """Of all widgets of a page, as one comes to it from another."""
    page.switch_page(f"../../pages/{name}.py")
    page.query_params.clear()
    page.query_params.update(url)
    page.run()
    assert not page.exception, page.exception
    return {e.key for e in page.main if isinstance(e, Widget) and e.key}


def test_a_key_belongs_to_one_page():
    of = defaultdict(set)
    for views in zip_longest(*VIEWS.values()):  # a session for the first view of each, and so on
        page = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30).run()
        for name, url in zip(VIEWS, views, strict=True):
            if url is not None:
                of[name] |= keys(page, name, url)

    assert {"noise", "device"} <= of["arena"]
    assert {"bound_noise", "out"} <= of["lab"]
    assert "board_device" in of["benchmarks"]
    for one, other in combinations(of, 2):
        assert not of[one] & of[other], (one, other)
