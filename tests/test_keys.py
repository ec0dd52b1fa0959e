"""Keys of widgets: the pages share one session and one URL, so no two of them may share a key."""

from itertools import combinations
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from ui import lab

ROOT = Path(__file__).resolve().parents[1]
VIEWS = {  # each page, in every view that has widgets of its own
    "arena": [{}],
    "lab": [{"more": lab.BOUND}, {"more": lab.REMOVAL}],
    "benchmarks": [{}, {"board": "wlan"}],
    "runs": [{}],
    "scoreboard": [{}],
    "guide": [{}],
}


@pytest.fixture
def keys():
    """keys(page): of all its widgets."""

    def found(name):
        for url in VIEWS[name]:
            page = AppTest.from_file(str(ROOT / "ui/main.py"), default_timeout=30).run()
            page.switch_page(f"../pages/{name}.py")
            page.query_params.update(url)
            page.run()
            assert not page.exception, page.exception
            yield from (e.key for e in page.main if isinstance(e, Widget) and e.key)

    return lambda name: set(found(name))


def test_a_key_belongs_to_one_page(keys):
    of = {name: keys(name) for name in VIEWS}

    assert {"noise", "device"} <= of["arena"]
    assert {"bound_noise", "out"} <= of["lab"]
    assert "board_device" in of["benchmarks"]
    for one, other in combinations(of, 2):
        assert not of[one] & of[other], (one, other)
