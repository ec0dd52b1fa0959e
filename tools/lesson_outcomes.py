"""How often does each lesson come out as it expects, on other seeds?

    python -m tools.lesson_outcomes [first seed] [last seed] [lesson ...]

Per lesson and seed: the option that came true, and in how many seeds it is the expected one. The
lessons themselves run with seed 0. The settings were chosen on seeds below 10, some on a few of
them only; seeds 10 to 19 check them. The model clock makes the answer repeatable.

`how-much-data` comes out as expected on 9 of the seeds 10 to 19: on one, TV-GPUCB, which keeps all,
is lowest. The window of 10 has the lowest average regret on 7 of them and BOLT on 2; the window is
ahead of BOLT on 7, and BOLT is below TV-GPUCB on 7. The lesson therefore does not claim that n* is
best. Its question was rewritten after seeds 0, 1 and 10 to 13 were seen: for this lesson only seeds
14 to 19 are a check, and there it holds on 5 of 6.

`what-removal-gains` was written after seeds 0 to 4 were seen. It comes out as expected on 7 of the
seeds 10 to 19, and on the other three the gains on both devices are within 10 % of each other.
"""

import sys
from dataclasses import replace

from bolt_core.common import runtime
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_ui.lessons.lesson_catalog import BY_KEY, Lesson
from tools.default_race import finished


def race_of(lesson: Lesson, seed: int) -> RaceSnapshot:
    """Return the race of a lesson with another seed, made at once."""
    runs = [
        replace(finished(config), run_id=f"{k}", header={"horizon": lesson.cut})
        for k, config in enumerate(lesson.configs(seed))
    ]
    return RaceSnapshot("", RunStatus.FINISHED, tuple(runs), t=lesson.cut)


def main() -> None:
    """Print one line per lesson and seed, and in how many the expected answer came true."""
    runtime.configure()
    first, last = (int(text) for text in (*sys.argv[1:3], "10", "19")[:2])
    for key in sys.argv[3:] or BY_KEY:
        lesson, expected = BY_KEY[key], 0
        for seed in range(first, last + 1):
            verdict = lesson.judge(race_of(lesson, seed))
            expected += verdict.option == lesson.answer
            sys.stdout.write(f"{key}, seed {seed}: option {verdict.option}. {verdict.summary}\n")
            sys.stdout.flush()
        sys.stdout.write(f"{key}: as expected in {expected} of {last - first + 1}\n")


if __name__ == "__main__":
    main()
