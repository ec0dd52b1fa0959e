"""Names at the line ends: apart, in order, on the chart."""

import numpy as np

from bolt_core.figures.shared.labels import LINE_HEIGHT, End, end_labels, nudges

PRIORITISED = ["bolt", "w-dbo", "tv-gpucb", "r-gpucb", "et-gpucb", "abo", "sw-gpucb", "w-gpucb"]


def test_names_are_nudged_apart_and_keep_their_order():
    pixels = [100.0, 101.0, 99.0, 200.0]
    placed = [p + shift for p, shift in zip(pixels, nudges(pixels), strict=True)]

    assert np.diff(sorted(placed)).min() >= LINE_HEIGHT - 1e-9
    assert np.argsort(placed).tolist() == np.argsort(pixels).tolist()
    assert placed[3] == 200.0


def test_names_stay_between_the_axis_and_the_top():
    low = [p + s for p, s in zip([1.0] * 9, nudges([1.0] * 9, 160.0), strict=True)]
    high = [p + s for p, s in zip([159.0] * 9, nudges([159.0] * 9, 160.0), strict=True)]

    for placed in (low, high):
        assert min(placed) >= 0.0
        assert max(placed) <= 160.0
        assert np.diff(sorted(placed)).min() >= LINE_HEIGHT - 1e-9


def test_only_names_that_stand_side_by_side_are_moved():
    ends = [End("a", "A", 10.0, 5.0), End("b", "B", 11.0, 5.0), End("c", "C", 50.0, 5.0)]
    shifts = [a["yshift"] for a in end_labels(ends, (0.0, 10.0), 250.0, 60.0)]

    assert shifts == [-LINE_HEIGHT / 2, LINE_HEIGHT / 2, 0.0]


def test_of_a_crowd_eight_are_named_always_the_same():
    keys = ["gpucb", "random", *PRIORITISED]
    ends = [End(key, key, 10.0, 5.0 + 0.01 * i) for i, key in enumerate(keys)]
    swapped = [End(end.key, end.label, end.x, 10.0 - end.y) for end in ends]

    for crowd in (ends, swapped):
        named = {a["name"] for a in end_labels(crowd, (0.0, 10.0), 250.0, 60.0)}
        assert named == set(PRIORITISED)


def test_two_races_of_four_lanes_that_end_together_are_all_named():
    keys = ["bolt", "w-dbo", "tv-gpucb", "gpucb"] * 2
    ends = [End(key, f"{key}, race {1 + i // 4}", 10.0, 5.0) for i, key in enumerate(keys)]
    labels = end_labels(ends, (0.0, 10.0), 160.0, 60.0)

    assert {label["text"] for label in labels} == {end.label for end in ends}


def test_names_with_room_are_all_there():
    ends = [End(str(i), str(i), 10.0, float(i)) for i in range(9)]

    assert len(end_labels(ends, (0.0, 10.0), 250.0, 60.0)) == 9
