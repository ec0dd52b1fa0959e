"""Lessons as data: predict, race, look, and only then read the answer.

Each names the race that settles it, and the function that reads from its records which option came
true. The answers expected here were checked against runs on the model clock, seed 0, where they
come out the same on every machine; a run that disagrees says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from bolt_core.common.types import ClockConfig, RunConfig
from bolt_ui import links
from bolt_ui.lessons import lesson_judges
from bolt_ui.race_settings import CUTS, Choice, Lane


@dataclass(frozen=True, slots=True)
class Lesson:
    """One prediction and the race that settles it."""

    key: str
    title: str
    question: str
    options: tuple[str, ...]
    answer: int  # which option is expected to come true
    judge: lesson_judges.Judge  # which did
    page: str  # arena or inside: where to look
    benchmark: str
    algorithms: tuple[str, ...]
    look: str  # at what
    reveal: str
    clock: str = "model"
    cut: str = "60"  # seconds, as in the Arena's URL
    x: str = "seconds"
    seed: int = 0
    slowdowns: tuple[float, ...] = (1.0,)  # of the device: every algorithm runs on each

    def configs(self) -> list[RunConfig]:
        """The runs of its race."""
        lanes = [Lane(key, speed=times) for key in self.algorithms for times in self.slowdowns]
        clock = ClockConfig(self.clock)
        race = Choice(self.benchmark, tuple(lanes), seed=self.seed, cut=CUTS[self.cut], clock=clock)
        return race.configs()

    def link(self) -> tuple[str, links.Query]:
        """The page and the query that open it."""
        return (links.INSIDE if self.page == "inside" else links.ARENA), {"lesson": self.key}


LESSONS = (
    Lesson(
        key="metronome",
        title="The metronome",
        question="BOLT and GPUCB race for three minutes. Both begin with the same beat. Who has "
        "made more queries at the end?",
        options=("GPUCB: it never stops to remove anything", "About the same", "BOLT, by far"),
        answer=2,
        judge=lesson_judges.metronome,
        page="arena",
        benchmark="eggholder",
        algorithms=("bolt", "gpucb"),
        cut="180",
        look="The leaderboard's columns Response and Queries, and the dataset sizes.",
        reveal="GPUCB keeps every observation, so each answer takes longer than the one before and "
        "its beat slows down. BOLT holds its dataset near n* and with it its pace.",
    ),
    Lesson(
        key="per-second",
        title="Per second or per iteration?",
        question="BOLT and TV-GPUCB race for the same 180 seconds. Draw their regret against "
        "seconds, then against iterations. On which axis does BOLT's curve reach further to the "
        "right than TV-GPUCB's?",
        options=("Iterations", "Seconds", "Neither: they end together on both"),
        answer=0,
        judge=lesson_judges.per_second,
        page="arena",
        benchmark="eggholder",
        algorithms=("bolt", "tv-gpucb"),
        cut="180",
        x="iterations",
        look="Where each curve ends. Then switch the x axis to seconds.",
        reveal="Both had the same 180 seconds, so on that axis the curves end together. Per "
        "iteration TV-GPUCB simply stops early: it used its time to think. A comparison at equal "
        "iterations gives the slower algorithm more time than the faster one, and does not say so.",
    ),
    Lesson(
        key="slower-device",
        title="A slower device keeps less",
        question="BOLT runs on a device whose thinking takes four times as long. What happens to "
        "n*?",
        options=(
            "It falls",
            "It stays: the objective is the same",
            "It grows: each observation is dearer",
        ),
        answer=0,
        judge=lesson_judges.slower_device,
        page="inside",
        benchmark="eggholder",
        algorithms=("bolt",),
        slowdowns=(1.0, 4.0),
        look="R(n) and the peak of \u2016u_n\u2016\u00b2, on both devices.",
        reveal="On the slower device every observation is older by the time it is used, so the "
        "balance between more data and fresher data tips earlier. n* is measured, not set: nobody "
        "has to tell BOLT what machine it runs on.",
    ),
    Lesson(
        key="stale-not-old",
        title="Stale is not the same as old",
        question="BOLT removes an observation whenever it holds more than n*. How many of those it "
        "removes will be the oldest it has?",
        options=("All of them", "More than half, but not all", "At most half"),
        answer=2,
        judge=lesson_judges.stale_not_old,
        page="inside",
        benchmark="eggholder",
        algorithms=("bolt", "bolt-oldest"),
        look="The relevance of each observation: the lowest is seldom the leftmost.",
        reveal="An observation leaves when the surrogate would hardly change without it. That is "
        "often a young one with neighbours that say the same, while an old one that is alone in "
        "its part of the box stays.",
    ),
)

BY_KEY = {lesson.key: lesson for lesson in LESSONS}
