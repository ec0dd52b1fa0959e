"""Links with nonsense in every parameter: each page opens, and a refused number is named."""

import pytest

from tests.support.page_kit import browse
from tests.support.wording import in_order

ANY = ("race", "lesson", "present", "hide", "chapter", "t", "at")
TOOLBAR = (
    "bench algos variants seeds seed cut clock slowdown device warmup engine acq noise ks kt lanes"
)
PARAMETERS = {
    "arena": (*TOOLBAR.split(), "x", "stat", "scale"),
    "inside": ("show",),
    "lab": ("lt", "r0", "lin", "quad", "cub", "k", "preset", "more", "bound_noise", "out"),
    "benchmarks": ("board", "board_device", "board_t"),
    "runs": ("q", "tag"),
    "scoreboard": ("campaign", "score_on", "algorithm", "benchmark"),
    "guide": ("section",),
}
HUGE = "9" * 400
VALUES = [
    "inf",
    "-inf",
    "nan",
    "1e999",
    HUGE,
    "-1",
    "1.5",
    "",
    "[]",
    "\x00",
    "\N{SNOWMAN}",
    "a,b;c=d|",
]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("page", PARAMETERS)
def test_a_page_opens_with_nonsense_in_every_parameter(page, value):
    browse(page, **dict.fromkeys((*PARAMETERS[page], *ANY), value))


@pytest.mark.parametrize(
    ("page", "name", "value"),
    [("arena", "seeds", "inf"), ("arena", "slowdown", "1e999"), ("lab", "lt", "nan"),
     ("arena", "seed", HUGE), ("arena", "warmup", "[x](http://a.b)")],
)  # fmt: skip
def test_a_number_that_is_refused_is_named(page, name, value):
    shown = browse(page, **{name: value})
    (notice,) = [warning.value for warning in shown.warning]

    assert in_order(notice.replace("\\", ""), name, value[:20], "not a number")
    assert "](" not in notice
    assert name not in shown.query_params
    assert not shown.run().warning  # once


def test_numbers_that_a_widget_can_read_are_left_alone():
    shown = browse(seeds="3", seed="7", slowdown="1e1")

    assert [shown.get_by_key(name).value for name in ("seeds", "seed", "slowdown")] == [3, 7, 10.0]
    assert not shown.warning
