"""Links with nonsense in every parameter: each page opens, and a refused value is named."""

from itertools import cycle, islice

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


@pytest.mark.parametrize("first", range(0, len(VALUES), 3))
@pytest.mark.parametrize("page", PARAMETERS)
def test_a_page_opens_with_nonsense_in_every_parameter(page, first):
    """Each parameter has another value, and in the next link the value of the third after it."""
    names = (*PARAMETERS[page], *ANY)
    values = islice(cycle(VALUES), first, first + len(names))
    browse(page, **dict(zip(names, values, strict=True)))


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


@pytest.mark.parametrize(
    ("page", "link", "words"),
    [
        ("arena", {"bench": "foo"}, ("bench=foo", "eggholder", "default")),
        ("arena", {"cut": "45"}, ("cut=45", "60", "180", "default")),
        ("arena", {"seeds": "50"}, ("seeds=50", "1 to 10", "default")),
        ("arena", {"slowdown": "-3"}, ("slowdown=-3", "0.01 to 1000")),
        ("arena", {"algos": "bolt,nosuch"}, ("algos=nosuch", "w-dbo", "left out")),
        ("arena", {"clock": "wall"}, ("clock=wall", "cpu, model")),
        ("arena", {"scale": "cubic"}, ("scale=cubic", "linear, log")),
        ("inside", {"bench": "foo"}, ("bench=foo",)),
        ("lab", {"lt": "1e9"}, ("lt=1e9", "1 to 10000")),
        ("arena", {"t": "abc"}, ("t=abc", "not a number")),
        ("arena", {"board_device": "zork"}, ("board_device=zork", "nominal, paper")),
        ("benchmarks", {"board_device": "zork"}, ("board_device=zork", "nominal, paper")),
        ("scoreboard", {"show": "zzz"}, ("show=zzz", "bolt.0")),
        ("lab", {"n": "abc"}, ("n=abc", "not a setting")),
        ("arena", {"horizon": "45"}, ("horizon=45", "not a setting", "cut=")),
        ("arena", {"sedes": "3"}, ("sedes=3", "not a setting", "seeds=")),
        ("lab", {"k": "laplace"}, ("k=laplace", "matern32")),
        ("scoreboard", {"campaign": "nosuch"}, ("campaign=nosuch", "Built-in results")),
        ("scoreboard", {"score_on": "nosuch"}, ("score_on=nosuch", "Shekel")),
        ("lab", {"more": "nosuch"}, ("more=nosuch", "regret bound")),
        ("lab", {"more": "The regret bound", "bound_noise": "7"}, ("bound_noise=7", "0.01")),
    ],
    ids=str,
)
def test_a_value_that_is_not_possible_is_named_with_the_possible_ones(page, link, words):
    shown = browse(page, **link)
    (notice,) = [warning.value.replace("\\", "") for warning in shown.warning]

    assert in_order(notice, *words)


def test_possible_values_are_listed_once_by_key():
    (notice,) = [warning.value.replace("\\", "") for warning in browse(algos="nosuch").warning]

    assert notice.count("w-dbo") == 1
    assert "W-DBO" not in notice


def test_of_several_algorithms_only_the_unknown_one_is_dropped():
    shown = browse(algos="bolt,nosuch,abo")

    assert set(shown.get_by_key("algos").value) == {"abo", "bolt"}


def test_two_impossible_values_are_both_named():
    shown = browse(cut="45", seeds="50", bench="Powell")

    assert len(shown.warning) == 2
    assert shown.get_by_key("bench").value == "powell"
