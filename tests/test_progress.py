"""How long a race still takes."""

from bolt_core.progress import Pace


def test_time_left_is_remaining_over_median_speed_in_steps_of_five():
    now = [0.0]
    pace = Pace(lambda: now[0])
    for second in range(11):
        now[0] = float(second)
        pace.note(4.0 * second)  # four clock seconds a second

    assert pace.left(100.0) == 25.0
    assert pace.left(90.0) == 25.0
    assert pace.left(0.0) == 0.0


def test_time_left_is_not_told_in_the_first_three_seconds():
    now = [0.0]
    pace = Pace(lambda: now[0])
    for half in range(5):
        now[0] = half / 2
        pace.note(now[0])

    assert pace.left(100.0) is None


def test_only_the_last_thirty_seconds_count():
    now = [0.0]
    pace = Pace(lambda: now[0])
    t = 0.0
    for second in range(100):
        now[0] = float(second)
        t += 1.0 if second < 60 else 10.0
        pace.note(t)

    assert pace.left(100.0) == 10.0
