"""Response times of a run: first and last tenth, range, growth."""

from bolt_core.analysis.response_times import response_times
from tests.support.runs import make_run


def test_first_and_last_are_medians_over_a_tenth_of_the_time():
    run = make_run(115, seconds=lambda i: 1.0 if i < 65 else 2.0)  # 50 and 50 passes, 150 s
    times = response_times(run)

    assert (times.first, times.last) == (1.0, 2.0)
    assert (times.low, times.high, times.longest) == (1.0, 2.0, 2.0)
    assert times.growth == 2.0
    assert response_times(make_run(20)) is None
