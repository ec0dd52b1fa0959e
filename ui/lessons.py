"""Lessons as data: predict, race, look, and only then read the answer.

Each names the race it needs by keys, so that a link or a runner can set it up. Answers were checked
against runs on the model clock, seed 0, where they come out the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

from ui import links


@dataclass(frozen=True, slots=True)
class Lesson:
    """One prediction and the race that settles it."""

    key: str
    title: str
    question: str
    options: tuple[str, ...]
    answer: int  # which option comes true
    page: str  # arena or inside: where to look
    benchmark: str
    algorithms: tuple[str, ...]
    look: str  # at what
    reveal: str
    clock: str = "model"
    cut: str = "60"  # seconds, as in the Arena's URL
    x: str = "seconds"
    seed: int = 0
    slowdowns: tuple[float, ...] = ()  # of the device, where one algorithm races itself

    def query(self) -> links.Query:
        """The settings of the Arena that run it."""
        return links.race(self.benchmark, self.algorithms, clock=self.clock, cut=self.cut, x=self.x)


LESSONS = (
    Lesson(
        key="metronome",
        title="The metronome",
        question="BOLT and GPUCB race for three minutes. Both begin with the same beat. Who has "
        "made more queries at the end?",
        options=("GPUCB: it never stops to remove anything", "About the same", "BOLT, by far"),
        answer=2,
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
        question="Look at BOLT against TV-GPUCB per iteration, then per second. Which axis has the "
        "longer curve for BOLT?",
        options=("Iterations", "Seconds", "They are equally long on both"),
        answer=0,
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
            "It grows: each observation is dearer",
            "It stays: the objective is the same",
            "It falls",
        ),
        answer=2,
        page="inside",
        benchmark="eggholder",
        algorithms=("bolt",),
        cut="180",
        slowdowns=(1.0, 4.0),
        look="R(n) and the peak of \u2016u_n\u2016\u00b2, on both devices.",
        reveal="On the slower device every observation is older by the time it is used, so the "
        "balance between more data and fresher data tips earlier. n* is measured, not set: nobody "
        "has to tell BOLT what machine it runs on.",
    ),
    Lesson(
        key="stale-not-old",
        title="Stale is not the same as old",
        question="BOLT has removed some observations. How many of them were the oldest it had?",
        options=("All of them", "More than half", "Fewer than half"),
        answer=2,
        page="inside",
        benchmark="eggholder",
        algorithms=("bolt", "bolt-oldest"),
        cut="180",
        look="The relevance of each observation: the lowest is seldom the leftmost.",
        reveal="An observation leaves when the surrogate would hardly change without it. That is "
        "often a young one with neighbours that say the same, while an old one that is alone in "
        "its part of the box stays.",
    ),
)
