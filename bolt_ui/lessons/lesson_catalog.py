"""The lessons as data: a question, options to predict from, and the race that decides.

Each lesson names a judge, a function that reads from the records of that race which option came
true. The expected answers were checked with runs on the model clock, seed 0. These repeat bit for
bit on one machine; rounding differs on another, and the page says so if a run disagrees.
"""

from dataclasses import dataclass

from bolt_core.common.types import ClockConfig, RunConfig
from bolt_ui.lessons import lesson_judges
from bolt_ui.race_settings import DEFAULT_BENCHMARK, Lane, RaceSettings


@dataclass(frozen=True, slots=True)
class Lesson:
    """One question and the race that answers it."""

    key: str
    title: str
    question: str
    options: tuple[str, ...]
    answer: int  # index of the option that is expected to come true
    judge: lesson_judges.Judge  # which option came true in a race
    algorithms: tuple[str, ...]
    look: str  # what to look at
    reveal: str  # the explanation
    page: str = "arena"  # or inside
    cut: float = 60.0  # horizon, in seconds
    x: str = "seconds"  # axis of the regret chart
    slowdowns: tuple[float, ...] = (1.0,)  # of the device; every algorithm runs with each

    def configs(self) -> list[RunConfig]:
        """Return the runs of the lesson's race: the default benchmark, model clock, seed 0."""
        lanes = tuple(Lane(key, speed=s) for key in self.algorithms for s in self.slowdowns)
        clock = ClockConfig("model")
        common = RunConfig("bolt", DEFAULT_BENCHMARK, horizon=self.cut, clock=clock)
        return RaceSettings(lanes, common).configs()


LESSONS = (
    Lesson(
        key="metronome",
        title="The metronome",
        question="BOLT and GPUCB race for three minutes. At first their response times are equal. "
        "Which one has made more queries at the end?",
        options=("GPUCB, as it spends no time on removing data", "About the same", "BOLT, by far"),
        answer=2,
        judge=lesson_judges.metronome,
        algorithms=("bolt", "gpucb"),
        cut=180.0,
        look="The columns Response and Queries of the leaderboard, and the dataset sizes.",
        reveal="GPUCB keeps every observation, so each response takes longer than the one before. "
        "BOLT keeps its dataset near n*, and so its response time stays nearly the same.",
    ),
    Lesson(
        key="per-second",
        title="Per second or per iteration?",
        question="BOLT and TV-GPUCB race for the same 180 seconds. Draw their regret against "
        "seconds, then against iterations. On which axis does BOLT's curve extend further to the "
        "right than TV-GPUCB's?",
        options=("Iterations", "Seconds", "Neither: they end together on both"),
        answer=0,
        judge=lesson_judges.per_second,
        algorithms=("bolt", "tv-gpucb"),
        cut=180.0,
        x="iterations",
        look="Where each curve ends. Then switch the x axis to seconds.",
        reveal="Both had the same 180 seconds, so on that axis the curves end together. Per "
        "iteration TV-GPUCB ends early, because it spent its time on computing. A comparison at "
        "equal iterations silently gives the slower algorithm more time than the faster one.",
    ),
    Lesson(
        key="slower-device",
        title="A slower device keeps less",
        question="BOLT runs on a device that computes four times slower. What happens to n*?",
        options=(
            "It falls",
            "It stays: the objective is the same",
            "It grows: each observation costs more",
        ),
        answer=0,
        judge=lesson_judges.slower_device,
        page="inside",
        algorithms=("bolt",),
        slowdowns=(1.0, 4.0),
        look="R(n) and the peak of \u2016u_n\u2016\u00b2, on both devices.",
        reveal="On the slower device every observation is older by the time it is used, so the "
        "best balance between more data and fresher data is at a smaller size. BOLT measures its "
        "response time and computes n* from it; the machine need not be described to it.",
    ),
    Lesson(
        key="stale-not-old",
        title="Stale is not the same as old",
        question="BOLT removes observations while it has more than n*. How many of the "
        "removed observations will be the oldest in the dataset?",
        options=("All of them", "More than half, but not all", "At most half"),
        answer=2,
        judge=lesson_judges.stale_not_old,
        page="inside",
        algorithms=("bolt", "bolt-oldest"),
        look="The relevance of each observation: is the lowest the leftmost?",
        reveal="BOLT removes the observation without which the surrogate changes least. That may "
        "be a recent one with similar neighbours, while an old one that is alone in its part of "
        "the box is kept.",
    ),
)

BY_KEY = {lesson.key: lesson for lesson in LESSONS}
